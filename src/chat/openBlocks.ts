import { beginContainer, type Container, follow, itemPiece, openContainer } from "./markdownContainers.ts";
import { advanceLeaf, beginLeaf, codeOf, copyLeaf, type Leaf, noLeaf, restOfLeaf } from "./markdownLeaf.ts";
import { endsLazily, isBlank, isSetextUnderline, isThematicBreak, type Rest } from "./markdownLines.ts";
import type { MarkdownPiece } from "./markdownPiece.ts";
import { mayBeFence } from "./nestedFences.ts";

/** Nobody means more marks in a row than these: what is deeper is text of the innermost block. */
const mostContainers = 24;

const noBlank = Number.POSITIVE_INFINITY;

/**
 * What the lines so far leave open: list items and quotes, each in the one before it, and at most one block
 * of text or code in the innermost. A line costs its length and the depth it stands at, whatever came before.
 */
export class OpenBlocks {
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

  /** What a line that has not ended has behind the marks of what the open fence stands in; undefined elsewhere. */
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
  giveCode(code: Rest, pieces: MarkdownPiece[]): void {
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
      for (const piece of settled) this.#give(piece, pieces);
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
      this.#containers.length < mostContainers && !isThematicBreak(rest.text)
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
    for (const piece of settled) this.#give(piece, pieces);
  }

  #noteContent(pieces: MarkdownPiece[]): void {
    const innermost = this.#containers.at(-1);
    if (innermost?.kind !== "list-item") return;
    if (innermost.hasContent && this.#containers.length > this.#blankFrom) pieces.push({ type: "loosen" });
    innermost.hasContent = true;
  }

  #give(piece: MarkdownPiece, pieces: MarkdownPiece[]): void {
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
    if (rest !== undefined) this.#give(rest, pieces);
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

/** Where the indent that a line lacks is put ahead of it, it must not become an underline or a table. */
function lazyLine(line: string): string {
  return isSetextUnderline(line) || /^ {0,3}[|:-]/.test(line) ? `    ${line}` : line;
}
