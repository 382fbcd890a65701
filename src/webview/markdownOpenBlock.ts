import {
  closesFence,
  type Fence,
  indentOf,
  isBlank,
  isHeading,
  isHtmlStart,
  isInterruptingHtml,
  isQuote,
  isSetextUnderline,
  isTableHead,
  isThematicBreak,
  type ListMarker,
  readFence,
  readHtmlEnd,
  readListMarker,
} from "./markdownLines.ts";

/** A part of a Markdown text that can be parsed by itself. */
export type MarkdownPiece =
  /** One or more whole blocks. */
  | { readonly type: "block"; readonly text: string }
  /** Belongs to the list ahead of it, unless `first`. `loose`: a blank line stands ahead of it. */
  | { readonly type: "list-item"; readonly text: string; readonly first: boolean; readonly loose: boolean }
  /** Rows under `head` (the header and delimiter lines); the first piece of a table has no row. */
  | { readonly type: "table-rows"; readonly head: string; readonly text: string; readonly first: boolean }
  /** A fenced code block; its lines follow, joined by line breaks, without the last one. */
  | { readonly type: "code-start"; readonly info: string }
  | { readonly type: "code-text"; readonly text: string }
  | { readonly type: "code-end" };

/** What the last line left open. */
export type OpenBlock =
  | { readonly kind: "none" }
  | { readonly kind: "paragraph" | "quote" | "indented-code"; readonly lines: string[] }
  | { readonly kind: "html"; readonly lines: string[]; readonly end: RegExp | null }
  | { readonly kind: "indented-fence"; readonly lines: string[]; readonly fence: Fence }
  | { readonly kind: "fence"; readonly fence: Fence }
  | { readonly kind: "table"; readonly head: string }
  | OpenListItem;

interface OpenListItem {
  readonly kind: "list-item";
  readonly lines: string[];
  readonly marker: ListMarker;
  readonly first: boolean;
  readonly loose: boolean;
  /** Text without indent went on with the item: the parser decides where that ends. */
  readonly lazy: boolean;
}

const none: OpenBlock = { kind: "none" };

/**
 * Takes one whole line. What it ends goes to `pieces`; the result is what is open behind it. A block
 * ends only where the parser would end it whatever follows, so the pieces parsed one by one are the
 * text parsed as a whole.
 */
export function advance(open: OpenBlock, line: string, pieces: MarkdownPiece[]): OpenBlock {
  switch (open.kind) {
    case "none":
      return begin(line, pieces);
    case "paragraph":
      return advanceParagraph(open.lines, line, pieces);
    case "quote":
      return endsQuote(line) ? reopen(open, line, pieces) : keep(open, line);
    case "indented-code":
      return isBlank(line) || indentOf(line) >= 4 ? keep(open, line) : reopen(open, line, pieces);
    case "html":
      if (open.end === null && isBlank(line)) return reopen(open, line, pieces);
      return open.end?.test(line) === true ? settle(keep(open, line), pieces) : keep(open, line);
    case "indented-fence":
      return closesFence(line, open.fence) ? settle(keep(open, line), pieces) : keep(open, line);
    case "fence":
      return open;
    case "table":
      if (endsTable(line)) return begin(line, pieces);
      pieces.push({ type: "table-rows", head: open.head, text: line, first: false });
      return open;
    case "list-item":
      return advanceListItem(open, line, pieces);
  }
}

/** The piece that an open block is so far, with the text of a line that has not ended. */
export function pieceOf(open: OpenBlock, unfinishedLine = ""): MarkdownPiece | undefined {
  switch (open.kind) {
    case "none":
      return unfinishedLine === "" ? undefined : { type: "block", text: unfinishedLine };
    case "fence":
      return undefined;
    case "table":
      return unfinishedLine === ""
        ? undefined
        : { type: "table-rows", head: open.head, text: unfinishedLine, first: false };
    case "list-item": {
      const text = [...open.lines, unfinishedLine].join("\n");
      return { type: "list-item", text, first: open.first, loose: open.loose };
    }
    case "paragraph":
    case "quote":
    case "indented-code":
    case "html":
    case "indented-fence":
      return { type: "block", text: [...open.lines, unfinishedLine].join("\n") };
  }
}

function begin(line: string, pieces: MarkdownPiece[]): OpenBlock {
  if (isBlank(line)) return none;
  if (indentOf(line) >= 4) return { kind: "indented-code", lines: [line] };
  const fence = readFence(line);
  if (fence !== undefined) return beginFence(fence, line, pieces);
  if (isHeading(line) || isThematicBreak(line)) {
    pieces.push({ type: "block", text: line });
    return none;
  }
  if (isQuote(line)) return { kind: "quote", lines: [line] };
  const marker = readListMarker(line);
  if (marker !== undefined) {
    return { kind: "list-item", lines: [line], marker, first: true, loose: false, lazy: false };
  }
  return isHtmlStart(line) ? beginHtml(line, pieces) : { kind: "paragraph", lines: [line] };
}

function beginFence(fence: Fence, line: string, pieces: MarkdownPiece[]): OpenBlock {
  if (fence.indent > 0) return { kind: "indented-fence", lines: [line], fence };
  pieces.push({ type: "code-start", info: fence.info });
  return { kind: "fence", fence };
}

function beginHtml(line: string, pieces: MarkdownPiece[]): OpenBlock {
  const end = readHtmlEnd(line);
  const open: OpenBlock = { kind: "html", lines: [line], end };
  return end?.test(line) === true ? settle(open, pieces) : open;
}

function advanceParagraph(lines: string[], line: string, pieces: MarkdownPiece[]): OpenBlock {
  const open: OpenBlock = { kind: "paragraph", lines };
  // A link definition is no heading, whatever underlines it; then a row of `=` begins a paragraph.
  const mayBeDefinition = /^ {0,3}\[/.test(lines[0] ?? "");
  if (isSetextUnderline(line) && !(mayBeDefinition && line.includes("="))) {
    return settle(keep(open, line), pieces);
  }
  if (isTableHead(lines.at(-1) ?? "", line)) {
    const head = `${lines.pop() ?? ""}\n${line}`;
    if (lines.length > 0) settle(open, pieces);
    pieces.push({ type: "table-rows", head, text: "", first: true });
    return { kind: "table", head };
  }
  return endsParagraph(line) ? reopen(open, line, pieces) : keep(open, line);
}

function advanceListItem(open: OpenListItem, line: string, pieces: MarkdownPiece[]): OpenBlock {
  if (isBlank(line)) return keep(open, line);
  const afterBlank = isBlank(open.lines.at(-1) ?? "");
  const indent = indentOf(line);
  if (indent < Math.min(4, open.marker.contentColumn)) {
    const marker = readListMarker(line);
    if (marker?.mark === open.marker.mark && marker.ordered === open.marker.ordered) {
      if (open.lazy && !afterBlank) return keep(open, line);
      settle(open, pieces);
      return { kind: "list-item", lines: [line], marker, first: false, loose: afterBlank, lazy: false };
    }
    if (marker !== undefined || endsListItem(line)) return reopen(open, line, pieces);
  }
  if (indent >= open.marker.contentColumn) return keep(open, line);
  return afterBlank ? reopen(open, line, pieces) : keep({ ...open, lazy: true }, line);
}

type BlockWithLines = Extract<OpenBlock, { readonly lines: string[] }>;

function keep<Block extends BlockWithLines>(open: Block, line: string): Block {
  open.lines.push(line);
  return open;
}

function settle(open: OpenBlock, pieces: MarkdownPiece[]): OpenBlock {
  const piece = pieceOf(open);
  if (piece !== undefined) pieces.push(piece);
  return none;
}

function reopen(open: OpenBlock, line: string, pieces: MarkdownPiece[]): OpenBlock {
  settle(open, pieces);
  return begin(line, pieces);
}

function endsListItem(line: string): boolean {
  return (
    isHeading(line) ||
    isQuote(line) ||
    isThematicBreak(line) ||
    isInterruptingHtml(line) ||
    /^ {0,3}(?:```|~~~)/.test(line)
  );
}

function endsAnyText(line: string): boolean {
  return (
    isBlank(line) ||
    isHeading(line) ||
    isThematicBreak(line) ||
    isInterruptingHtml(line) ||
    readFence(line) !== undefined
  );
}

const endsQuote = (line: string): boolean =>
  !isQuote(line) && (endsAnyText(line) || readListMarker(line) !== undefined);

const endsParagraph = (line: string): boolean =>
  endsAnyText(line) || isQuote(line) || readListMarker(line)?.interrupts === true;

const endsTable = (line: string): boolean =>
  endsAnyText(line) || isQuote(line) || indentOf(line) >= 4 || /^ {0,3}(?:[*+-]|1[.)])[ \t]/.test(line);
