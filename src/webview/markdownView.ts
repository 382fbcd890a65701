import type { Links } from "marked";
import type { CodeBlock } from "./codeBlock.ts";
import type { CodeBlocks } from "./codeBlocks.ts";
import { type DrawnPiece, findJoint, isLoose, mentionsAny, replaceNodes, takeApart } from "./drawnPiece.ts";
import { MarkdownSplitter } from "./markdownBlocks.ts";
import { convertPieceToHtml, sourceOf } from "./markdownHtml.ts";
import type { MarkdownPiece } from "./markdownOpenBlock.ts";
import { appendPlainText, createPlainText, isPlainText } from "./plainText.ts";
import type { Sanitize } from "./sanitizer.ts";

/** Characters of text that are cut at a time, so that a long text does not hold a frame up. */
const partLength = 16_384;
/** An open block up to this length is drawn anew in each frame that brings text. */
const alwaysRedrawn = 1024;
/** Link definitions that are kept; the parser looks through all of them with every block. */
const mostDefinitions = 1000;
/** Blocks in one section of the text. Sections out of sight are not laid out. */
const blocksPerSection = 16;

interface SettledPiece {
  readonly piece: MarkdownPiece;
  readonly drawn: DrawnPiece;
  /** How many link definitions were known when it was drawn. */
  readonly knownLinks: number;
}

interface Undo {
  readonly nodes: readonly ChildNode[];
  undo(): void;
}

/**
 * Draws a Markdown text that arrives bit by bit. A settled piece is parsed, sanitised and put into the
 * page once. Of the open block, text that arrives is appended as it is, and the block is drawn anew
 * when it has grown by an eighth, so its cost stays proportional to its length.
 */
export class MarkdownView {
  readonly element: HTMLElement;
  readonly #sanitize: Sanitize;
  readonly #blocks: CodeBlocks;
  readonly #splitter = new MarkdownSplitter();
  readonly #links: Links = {};
  #arrived: string[] = [];
  #pieces: MarkdownPiece[] = [];
  /** Pieces that may mention a definition that comes later. */
  readonly #withReferences: SettledPiece[] = [];
  #ended: "no" | "cutting" | "yes" = "no";
  #section: HTMLElement;
  #code: CodeBlock | undefined;
  #open: Undo | undefined;
  /** Length of the open block when it was drawn, and of the text appended to it since. */
  #openLength = 0;
  #openGrown = 0;
  #openIsStale = false;
  #unseen = "";

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
      } else if (!this.#cutNext(pieces)) {
        break;
      }
    } while (performance.now() < deadline);
    pieces.splice(0, next);
    if (pieces.length > 0 || this.#arrived.length > 0 || this.#ended === "cutting") {
      return false;
    }
    if (this.#ended === "yes") return this.#drawLateReferences(deadline);
    this.#drawOpen();
    return true;
  }

  /** Cuts the next text that arrived into pieces; false when there is none. */
  #cutNext(pieces: MarkdownPiece[]): boolean {
    if (this.#arrived.length > 0) {
      const text = this.#takeArrived();
      this.#unseen += text;
      pieces.push(...this.#splitter.push(text));
      return true;
    }
    if (this.#ended !== "cutting") {
      return false;
    }
    this.#ended = "yes";
    this.#clearOpen();
    pieces.push(...this.#splitter.end());
    return true;
  }

  #makeRoom(): void {
    if (this.#section.childElementCount >= blocksPerSection) {
      this.#section = this.#beginSection();
    }
  }

  #beginSection(): HTMLElement {
    const section = document.createElement("div");
    section.className = "markdown-section";
    this.element.append(section);
    return section;
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
    this.#clearOpen();
    switch (piece.type) {
      case "code-start": {
        this.#code = this.#blocks.create(piece.info);
        this.#makeRoom();
        this.#section.append(this.#code.element);
        return;
      }
      case "code-text":
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
        const isFull = Object.keys(this.#links).length >= mostDefinitions;
        const { drawn } = this.#place(piece, isFull ? { ...this.#links } : this.#links, true);
        if (!isFull && sourceOf(piece).includes("[")) {
          const knownLinks = Object.keys(this.#links).length;
          this.#withReferences.push({ piece, drawn, knownLinks });
        }
      }
    }
  }

  /** Puts a piece behind all others; `undo` takes it away again. */
  #place(piece: MarkdownPiece, links: Links, isSettled: boolean): { drawn: DrawnPiece; undo: Undo } {
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
    return { drawn, undo: { nodes, undo } };
  }

  #drawPiece(piece: MarkdownPiece, links: Links): DrawnPiece {
    const html = convertPieceToHtml(piece, links);
    return takeApart(piece, html === undefined ? createPlainText(sourceOf(piece)) : this.#sanitize(html));
  }

  #clearOpen(): void {
    this.#open?.undo();
    this.#open = undefined;
    this.#openLength = 0;
    this.#openGrown = 0;
    this.#openIsStale = true;
  }

  #drawOpen(): void {
    if (this.#unseen === "" && !this.#openIsStale) {
      return;
    }
    const grown = this.#openGrown + this.#unseen.length;
    const isShort = this.#openLength + grown <= alwaysRedrawn;
    const isDue =
      this.#openIsStale || isShort || (grown * 8 >= this.#openLength && !isPlainText(this.#open?.nodes));
    const last = this.#open?.nodes.at(-1);
    if (isDue || last === undefined) {
      this.#redrawOpen();
    } else {
      appendPlainText(last, this.#unseen);
      this.#openGrown = grown;
    }
    this.#unseen = "";
    this.#openIsStale = false;
  }

  #redrawOpen(): void {
    this.#clearOpen();
    const piece = this.#splitter.openPiece();
    if (piece !== undefined) {
      // Definitions of text that may still change are not kept.
      this.#open = this.#place(piece, { ...this.#links }, false).undo;
      this.#openLength = sourceOf(piece).length;
    }
  }

  /** A definition counts for the text ahead of it, too. */
  #drawLateReferences(deadline: number): boolean {
    const labels = Object.keys(this.#links);
    while (this.#withReferences.length > 0 && performance.now() < deadline) {
      const settled = this.#withReferences.pop();
      if (settled === undefined || settled.knownLinks === labels.length) continue;
      const { piece, drawn, knownLinks } = settled;
      const late = new Set(labels.slice(knownLinks));
      if (mentionsAny(sourceOf(piece), late)) {
        const fresh = this.#drawPiece(piece, this.#links);
        replaceNodes(drawn.members, fresh.members);
        replaceNodes(drawn.others, fresh.others);
      }
    }
    return this.#withReferences.length === 0;
  }
}
