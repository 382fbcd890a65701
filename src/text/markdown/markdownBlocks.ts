import {
  endsLazily,
  endsParagraph,
  endsTable,
  followFences,
  indentOf,
  isBlank,
  isHeading,
  isHtmlStart,
  isQuote,
  isSetextUnderline,
  isTableHead,
  isThematicBreak,
  isWholeDefinition,
  type ListMarker,
  mayBeFence,
  openFence,
  type OpenFence,
  readFence,
  readHtmlEnd,
  readListMarker,
  type Rest,
  withoutIndent,
} from "./markdownLines.ts";

/** A part of a Markdown text that can be parsed by itself, or says where the parts behind it belong. */
export type MarkdownPiece =
  /** One or more whole blocks. */
  | { readonly type: "block"; readonly text: string }
  | ListItemPiece
  | { readonly type: "quote-start" }
  /** The list item or quote ends that was opened last and is still open. */
  | { readonly type: "container-end" }
  /** The list of the open item sets its texts apart. */
  | { readonly type: "loosen" }
  /** Rows under `head` (the header and delimiter lines); the first piece of a table has no row. */
  | { readonly type: "table-rows"; readonly head: string; readonly text: string; readonly first: boolean }
  /** A code block; its lines follow, joined by line breaks, without the last one. */
  | { readonly type: "code-start"; readonly info: string }
  | { readonly type: "code-text"; readonly text: string }
  | { readonly type: "code-end" };

/** Belongs to the list ahead of it, unless `first`. `loose`: a blank line stands ahead of it. */
interface ListItemPiece {
  readonly type: "list-item";
  /** The item's mark with its first block, which may be missing. */
  readonly text: string;
  readonly first: boolean;
  readonly loose: boolean;
  /** More blocks of the item follow, up to its `container-end`. */
  readonly open: boolean;
}

/** The Markdown text of a piece, complete enough to be parsed by itself. */
export function sourceOf(piece: MarkdownPiece): string {
  switch (piece.type) {
    case "table-rows":
      return piece.text === "" ? piece.head : `${piece.head}\n${piece.text}`;
    case "block":
    case "list-item":
    case "code-text":
      return piece.text;
    case "code-start":
    case "code-end":
    case "quote-start":
    case "container-end":
    case "loosen":
      return "";
  }
}

/** A line that may turn out to be a marker, an underline or a fence is not shown before it says more. */
const undecided = /^[\s\-=*+_~`#>|:\d.)]{1,12}$/;
/** A longer line is no fence in a code block. It bounds what is looked at again with every part of a line. */
const maxFenceLength = 200;

/**
 * Cuts an arriving Markdown text into pieces that never change any more. Each character is looked at a
 * fixed number of times, however long the text and its blocks are.
 *
 * What is settled: a block, wherever it stands, once a line has come that ends it for certain; a row of a
 * table, once the next has begun; code, at once. What is open is one block of text at most (`openPieces`),
 * and the list items and quotes it stands in, whose beginnings are settled.
 */
export class MarkdownSplitter {
  readonly #open = OpenBlocks.none();
  #line = "";
  #heldReturn = false;
  /** In a fence: text of this line was given out already, so it is not the fence's end. */
  #isLineEmitted = false;

  /** Takes the next part of the text; yields what it settled. */
  push(text: string): MarkdownPiece[] {
    const pieces: MarkdownPiece[] = [];
    this.#pushLines(this.#normalizeLineBreaks(text), pieces);
    return joinNeighbours(pieces);
  }

  /** The text has ended: yields the rest. */
  end(): MarkdownPiece[] {
    const pieces: MarkdownPiece[] = [];
    if (this.#line !== "") this.#endLine(pieces);
    this.#open.end(pieces);
    return joinNeighbours(pieces);
  }

  /** What stands behind the settled pieces if the text ends here. A fence that goes on gives nothing. */
  openPieces(): MarkdownPiece[] {
    const pieces: MarkdownPiece[] = [];
    const open = this.#open.copy();
    const isShown = this.#line !== "" && !this.#isLineEmitted && !undecided.test(this.#line);
    if (isShown && this.#open.codeIn(this.#line) === undefined) open.advance(this.#line, pieces);
    open.end(pieces);
    return joinNeighbours(pieces);
  }

  #normalizeLineBreaks(text: string): string {
    if (!this.#heldReturn && !text.includes("\r")) {
      return text;
    }
    const whole = this.#heldReturn ? `\r${text}` : text;
    this.#heldReturn = whole.endsWith("\r");
    return (this.#heldReturn ? whole.slice(0, -1) : whole).replace(/\r\n?/g, "\n");
  }

  #pushLines(text: string, pieces: MarkdownPiece[]): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#pushPart(text.slice(start, end), pieces);
      this.#endLine(pieces);
      start = end + 1;
    }
    this.#pushPart(text.slice(start), pieces);
  }

  #pushPart(part: string, pieces: MarkdownPiece[]): void {
    if (this.#isLineEmitted) {
      pieces.push({ type: "code-text", text: part });
      return;
    }
    this.#line += part;
    const code = this.#open.codeIn(this.#line);
    if (code !== undefined && (code.text.length > maxFenceLength || !this.#open.mayBeFence(code))) {
      this.#open.emitCode(code, pieces);
      this.#line = "";
      this.#isLineEmitted = true;
    }
  }

  #endLine(pieces: MarkdownPiece[]): void {
    const line = this.#line;
    this.#line = "";
    if (this.#isLineEmitted) this.#isLineEmitted = false;
    else this.#open.advance(line, pieces);
  }
}

/** Joins what came at once: parts of one code block, rows of one table. */
function joinNeighbours(pieces: readonly MarkdownPiece[]): MarkdownPiece[] {
  const groups: { readonly piece: MarkdownPiece; readonly texts: string[] }[] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    const text = "text" in piece ? piece.text : "";
    if (last !== undefined && isContinued(last.piece, piece) && last.texts.length < 64) {
      last.texts.push(text);
    } else {
      groups.push({ piece, texts: [text] });
    }
  }
  return groups.map(({ piece, texts }) => {
    if (texts.length === 1) return piece;
    if (piece.type === "table-rows") return { ...piece, text: texts.join("\n") };
    return { type: "code-text", text: texts.join("") };
  });
}

function isContinued(piece: MarkdownPiece, next: MarkdownPiece): boolean {
  return (
    (piece.type === "code-text" && next.type === "code-text") ||
    (piece.type === "table-rows" && !piece.first && next.type === "table-rows" && !next.first)
  );
}

/** Nobody means more marks in a row than these: what is deeper is text of the innermost block. */
const maxContainers = 24;

const noBlank = Number.POSITIVE_INFINITY;

/**
 * The blocks that are still open: list items and quotes, nested, and at most one block of text or code in the
 * innermost. The cost of a line is its length and its depth; earlier lines cost nothing.
 */
class OpenBlocks {
  /** All but the last were given out. */
  readonly #containers: Container[];
  #leaf: Leaf;
  /** Containers from this depth on had a blank line last; those further out had the mark of a quote. */
  #blankFrom: number;

  private constructor(containers: Container[], leaf: Leaf, blankFrom: number) {
    this.#containers = containers;
    this.#leaf = leaf;
    this.#blankFrom = blankFrom;
  }

  static none(): OpenBlocks {
    return new OpenBlocks([], noLeaf, noBlank);
  }

  /** To try out what a line would do. */
  copy(): OpenBlocks {
    const containers = this.#containers.map((container) => ({ ...container }));
    return new OpenBlocks(containers, copyLeaf(this.#leaf), this.#blankFrom);
  }

  /** Takes one whole line; what it settles goes to `pieces`. */
  advance(line: string, pieces: MarkdownPiece[]): void {
    const { depth, rest } = this.#follow(line);
    const blankFrom = isBlank(rest.text) ? this.#depthOfQuote(depth) : noBlank;
    if (depth === this.#containers.length) this.#advanceLeaf(rest, pieces);
    else if (this.#leaf.kind === "paragraph" && !endsLazily(rest.text)) {
      this.#leaf.lines.push(lazyLine(rest.text));
    } else {
      const closed = this.#containers[depth];
      this.#close(depth, pieces);
      this.#begin(rest, pieces, closed);
    }
    this.#blankFrom = this.#leaf.kind === "fence" || this.#leaf.kind === "html" ? noBlank : blankFrom;
  }

  /** The text has ended, or ends here for the time being. */
  end(pieces: MarkdownPiece[]): void {
    this.#close(0, pieces);
  }

  /** Removes the marks of lists and quotes from an unfinished line of code. Undefined if no fence is open. */
  codeIn(line: string): Rest | undefined {
    if (this.#leaf.kind !== "fence") return undefined;
    const { depth, rest } = this.#follow(line);
    return depth === this.#containers.length ? rest : undefined;
  }

  /** True while more text could turn a line of the open fence into its end, or that of a fence in it. */
  mayBeFence(code: Rest): boolean {
    return this.#leaf.kind === "fence" && mayBeFence(this.#leaf.fences, code.text);
  }

  /** Code of the open fence that is given out before its line ends. */
  emitCode(code: Rest, pieces: MarkdownPiece[]): void {
    if (this.#leaf.kind !== "fence") return;
    pieces.push(codeOf(this.#leaf, code));
    this.#leaf = { ...this.#leaf, isEmpty: false };
    this.#blankFrom = noBlank;
  }

  #follow(line: string): { readonly depth: number; readonly rest: Rest } {
    let rest: Rest = { text: line, column: 0 };
    for (const [depth, container] of this.#containers.entries()) {
      const inside = follow(container, rest, depth >= this.#blankFrom);
      if (inside === undefined) return { depth, rest };
      rest = inside;
    }
    return { depth: this.#containers.length, rest };
  }

  /** The depth behind the innermost quote of those that a line goes on with. */
  #depthOfQuote(followed: number): number {
    return this.#containers.slice(0, followed).findLastIndex(({ kind }) => kind === "quote") + 1;
  }

  #advanceLeaf(rest: Rest, pieces: MarkdownPiece[]): void {
    const settled: MarkdownPiece[] = [];
    const leaf = advanceLeaf(this.#leaf, rest, settled);
    if (leaf !== undefined) {
      for (const piece of settled) this.#emit(piece, pieces);
      this.#leaf = leaf;
      return;
    }
    this.#endLeaf(pieces);
    this.#begin(rest, pieces);
  }

  /** `before` is the container at the same place that has just ended. */
  #begin(rest: Rest, pieces: MarkdownPiece[], before?: Container): void {
    if (isBlank(rest.text)) return;
    const begun =
      this.#containers.length < maxContainers && !isThematicBreak(rest.text)
        ? beginContainer(rest, before, this.#containers.length >= this.#blankFrom)
        : undefined;
    this.#noteContent(pieces);
    if (begun !== undefined) {
      this.#openInnermost(pieces);
      this.#containers.push(begun.container);
      this.#begin(begun.rest, pieces);
      return;
    }
    const settled: MarkdownPiece[] = [];
    this.#leaf = beginLeaf(rest, settled);
    for (const piece of settled) this.#emit(piece, pieces);
  }

  #noteContent(pieces: MarkdownPiece[]): void {
    const innermost = this.#containers.at(-1);
    if (innermost?.kind !== "list-item") return;
    if (innermost.hasContent && this.#containers.length > this.#blankFrom) pieces.push({ type: "loosen" });
    innermost.hasContent = true;
  }

  #emit(piece: MarkdownPiece, pieces: MarkdownPiece[]): void {
    const innermost = this.#containers.at(-1);
    if (innermost?.isOpen === false) pieces.push(...openContainer(innermost, piece));
    else pieces.push(piece);
  }

  #openInnermost(pieces: MarkdownPiece[]): void {
    const innermost = this.#containers.at(-1);
    if (innermost?.isOpen === false) pieces.push(...openContainer(innermost));
  }

  #endLeaf(pieces: MarkdownPiece[]): void {
    const rest = restOfLeaf(this.#leaf);
    this.#leaf = noLeaf;
    if (rest !== undefined) this.#emit(rest, pieces);
  }

  /** Ends all containers from `depth` on. */
  #close(depth: number, pieces: MarkdownPiece[]): void {
    const innermost = this.#containers.at(-1);
    if (this.#containers.length > depth && innermost?.kind === "list-item" && !innermost.isOpen) {
      const rest = restOfLeaf(this.#leaf);
      pieces.push(itemPiece(innermost, rest?.type === "block" ? rest.text : "", false));
      this.#leaf = noLeaf;
      this.#containers.pop();
    }
    this.#endLeaf(pieces);
    while (this.#containers.length > depth) {
      this.#openInnermost(pieces);
      this.#containers.pop();
      pieces.push({ type: "container-end" });
    }
  }
}

/** Indents a line more, if it would become an underline or a table once its missing indent is added. */
function lazyLine(line: string): string {
  return isSetextUnderline(line) || /^ {0,3}[|:-]/.test(line) ? `    ${line}` : line;
}

/** A block that blocks stand in. */
type Container = ListItem | Quote;

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
function follow(container: Container, line: Rest, afterBlank: boolean): Rest | undefined {
  if (container.kind === "quote") return isQuote(line.text) ? withoutQuoteMark(line) : undefined;
  if (container.hasContent || !afterBlank) {
    const { contentColumn } = container.marker;
    if (indentOf(line) >= contentColumn) return withoutIndent(line, contentColumn);
  }
  return isBlank(line.text) ? { text: "", column: line.column } : undefined;
}

/** The container that begins with the line, and the rest of the line; undefined if none does. */
function beginContainer(
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
function itemPiece(item: ListItem, text: string, open: boolean): ListItemPiece {
  const indent = " ".repeat(item.marker.contentColumn);
  const whole = `${item.head}${text.replaceAll(/\n(?=[^\n])/g, `\n${indent}`)}`.trimEnd();
  return { type: "list-item", text: whole, first: item.first, loose: item.loose, open };
}

/** Gives the container out, with the first piece in it. */
function openContainer(container: Container, piece?: MarkdownPiece): MarkdownPiece[] {
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

/** A block with no blocks in it, as far as it has come. */
type Leaf =
  | { readonly kind: "none" }
  | { readonly kind: "paragraph"; readonly lines: string[] }
  /** `end`: null where a blank line ends it. */
  | { readonly kind: "html"; readonly lines: string[]; readonly end: RegExp | null }
  /** `fences`: the block's own, and those open in it if it holds Markdown. */
  | { readonly kind: "fence"; readonly fences: readonly OpenFence[]; readonly isEmpty: boolean }
  /** `held`: blank lines, which are code only if more code follows. */
  | { readonly kind: "indented-code"; readonly held: string }
  | { readonly kind: "table"; readonly head: string };

const noLeaf: Leaf = { kind: "none" };

/**
 * Takes one whole line, without the marks and the indent of what the leaf stands in. What it settles goes
 * to `pieces`. Undefined where the line ends the leaf and is no part of it.
 */
function advanceLeaf(leaf: Leaf, rest: Rest, pieces: MarkdownPiece[]): Leaf | undefined {
  const line = rest.text;
  switch (leaf.kind) {
    case "none":
      return undefined;
    case "paragraph":
      return advanceParagraph(leaf.lines, line, pieces);
    case "html":
      if (leaf.end === null && isBlank(line)) return undefined;
      return leaf.end?.test(line) === true ? settle(appendLine(leaf, line), pieces) : appendLine(leaf, line);
    case "fence": {
      const fences = followFences(leaf.fences, line);
      if (fences.length === 0) return settle(leaf, pieces);
      pieces.push(codeOf(leaf, rest));
      return { ...leaf, fences, isEmpty: false };
    }
    case "indented-code":
      if (isBlank(line)) return { ...leaf, held: `${leaf.held}\n${withoutIndent(rest, 4).text}` };
      if (indentOf(rest) < 4) return undefined;
      pieces.push({ type: "code-text", text: `${leaf.held}\n${withoutIndent(rest, 4).text}` });
      return { ...leaf, held: "" };
    case "table":
      if (endsTable(line)) return undefined;
      pieces.push({ type: "table-rows", head: leaf.head, text: line, first: false });
      return leaf;
  }
}

/** Begins with a line that begins no list item and no quote. */
function beginLeaf(rest: Rest, pieces: MarkdownPiece[]): Leaf {
  const line = rest.text;
  if (isBlank(line)) return noLeaf;
  if (indentOf(rest) >= 4) {
    pieces.push({ type: "code-start", info: "" }, { type: "code-text", text: withoutIndent(rest, 4).text });
    return { kind: "indented-code", held: "" };
  }
  const fence = readFence(line);
  if (fence !== undefined) {
    pieces.push({ type: "code-start", info: fence.info });
    return { kind: "fence", fences: [openFence(fence)], isEmpty: true };
  }
  if (isHeading(line) || isThematicBreak(line)) {
    pieces.push({ type: "block", text: line });
    return noLeaf;
  }
  if (!isHtmlStart(line)) return { kind: "paragraph", lines: [line] };
  const end = readHtmlEnd(line);
  const html: Leaf = { kind: "html", lines: [line], end };
  return end?.test(line) === true ? settle(html, pieces) : html;
}

/** What is to be given out when the leaf ends. */
function restOfLeaf(leaf: Leaf): MarkdownPiece | undefined {
  switch (leaf.kind) {
    case "none":
    case "table":
      return undefined;
    case "paragraph":
    case "html":
      return { type: "block", text: leaf.lines.join("\n") };
    case "fence":
    case "indented-code":
      return { type: "code-end" };
  }
}

/** Text of a line in the fence. */
function codeOf(leaf: Extract<Leaf, { kind: "fence" }>, rest: Rest): MarkdownPiece {
  const { text } = withoutIndent(rest, leaf.fences[0]?.indent ?? 0);
  return { type: "code-text", text: leaf.isEmpty ? text : `\n${text}` };
}

function copyLeaf(leaf: Leaf): Leaf {
  return "lines" in leaf ? { ...leaf, lines: [...leaf.lines] } : leaf;
}

function advanceParagraph(lines: string[], line: string, pieces: MarkdownPiece[]): Leaf | undefined {
  const paragraph: Leaf = { kind: "paragraph", lines };
  // A link definition is no heading, whatever underlines it; then a row of `=` begins a paragraph.
  const mayBeDefinition = /^ {0,3}\[/.test(lines[0] ?? "");
  if (isSetextUnderline(line) && !(mayBeDefinition && line.includes("="))) {
    return settle(appendLine(paragraph, line), pieces);
  }
  if (isTableHead(lines.at(-1) ?? "", line)) {
    const head = `${lines.pop() ?? ""}\n${line}`;
    if (lines.length > 0) settle(paragraph, pieces);
    pieces.push({ type: "table-rows", head, text: "", first: true });
    return { kind: "table", head };
  }
  if (endsParagraph(line)) return undefined;
  // A definition in one line is whole when the next begins: a row of them is no paragraph that grows.
  if (lines.length === 1 && isWholeDefinition(lines[0] ?? "") && isWholeDefinition(line)) {
    settle(paragraph, pieces);
    return { kind: "paragraph", lines: [line] };
  }
  return appendLine(paragraph, line);
}

function appendLine<Block extends { readonly lines: string[] }>(block: Block, line: string): Block {
  block.lines.push(line);
  return block;
}

function settle(leaf: Leaf, pieces: MarkdownPiece[]): Leaf {
  const rest = restOfLeaf(leaf);
  if (rest !== undefined) pieces.push(rest);
  return noLeaf;
}
