import type { Links } from "marked";
import type { CodeBlock } from "./codeBlock.ts";
import type { CodeBlocks } from "./codeBlocks.ts";
import { type DrawnPiece, findJoint, isLoose, takeApart } from "./drawnPiece.ts";
import { LinkDefinitions } from "./linkDefinitions.ts";
import { MarkdownSplitter } from "./markdownBlocks.ts";
import { convertPieceToHtml, sourceOf } from "./markdownHtml.ts";
import type { MarkdownPiece } from "./markdownOpenBlock.ts";
import { OpenBlockView, type PlacedBlock } from "./openBlockView.ts";
import { createPlainText } from "./plainText.ts";
import type { Sanitize } from "./sanitizer.ts";

/** Characters of text that are cut at a time, so that a long text does not hold a frame up. */
const partLength = 4096;
/** Blocks in one section of the text, and characters. Sections out of sight are not laid out. */
const blocksPerSection = 16;
const charactersPerSection = 4096;

/**
 * Draws a Markdown text that arrives bit by bit. A settled piece is parsed, sanitised and put into the
 * page once; only the block that is still open is drawn again.
 */
export class MarkdownView {
  readonly element: HTMLElement;
  readonly #sanitize: Sanitize;
  readonly #blocks: CodeBlocks;
  readonly #splitter = new MarkdownSplitter();
  readonly #definitions = new LinkDefinitions();
  readonly #open = new OpenBlockView((piece) => this.#place(piece, this.#definitions.fixed, false));
  readonly #arrived: string[] = [];
  readonly #pieces: MarkdownPiece[] = [];
  #ended: "no" | "cutting" | "yes" = "no";
  #section: HTMLElement;
  #sectionLength = 0;
  #code: CodeBlock | undefined;

  constructor(sanitize: Sanitize, blocks: CodeBlocks) {
    this.#sanitize = sanitize;
    this.#blocks = blocks;
    this.element = document.createElement("div");
    this.element.className = "markdown";
    this.#section = this.#beginSection();
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
        this.#settle(piece);
      } else if (!this.#cutNext()) {
        break;
      }
    } while (performance.now() < deadline);
    pieces.splice(0, next);
    if (pieces.length > 0 || this.#arrived.length > 0 || this.#ended === "cutting") {
      return false;
    }
    if (this.#ended === "yes") {
      return this.#definitions.drawLateReferences(deadline, (piece) =>
        this.#drawPiece(piece, this.#definitions.fixed),
      );
    }
    this.#open.draw(() => this.#splitter.openPiece());
    return true;
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

  #settle(piece: MarkdownPiece): void {
    this.#open.clear();
    switch (piece.type) {
      case "code-start": {
        this.#code = this.#blocks.create(piece.info);
        this.#makeRoom();
        this.#section.append(this.#code.element);
        return;
      }
      case "code-text":
        this.#sectionLength += piece.text.length;
        this.#code?.append(piece.text);
        if (this.#code !== undefined) this.#blocks.changed(this.#code);
        return;
      case "code-end":
        this.#code?.end();
        if (this.#code !== undefined) this.#blocks.changed(this.#code);
        this.#code = undefined;
        return;
      case "block":
      case "list-item":
      case "table-rows": {
        const { drawn } = this.#place(piece, this.#definitions.growing, true);
        this.#sectionLength += sourceOf(piece).length;
        this.#definitions.watch(piece, drawn, this.#definitions.count);
      }
    }
  }

  /** Puts a piece behind all others. */
  #place(
    piece: MarkdownPiece,
    links: Links,
    isSettled: boolean,
  ): PlacedBlock & { readonly drawn: DrawnPiece } {
    const drawn = this.#drawPiece(piece, links);
    const joint = findJoint(piece, drawn, this.#section.lastElementChild);
    if (joint === undefined && isSettled) this.#makeRoom();
    const added = joint === undefined ? (drawn.container ?? []) : drawn.members;
    const nodes = [added, drawn.others].flat();
    const loosened = joint !== undefined && isLoose(piece, drawn) && !joint.hasAttribute("data-loose");
    if (loosened) joint.setAttribute("data-loose", "true");
    joint?.append(...drawn.members);
    this.#section.append(...(joint === undefined ? nodes : drawn.others));
    const undo = (): void => {
      for (const node of nodes) node.remove();
      if (loosened) joint.removeAttribute("data-loose");
    };
    return { drawn, nodes, undo };
  }

  #drawPiece(piece: MarkdownPiece, links: Links): DrawnPiece {
    const html = convertPieceToHtml(piece, links);
    return takeApart(piece, html === undefined ? createPlainText(sourceOf(piece)) : this.#sanitize(html));
  }

  #makeRoom(): void {
    const isFull =
      this.#section.childElementCount >= blocksPerSection || this.#sectionLength >= charactersPerSection;
    if (isFull) {
      this.#section = this.#beginSection();
      this.#sectionLength = 0;
    }
  }

  #beginSection(): HTMLElement {
    const section = document.createElement("div");
    section.className = "markdown-section";
    this.element.append(section);
    return section;
  }
}
