import { continueFormula, mayOpenFormula, type OpenFormula, openFormula } from "./formulas.ts";
import {
  beginContainer,
  type Container,
  endsLazily,
  endsParagraph,
  endsTable,
  followContainer,
  followFences,
  indentOf,
  isBlank,
  isHeading,
  isHtmlStart,
  isSetextUnderline,
  isTableHead,
  isThematicBreak,
  isWholeDefinition,
  lazyLine,
  type ListItem,
  mayBeFence,
  openFence,
  type OpenFence,
  readFence,
  readHtmlEnd,
  type Rest,
  withoutIndent,
} from "./markdownLines.ts";

/** A part of a Markdown text: complete blocks, or the start, a part or the end of a larger block. */
export type MarkdownPiece =
  /** One or more whole blocks. */
  | { readonly type: "block"; readonly text: string }
  | ListItemPiece
  | { readonly type: "quote-start" }
  /** Ends the innermost open list item or quote. */
  | { readonly type: "container-end" }
  /** Makes the list of the open item loose: the texts of all its items become paragraphs. */
  | { readonly type: "loosen" }
  /** Rows below `head` (the header and delimiter lines). The first piece of a table has no rows. */
  | { readonly type: "table-rows"; readonly head: string; readonly text: string; readonly first: boolean }
  /** Starts a code block. Its text follows in `code-text` pieces, without the last line break. */
  | { readonly type: "code-start"; readonly info: string }
  | { readonly type: "code-text"; readonly text: string }
  | { readonly type: "code-end" }
  /** A formula of several lines, with its marks. If `ended` is false, the end is missing. */
  | { readonly type: "formula"; readonly text: string; readonly ended: boolean };

/**
 * An item of the preceding list, or of a new list if `first`. `loose` if an empty line separates it from the item
 * before.
 */
interface ListItemPiece {
  readonly type: "list-item";
  /** The marker, followed by the first block of the item if that block is a `block` piece. */
  readonly text: string;
  readonly first: boolean;
  readonly loose: boolean;
  /** Whether more blocks of the item may follow, until its `container-end`. */
  readonly open: boolean;
}

/** Returns the text of a piece, for table rows with their head. Returns an empty string for a piece without text. */
export function sourceOf(piece: MarkdownPiece): string {
  switch (piece.type) {
    case "table-rows":
      return piece.text === "" ? piece.head : `${piece.head}\n${piece.text}`;
    case "block":
    case "list-item":
    case "code-text":
    case "formula":
      return piece.text;
    case "code-start":
    case "code-end":
    case "quote-start":
    case "container-end":
    case "loosen":
      return "";
  }
}

/**
 * Matches a line that may still become a marker, an underline or a fence. Such a line is not shown until more arrives.
 */
const undecided = /^[\s\-=*+_~`#>|:\d.)]{1,12}$/;
/** Maximum length of a fence line in a code block. Bounds the text that is checked again with each chunk. */
const maxFenceLength = 200;

/**
 * Splits Markdown that arrives in chunks into final pieces. The total time grows linearly with the text, for blocks of
 * any size.
 * A block is final once a line has ended it for certain. A table row is final at the end of its line. Code is final
 * immediately, unless it could still be a fence. At most one text block is open; `openPieces` returns it. The start
 * pieces of its list items and quotes are already final, except perhaps the innermost.
 */
export class MarkdownSplitter {
  #open = OpenBlocks.none();
  #line = "";
  #heldReturn = false;
  #formula: FormulaLines | undefined;
  /** In a code block: part of this line was already emitted, so the line cannot close the fence. */
  #isLineEmitted = false;

  /** Adds the next chunk of the text. Returns the pieces that became final. */
  push(text: string): MarkdownPiece[] {
    const pieces: MarkdownPiece[] = [];
    this.#pushLines(this.#normalizeLineBreaks(text), pieces);
    return joinNeighbours(pieces);
  }

  /** Ends the text and returns the remaining pieces. */
  end(): MarkdownPiece[] {
    const pieces: MarkdownPiece[] = [];
    if (this.#line !== "") this.#endLine(pieces);
    while (this.#formula !== undefined) this.#readAsText(this.#formula, pieces);
    this.#open.end(pieces);
    return joinNeighbours(pieces);
  }

  /**
   * Returns the pieces that would follow if the text ended here. Omits an unfinished line that is code or may still
   * become a marker, an underline or a fence.
   */
  openPieces(): MarkdownPiece[] {
    const pieces: MarkdownPiece[] = [...(this.#formula?.pieces ?? [])];
    const open = this.#open.copy();
    const isShown = this.#line !== "" && !this.#isLineEmitted && !undecided.test(this.#line);
    if (isShown && this.#open.codeIn(this.#line) === undefined)
      open.advance(this.#line, pieces, this.#formula === undefined && open.takesFormula);
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
    else this.#advance(line, pieces);
  }

  #advance(line: string, pieces: MarkdownPiece[]): void {
    const mayOpen = this.#open.takesFormula && mayOpenFormula(line);
    const formula = this.#formula ?? (mayOpen ? this.#tryFormula() : undefined);
    this.#open.advance(line, formula?.pieces ?? pieces, formula?.lines.length === 0);
    if (formula === undefined) return;
    formula.lines.push(line);
    this.#formula = this.#open.isInFormula ? formula : undefined;
    if (this.#formula !== undefined) return;
    const last = formula.pieces.at(-1);
    if (formula.lines.length === 1 || (last?.type === "formula" && last.ended))
      pieces.push(...formula.pieces);
    else this.#readAsText(formula, pieces);
  }

  #tryFormula(): FormulaLines {
    return { before: this.#open.copy(), lines: [], pieces: [] };
  }

  /** Reads lines again that are no formula after all. The first line is text; the others may begin a formula. */
  #readAsText({ before, lines: [first = "", ...others] }: FormulaLines, pieces: MarkdownPiece[]): void {
    this.#formula = undefined;
    this.#open = before;
    before.advance(first, pieces, false);
    for (const line of others) this.#advance(line, pieces);
  }
}

/** Maximum lines of a paragraph above a formula of several lines. They are copied for each line that may open one. */
const maxLinesAbove = 100;

/** Lines that may be a formula. Their end decides. */
interface FormulaLines {
  /** The state before the first line. */
  readonly before: OpenBlocks;
  /** The lines with the marks of lists and quotes. */
  readonly lines: string[];
  /** The pieces that became final if the lines are a formula. */
  readonly pieces: MarkdownPiece[];
}

/** Joins adjacent pieces of one code block, or rows of one table. */
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

/** Maximum nesting. Deeper markers are text of the innermost block. */
const maxContainers = 24;

const noBlank = Number.POSITIVE_INFINITY;

/**
 * The blocks that are still open: nested list items and quotes, and at most one leaf (text or code) in the innermost.
 * The cost of a line depends on its length and depth only, not on earlier lines.
 */
class OpenBlocks {
  /** The start pieces of all containers were emitted, except perhaps that of the last one (`isOpen`). */
  readonly #containers: Container[];
  #leaf: Leaf;
  /**
   * Depth from which the last line was empty: 0, or the depth after its last quote mark. Infinite if the last line
   * separates no blocks.
   */
  #blankFrom: number;
  #readsFormulas = true;

  private constructor(containers: Container[], leaf: Leaf, blankFrom: number) {
    this.#containers = containers;
    this.#leaf = leaf;
    this.#blankFrom = blankFrom;
  }

  static none(): OpenBlocks {
    return new OpenBlocks([], noLeaf, noBlank);
  }

  /** Copies the state, to try a line without keeping its effect. */
  copy(): OpenBlocks {
    const containers = this.#containers.map((container) => ({ ...container }));
    return new OpenBlocks(containers, copyLeaf(this.#leaf), this.#blankFrom);
  }

  get isInFormula(): boolean {
    return this.#leaf.kind === "formula";
  }

  /** Whether the next line may be tried as the start of a formula of several lines. */
  get takesFormula(): boolean {
    return !("lines" in this.#leaf) || this.#leaf.lines.length < maxLinesAbove;
  }

  /**
   * Reads one whole line and adds the pieces that became final to `pieces`.
   *
   * @param readsFormulas whether the line may open a formula of several lines
   */
  advance(line: string, pieces: MarkdownPiece[], readsFormulas = true): void {
    this.#readsFormulas = readsFormulas;
    const { depth, rest } = this.#follow(line);
    const blankFrom = isBlank(rest.text) ? this.#depthOfQuote(depth) : noBlank;
    if (depth === this.#containers.length) this.#advanceLeaf(rest, pieces);
    else if (this.#leaf.kind === "paragraph" && !endsLazily(rest.text) && !this.#opensFormula(rest)) {
      this.#leaf.lines.push(lazyLine(rest.text));
    } else {
      const closed = this.#containers[depth];
      this.#close(depth, pieces);
      this.#begin(rest, pieces, closed);
    }
    this.#blankFrom = this.#leaf.kind === "fence" || this.#leaf.kind === "html" ? noBlank : blankFrom;
  }

  #opensFormula({ text }: Rest): boolean {
    return this.#readsFormulas && openFormula(text) !== undefined;
  }

  /** Closes all blocks at the end of the text, or of a preview. */
  end(pieces: MarkdownPiece[]): void {
    this.#close(0, pieces);
  }

  /**
   * Returns an unfinished code line without its list and quote marks. Returns undefined if the line is not in an open
   * fence.
   */
  codeIn(line: string): Rest | undefined {
    if (this.#leaf.kind !== "fence") return undefined;
    const { depth, rest } = this.#follow(line);
    return depth === this.#containers.length ? rest : undefined;
  }

  /** Whether more text could turn the line into the end of the open fence, or into a fence inside it. */
  mayBeFence(code: Rest): boolean {
    return this.#leaf.kind === "fence" && mayBeFence(this.#leaf.fences, code.text);
  }

  /** Emits code of the open fence before its line is complete. */
  emitCode(code: Rest, pieces: MarkdownPiece[]): void {
    if (this.#leaf.kind !== "fence") return;
    pieces.push(codeOf(this.#leaf, code));
    this.#leaf = { ...this.#leaf, isEmpty: false };
    this.#blankFrom = noBlank;
  }

  #follow(line: string): { readonly depth: number; readonly rest: Rest } {
    let rest: Rest = { text: line, column: 0 };
    for (const [depth, container] of this.#containers.entries()) {
      const inside = followContainer(container, rest, depth >= this.#blankFrom);
      if (inside === undefined) return { depth, rest };
      rest = inside;
    }
    return { depth: this.#containers.length, rest };
  }

  /** Returns the depth after the innermost quote among the containers that the line continues. */
  #depthOfQuote(followed: number): number {
    return this.#containers.slice(0, followed).findLastIndex(({ kind }) => kind === "quote") + 1;
  }

  #advanceLeaf(rest: Rest, pieces: MarkdownPiece[]): void {
    const settled: MarkdownPiece[] = [];
    const leaf = advanceLeaf(this.#leaf, rest, settled, this.#readsFormulas);
    if (leaf !== undefined) {
      for (const piece of settled) this.#emit(piece, pieces);
      this.#leaf = leaf;
      return;
    }
    this.#endLeaf(pieces);
    this.#begin(rest, pieces);
  }

  /** @param before the container at the same depth that has just ended */
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
    this.#leaf = beginLeaf(rest, settled, this.#readsFormulas);
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

  /** Ends the leaf and closes all containers from `depth` on. */
  #close(depth: number, pieces: MarkdownPiece[]): void {
    const innermost = this.#containers.at(-1);
    if (
      this.#containers.length > depth &&
      innermost?.kind === "list-item" &&
      !innermost.isOpen &&
      !this.isInFormula
    ) {
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

/** Builds the piece of a list item: its marker with the text of its first block. */
function itemPiece(item: ListItem, text: string, open: boolean): ListItemPiece {
  const indent = " ".repeat(item.marker.contentColumn);
  const whole = `${item.head}${text.replaceAll(/\n(?=[^\n])/g, `\n${indent}`)}`.trimEnd();
  return { type: "list-item", text: whole, first: item.first, loose: item.loose, open };
}

/** Marks the container as open. Returns its start piece and `piece`, joined if possible. */
function openContainer(container: Container, piece?: MarkdownPiece): MarkdownPiece[] {
  container.isOpen = true;
  const rest = piece === undefined ? [] : [piece];
  if (container.kind === "quote") return [{ type: "quote-start" }, ...rest];
  return piece?.type === "block"
    ? [itemPiece(container, piece.text, true)]
    : [itemPiece(container, "", true), ...rest];
}

/** An open block that contains no other blocks. */
type Leaf =
  | { readonly kind: "none" }
  | { readonly kind: "paragraph"; readonly lines: string[] }
  /** `end` is null if an empty line ends the block. */
  | { readonly kind: "html"; readonly lines: string[]; readonly end: RegExp | null }
  /** `fences` holds the fence of the block, and the open fences inside it if the block is Markdown. */
  | { readonly kind: "fence"; readonly fences: readonly OpenFence[]; readonly isEmpty: boolean }
  /** `held` holds empty lines, which are code only if more code follows. */
  | { readonly kind: "indented-code"; readonly held: string }
  | { readonly kind: "table"; readonly head: string }
  | ({ readonly kind: "formula" } & OpenFormula);

const noLeaf: Leaf = { kind: "none" };

/**
 * Reads one line, given without the marks and indent of the containers. Adds final pieces to `pieces`. Returns
 * undefined if the line ends the leaf and does not belong to it.
 */
function advanceLeaf(
  leaf: Leaf,
  rest: Rest,
  pieces: MarkdownPiece[],
  readsFormulas: boolean,
): Leaf | undefined {
  const line = rest.text;
  switch (leaf.kind) {
    case "none":
      return undefined;
    case "paragraph":
      return advanceParagraph(leaf.lines, line, pieces, readsFormulas);
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
    case "formula": {
      const formula = continueFormula(leaf, line);
      if (formula === "failed") return undefined;
      if (formula !== "ended") return { kind: "formula", ...formula };
      pieces.push({ type: "formula", text: leaf.lines.join("\n"), ended: true });
      return noLeaf;
    }
  }
}

/** Begins a leaf with a line that starts no list item or quote. */
function beginLeaf(rest: Rest, pieces: MarkdownPiece[], readsFormulas: boolean): Leaf {
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
  const formula = readsFormulas ? openFormula(line) : undefined;
  if (formula !== undefined) return { kind: "formula", ...formula };
  if (!isHtmlStart(line)) return { kind: "paragraph", lines: [line] };
  const end = readHtmlEnd(line);
  const html: Leaf = { kind: "html", lines: [line], end };
  return end?.test(line) === true ? settle(html, pieces) : html;
}

/** Returns the piece that ends the leaf, or undefined if the leaf needs none. */
function restOfLeaf(leaf: Leaf): MarkdownPiece | undefined {
  switch (leaf.kind) {
    case "none":
    case "table":
      return undefined;
    case "paragraph":
    case "html":
      return { type: "block", text: leaf.lines.join("\n") };
    case "formula":
      return { type: "formula", text: leaf.lines.join("\n"), ended: false };
    case "fence":
    case "indented-code":
      return { type: "code-end" };
  }
}

/** Builds the piece for one code line. */
function codeOf(leaf: Extract<Leaf, { kind: "fence" }>, rest: Rest): MarkdownPiece {
  const { text } = withoutIndent(rest, leaf.fences[0]?.indent ?? 0);
  return { type: "code-text", text: leaf.isEmpty ? text : `\n${text}` };
}

function copyLeaf(leaf: Leaf): Leaf {
  return "lines" in leaf ? { ...leaf, lines: [...leaf.lines] } : leaf;
}

function advanceParagraph(
  lines: string[],
  line: string,
  pieces: MarkdownPiece[],
  readsFormulas: boolean,
): Leaf | undefined {
  const paragraph: Leaf = { kind: "paragraph", lines };
  // A link definition never becomes a heading: a row of `=` below it begins a paragraph.
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
  if (readsFormulas && !mayBeDefinition && openFormula(line) !== undefined) return undefined;
  // A one-line definition is complete when the next one begins. Emitting it keeps the paragraph short.
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
