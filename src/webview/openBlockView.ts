import { type MarkdownPiece, sourceOf } from "../chat/markdownPiece.ts";
import { appendPlainText, isPlainText } from "./plainText.ts";

/** An open block up to this length is drawn anew in each frame that brings text. */
const alwaysRedrawn = 1024;

/** A block that stands on the page for the time being. */
export interface PlacedBlock {
  readonly nodes: readonly ChildNode[];
  /** Takes it away again. */
  undo(): void;
}

/**
 * Draws the block that may still change. Text that arrives is appended to it as it is, and the block is
 * drawn anew when it has grown by an eighth, so its cost stays proportional to its length.
 */
export class OpenBlockView {
  readonly #place: (pieces: readonly MarkdownPiece[]) => PlacedBlock;
  #placed: PlacedBlock | undefined;
  /** Length of the block when it was drawn, and of the text appended to it since. */
  #length = 0;
  #grown = 0;
  #isStale = false;
  #unseen = "";

  /** `place` puts pieces behind all that is settled. */
  constructor(place: (pieces: readonly MarkdownPiece[]) => PlacedBlock) {
    this.#place = place;
  }

  /** Text has arrived that may belong to the block. */
  append(text: string): void {
    this.#unseen += text;
  }

  /** Something else takes its place. */
  clear(): void {
    this.#placed?.undo();
    this.#placed = undefined;
    this.#length = 0;
    this.#grown = 0;
    this.#isStale = true;
  }

  /** `read` gives the block as it is now, with what a line that has not ended begins. */
  draw(read: () => readonly MarkdownPiece[]): void {
    if (this.#unseen === "" && !this.#isStale) return;
    const grown = this.#grown + this.#unseen.length;
    const isShort = this.#length + grown <= alwaysRedrawn;
    const hasGrown = grown * 8 >= this.#length && !isPlainText(this.#placed?.nodes);
    const last = this.#placed?.nodes.at(-1);
    if (this.#isStale || isShort || hasGrown || last === undefined) {
      this.#redraw(read());
    } else {
      appendPlainText(last, this.#unseen);
      this.#grown = grown;
    }
    this.#unseen = "";
    this.#isStale = false;
  }

  #redraw(pieces: readonly MarkdownPiece[]): void {
    this.clear();
    if (pieces.length === 0) return;
    this.#placed = this.#place(pieces);
    for (const piece of pieces) this.#length += sourceOf(piece).length;
  }
}
