import type { CodeBlocks } from "./codeBlocks.ts";
import { LinkDefinitions } from "./linkDefinitions.ts";
import { MarkdownSplitter } from "../chat/markdownBlocks.ts";
import type { MarkdownPiece } from "../chat/markdownPiece.ts";
import { OpenBlockView } from "./openBlockView.ts";
import { PieceWriter } from "./pieceWriter.ts";
import type { Sanitize } from "./sanitizer.ts";

/** Characters of text that are cut at a time, so that a long text does not hold a frame up. */
const partLength = 4096;
/**
 * Draws a Markdown text that arrives bit by bit. A settled piece is parsed, sanitised and put into the
 * page once; only the block that is still open is drawn again.
 */
export class MarkdownView {
  /** Busy until all of the text is there. */
  readonly element: HTMLElement;
  readonly #splitter = new MarkdownSplitter();
  readonly #definitions = new LinkDefinitions();
  readonly #writer: PieceWriter;
  readonly #open = new OpenBlockView((pieces) => this.#writer.sketch(pieces));
  readonly #arrived: string[] = [];
  readonly #pieces: MarkdownPiece[] = [];
  #ended: "no" | "cutting" | "yes" = "no";

  constructor(sanitize: Sanitize, blocks: CodeBlocks) {
    this.element = document.createElement("div");
    this.element.className = "markdown";
    this.element.ariaBusy = "true";
    this.#writer = new PieceWriter(this.element, sanitize, blocks, this.#definitions);
  }

  append(text: string): void {
    for (let start = 0; start < text.length; start += partLength) {
      this.#arrived.push(text.slice(start, start + partLength));
    }
  }

  /** No text follows. */
  end(): void {
    this.#ended = "cutting";
  }

  /** Draws until `deadline` (as `performance.now()` counts); true when nothing is left to draw. */
  draw(deadline: number): boolean {
    const pieces = this.#pieces;
    let next = 0;
    do {
      const piece = pieces[next];
      if (piece !== undefined) {
        next += 1;
        this.#open.clear();
        this.#writer.write(piece);
      } else if (!this.#cutNext()) {
        break;
      }
    } while (performance.now() < deadline);
    pieces.splice(0, next);
    if (pieces.length > 0 || this.#arrived.length > 0 || this.#ended === "cutting") {
      return false;
    }
    if (this.#ended === "yes") return this.#drawLast(deadline);
    this.#open.draw(() => this.#splitter.openPieces());
    return true;
  }

  #drawLast(deadline: number): boolean {
    const isDrawn = this.#definitions.drawLateReferences(deadline, (piece) => this.#writer.redraw(piece));
    if (isDrawn) this.element.ariaBusy = null;
    return isDrawn;
  }

  /** Cuts the next text that arrived into pieces; false when there is none. */
  #cutNext(): boolean {
    if (this.#arrived.length > 0) {
      const text = this.#takeArrived();
      this.#open.append(text);
      this.#pieces.push(...this.#splitter.push(text));
      return true;
    }
    if (this.#ended !== "cutting") {
      return false;
    }
    this.#ended = "yes";
    this.#open.clear();
    this.#pieces.push(...this.#splitter.end());
    return true;
  }

  #takeArrived(): string {
    let count = 0;
    let length = 0;
    for (const part of this.#arrived) {
      count += 1;
      length += part.length;
      if (length >= partLength) break;
    }
    return this.#arrived.splice(0, count).join("");
  }
}
