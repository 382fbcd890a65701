import type { MarkdownPiece } from "./markdownPiece.ts";
import { OpenBlocks } from "./openBlocks.ts";

/** A line that may turn out to be a marker, an underline or a fence is not shown before it says more. */
const undecided = /^[\s\-=*+_~`#>|:\d.)]{1,12}$/;
/** A longer line is no fence in a code block. It bounds what is looked at again with every part of a line. */
const longestFence = 200;

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
  #lineGiven = false;

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
    const isShown = this.#line !== "" && !this.#lineGiven && !undecided.test(this.#line);
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
    if (this.#lineGiven) {
      pieces.push({ type: "code-text", text: part });
      return;
    }
    this.#line += part;
    const code = this.#open.codeIn(this.#line);
    if (code !== undefined && (code.text.length > longestFence || !this.#open.mayBeFence(code))) {
      this.#open.giveCode(code, pieces);
      this.#line = "";
      this.#lineGiven = true;
    }
  }

  #endLine(pieces: MarkdownPiece[]): void {
    const line = this.#line;
    this.#line = "";
    if (this.#lineGiven) this.#lineGiven = false;
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
