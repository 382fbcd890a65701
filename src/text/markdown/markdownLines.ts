import { readFenceInfo } from "./codeBlockInfo.ts";

/**
 * Rules for what one line of Markdown begins or ends. They follow CommonMark as the parser (`marked`) reads it. A block
 * boundary only counts if the parser sees it too.
 */

interface Fence {
  readonly indent: number;
  /** The characters that open the fence, such as three backticks. */
  readonly mark: string;
  readonly info: string;
}

export interface ListMarker {
  readonly ordered: boolean;
  /** The bullet, or the delimiter after the number. All items of one list have the same mark. */
  readonly mark: string;
  /** Column where the content of the item begins, counted from the content of the parent. */
  readonly contentColumn: number;
  /** Whether text follows the marker. */
  readonly hasContent: boolean;
  /** Whether the item can interrupt a paragraph: text follows, and the marker is a bullet or the number 1. */
  readonly interrupts: boolean;
}

const blockTags =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";
const interruptingHtml = new RegExp(
  `^ {0,3}(?:</?(?:${blockTags})(?:[ \\t]|$|/?>)|<(?:script|pre|style|textarea)(?:[\\s>]|$)|<!--|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`,
  "i",
);
const wholeLineTag =
  /^ {0,3}(?:<(?!(?:script|pre|style|textarea)(?![a-z0-9-]))[a-z][a-z0-9-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*[ \t]*\/?>|<\/[a-z][a-z0-9-]*\s*>)[ \t]*$/i;

export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);
export const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?:\s|$)/.test(line);
const isQuote = (line: string): boolean => /^ {0,3}>/.test(line);
export const isSetextUnderline = (line: string): boolean => /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
const isInterruptingHtml = (line: string): boolean => interruptingHtml.test(line);
export const isHtmlStart = (line: string): boolean => interruptingHtml.test(line) || wholeLineTag.test(line);

/** Whether the line is a complete link definition that a further line cannot continue. */
export const isWholeDefinition = (line: string): boolean =>
  /^ {0,3}\[[^[\]\\]{1,999}\]: {0,99}[^<\s]\S*(?: +"[^"\\]*")? *$/.test(line) &&
  /[^\s[\]]/.test(line.split("]:", 1)[0] ?? "");

export function isThematicBreak(line: string): boolean {
  return /^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/.test(line);
}

/** The text after the marker of a list item or quote, and its first column. */
export interface Rest {
  readonly text: string;
  readonly column: number;
}

/** Counts the columns of leading whitespace. A tab advances to the next multiple of 4. */
export function indentOf({ text, column }: Rest): number {
  let reached = column;
  for (const character of text) {
    if (character === "\t") {
      reached += 4 - (reached % 4);
    } else if (character === " ") {
      reached += 1;
    } else {
      break;
    }
  }
  return reached - column;
}

/** Removes up to `columns` columns of leading whitespace. */
export function withoutIndent({ text, column }: Rest, columns: number): Rest {
  const end = column + columns;
  let reached = column;
  let at = 0;
  for (; at < text.length && reached < end; at += 1) {
    if (text[at] === " ") reached += 1;
    else if (text[at] === "\t") reached += 4 - (reached % 4);
    else break;
  }
  return { text: " ".repeat(Math.max(0, reached - end)) + text.slice(at), column: Math.min(reached, end) };
}

export function readFence(line: string): Fence | undefined {
  const match = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,}(?!~))(.*)$/.exec(line);
  const [, indent, mark, info] = match ?? [];
  return indent === undefined || mark === undefined
    ? undefined
    : { indent: indent.length, mark, info: (info ?? "").trim() };
}

function closesFence(line: string, fence: Fence): boolean {
  const mark = /^ {0,3}(`+|~+) *$/.exec(line)?.[1];
  return mark !== undefined && mark.startsWith(fence.mark);
}

function readListMarker(line: string, column = 0): ListMarker | undefined {
  const match = /^( {0,3}([*+-]|\d{1,9}[.)]))([ \t].*)?$/.exec(line);
  const [, head, marker, rest] = match ?? [];
  if (head === undefined || marker === undefined || isThematicBreak(line)) {
    return undefined;
  }
  const hasContent = rest !== undefined && !isBlank(rest);
  const padding = hasContent ? indentOf({ text: rest, column: column + head.length }) : 1;
  return {
    ordered: marker.length > 1,
    mark: marker.slice(-1),
    contentColumn: head.length + (padding > 4 ? 1 : padding),
    hasContent,
    interrupts: hasContent && (marker.length === 1 || /^1[.)]$/.test(marker)),
  };
}

/**
 * Reads the first line of a raw HTML block. Returns the pattern of its end, or null if an empty line ends the block.
 */
export function readHtmlEnd(line: string): RegExp | null {
  const name = /^ {0,3}<(script|pre|style|textarea)(?:[\s>]|$)/i.exec(line)?.[1];
  if (name !== undefined) return new RegExp(`</${name}>`, "i");
  if (/^ {0,3}<!--/.test(line)) return /-->/;
  if (/^ {0,3}<\?/.test(line)) return /\?>/;
  if (/^ {0,3}<!\[CDATA\[/.test(line)) return /\]\]>/;
  if (/^ {0,3}<![A-Z]/i.test(line)) return />/;
  return null;
}

/** Whether the two lines begin a table whose rows can be read one by one. */
export function isTableHead(header: string, delimiters: string): boolean {
  return (
    header.startsWith("|") &&
    /^ {0,3}\|? *:?-+:? *(?:\| *:?-+:? *)*(?:\| *)?$/.test(delimiters) &&
    /[|:]/.test(delimiters) &&
    countCells(header) === countCells(delimiters)
  );
}

function countCells(row: string): number {
  const bars = row.trim().match(/(?<!\\)(?:\\\\)*\|/g)?.length ?? 0;
  const outer = Number(/^\s*\|/.test(row)) + Number(/(?<!\\)(?:\\\\)*\|\s*$/.test(row));
  return bars - outer + 1;
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

/** Whether a line without the marks of a list item or quote ends the paragraph inside. */
export const endsLazily = (line: string): boolean =>
  endsAnyText(line) || isQuote(line) || readListMarker(line) !== undefined;

export const endsParagraph = (line: string): boolean =>
  endsAnyText(line) || isQuote(line) || readListMarker(line)?.interrupts === true;

export const endsTable = (line: string): boolean =>
  endsAnyText(line) ||
  isQuote(line) ||
  /^(?: {4}| {0,3}\t)/.test(line) ||
  /^ {0,3}(?:[*+-]|1[.)])[ \t]/.test(line);

/** Maximum number of blocks nested in a Markdown block. Real answers have far fewer. */
const maxNested = 8;
const markdownNames = /^(?:commonmark|gfm|markdown|md|mdown|mdx|mkd|qmd|rmd)$/i;

/** Markers of list items, which may precede a fence in a Markdown block. */
const itemMarks = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])*[ \t]*/;
const fenceMark = /^(`{3,}(?=[^`]*$)|~{3,}(?!~))(.*)$/;
const bareMark = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;
const mayBecomeFence = /^(?:[-*+]|\d{1,9}[.)]?|`*|~*|`{3,}[^`]*|~{3,}.*)$/;

/** The fence of a block that has not ended. */
export interface OpenFence extends Fence {
  readonly holdsMarkdown: boolean;
}

export function openFence(fence: Fence): OpenFence {
  const { language, path = "" } = readFenceInfo(fence.info);
  const names = [language, path.slice(path.lastIndexOf(".") + 1)];
  return { ...fence, holdsMarkdown: names.some((name) => markdownNames.test(name)) };
}

/**
 * Returns the fences that are still open after a line of a code block, outermost first. The result is empty if the line
 * ends the block.
 * Models write Markdown blocks and the code blocks inside them with fences of equal length. CommonMark would end the
 * Markdown block at the first inner fence. So in a Markdown block, a fence with an info string opens a nested block. A
 * bare fence closes the innermost block.
 */
export function followFences(fences: readonly OpenFence[], line: string): readonly OpenFence[] {
  const innermost = fences.at(-1);
  if (innermost === undefined) return fences;
  const isEnd =
    fences.length === 1
      ? closesFence(line, innermost)
      : bareMark.exec(line)?.[1]?.startsWith(innermost.mark) === true;
  if (isEnd) return fences.slice(0, -1);
  if (!innermost.holdsMarkdown || fences.length > maxNested) return fences;
  const [, mark = "", info = ""] = fenceMark.exec(line.slice(readItemMarks(line).length)) ?? [];
  const isNested = mark.startsWith(innermost.mark) && info.trim() !== "";
  return isNested ? [...fences, openFence({ indent: 0, mark, info: info.trim() })] : fences;
}

/** Returns the indent of a line, with the markers of list items that begin on the line. */
export function readItemMarks(line: string): string {
  return itemMarks.exec(line)?.[0] ?? "";
}

/** Whether more text could turn the unfinished line of a code block into a fence. */
export function mayBeFence(fences: readonly OpenFence[], line: string): boolean {
  if (fences.length === 1 && /^ {0,3}(?:`*|~*) *$/.test(line)) return true;
  return fences[0]?.holdsMarkdown === true && mayBecomeFence.test(line.slice(readItemMarks(line).length));
}

/** A block that contains other blocks. */
export type Container = ListItem | Quote;

interface Quote {
  readonly kind: "quote";
  /** Whether its start was emitted. Its content is emitted only after that. */
  isOpen: boolean;
}

export interface ListItem {
  readonly kind: "list-item";
  readonly marker: ListMarker;
  /** The text before the content on the first line. */
  readonly head: string;
  readonly first: boolean;
  readonly loose: boolean;
  isOpen: boolean;
  /** Whether a block has begun in the item. */
  hasContent: boolean;
}

/**
 * Returns the line without the mark or indent that continues the container. Returns undefined if the line does not
 * continue the container.
 */
export function followContainer(container: Container, line: Rest, afterBlank: boolean): Rest | undefined {
  if (container.kind === "quote") return isQuote(line.text) ? withoutQuoteMark(line) : undefined;
  if (container.hasContent || !afterBlank) {
    const { contentColumn } = container.marker;
    if (indentOf(line) >= contentColumn) return withoutIndent(line, contentColumn);
  }
  return isBlank(line.text) ? { text: "", column: line.column } : undefined;
}

/** Returns the container that begins on the line and the rest of the line, or undefined if none begins. */
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

const isSameList = (one: ListMarker, other: ListMarker): boolean =>
  one.mark === other.mark && one.ordered === other.ordered;

function withoutQuoteMark({ text, column }: Rest): Rest {
  const mark = text.indexOf(">") + 1;
  return withoutIndent({ text: text.slice(mark), column: column + mark }, 1);
}

/** Indents a lazy continuation line further if its missing indent would turn it into an underline or a table. */
export function lazyLine(line: string): string {
  return isSetextUnderline(line) || /^ {0,3}[|:-]/.test(line) ? `    ${line}` : line;
}
