import {
  indentOf,
  isBlank,
  isQuote,
  type ListMarker,
  readListMarker,
  type Rest,
  withoutIndent,
} from "./markdownLines.ts";
import type { ListItemPiece, MarkdownPiece } from "./markdownPiece.ts";

/** A block that blocks stand in. */
export type Container = ListItem | Quote;

interface Quote {
  readonly kind: "quote";
  /** It was given out; until then nothing in it was. */
  isOpen: boolean;
}

interface ListItem {
  readonly kind: "list-item";
  readonly marker: ListMarker;
  /** What stands ahead of its content on its first line. */
  readonly head: string;
  readonly first: boolean;
  readonly loose: boolean;
  isOpen: boolean;
  /** A block has begun in it. */
  hasContent: boolean;
}

/** Without the marks and the indent that show that the line goes on with the container; undefined if it does not. */
export function follow(container: Container, line: Rest, afterBlank: boolean): Rest | undefined {
  if (container.kind === "quote") return isQuote(line.text) ? withoutQuoteMark(line) : undefined;
  if (container.hasContent || !afterBlank) {
    const { contentColumn } = container.marker;
    if (indentOf(line) >= contentColumn) return withoutIndent(line, contentColumn);
  }
  return isBlank(line.text) ? { text: "", column: line.column } : undefined;
}

/** The container that begins with the line, and the rest of the line; undefined if none does. */
export function beginContainer(
  line: Rest,
  before: Container | undefined,
  afterBlank: boolean,
): { readonly container: Container; readonly rest: Rest } | undefined {
  if (indentOf(line) >= 4) return undefined;
  if (isQuote(line.text))
    return { container: { kind: "quote", isOpen: false }, rest: withoutQuoteMark(line) };
  const marker = readListMarker(line.text, line.column);
  if (marker === undefined) return undefined;
  const first = before?.kind !== "list-item" || !isSameList(before.marker, marker);
  const length = /^ *\S+/.exec(line.text)?.[0].length ?? 0;
  const behind = { text: line.text.slice(length), column: line.column + length };
  const head = line.text.slice(0, length).padEnd(marker.contentColumn);
  const loose = !first && afterBlank;
  return {
    container: { kind: "list-item", marker, head, first, loose, isOpen: false, hasContent: false },
    rest: marker.hasContent
      ? withoutIndent(behind, marker.contentColumn - length)
      : { text: "", column: behind.column },
  };
}

/** The item's mark, with the text of its first block. */
export function itemPiece(item: ListItem, text: string, open: boolean): ListItemPiece {
  const indent = " ".repeat(item.marker.contentColumn);
  const whole = `${item.head}${text.replaceAll(/\n(?=[^\n])/g, `\n${indent}`)}`.trimEnd();
  return { type: "list-item", text: whole, first: item.first, loose: item.loose, open };
}

/** Gives the container out, with the first piece in it. */
export function openContainer(container: Container, piece?: MarkdownPiece): MarkdownPiece[] {
  container.isOpen = true;
  const rest = piece === undefined ? [] : [piece];
  if (container.kind === "quote") return [{ type: "quote-start" }, ...rest];
  return piece?.type === "block"
    ? [itemPiece(container, piece.text, true)]
    : [itemPiece(container, "", true), ...rest];
}

const isSameList = (one: ListMarker, other: ListMarker): boolean =>
  one.mark === other.mark && one.ordered === other.ordered;

function withoutQuoteMark({ text, column }: Rest): Rest {
  const mark = text.indexOf(">") + 1;
  return withoutIndent({ text: text.slice(mark), column: column + mark }, 1);
}
