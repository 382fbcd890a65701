import type { Links } from "marked";
import type { CodeBlock } from "./codeBlock.ts";
import type { CodeBlocks } from "./codeBlocks.ts";
import { changeableNodes, type DrawnPiece, findJoint, isLoose, takeApart } from "./drawnPiece.ts";
import type { LinkDefinitions } from "./linkDefinitions.ts";
import { convertPieceToHtml } from "./markdownHtml.ts";
import { type MarkdownPiece, sourceOf } from "../chat/markdownPiece.ts";
import type { PlacedBlock } from "./openBlockView.ts";
import { createPlainText } from "./plainText.ts";
import type { Sanitize } from "./sanitizer.ts";

/** Blocks in one section of the text, and characters. Sections out of sight are not laid out. */
const blocksPerSection = 16;
const charactersPerSection = 4096;

/** Where the next block goes: the text itself, or a list item or quote in it that is still open. */
interface Place {
  readonly element: HTMLElement;
  /** An item or quote is its own first section. */
  section: HTMLElement;
  length: number;
}

/** Puts the pieces of a text into the page, each behind all others. */
export class PieceWriter {
  readonly #sanitize: Sanitize;
  readonly #blocks: CodeBlocks;
  readonly #definitions: LinkDefinitions;
  #places: readonly Place[];
  #code: CodeBlock | undefined;

  constructor(element: HTMLElement, sanitize: Sanitize, blocks: CodeBlocks, definitions: LinkDefinitions) {
    this.#sanitize = sanitize;
    this.#blocks = blocks;
    this.#definitions = definitions;
    this.#places = [{ element, section: beginSection(element), length: 0 }];
  }

  /** A piece that is settled. */
  write(piece: MarkdownPiece): void {
    const places = this.#places;
    const { drawn } = this.#place(piece, this.#definitions.growing, true);
    if (drawn !== undefined) {
      this.#definitions.watch(piece, changeableNodes(piece, drawn), this.#definitions.count);
    }
    const { length } = sourceOf(piece);
    for (const place of places) place.length += length;
  }

  /** Pieces that stand there until they are taken away again, which they are before the next is written. */
  sketch(pieces: readonly MarkdownPiece[]): PlacedBlock {
    const [places, code] = [this.#places, this.#code];
    this.#places = places.map((place) => ({ ...place }));
    this.#code = undefined;
    const placed = pieces.map((piece) => this.#place(piece, this.#definitions.fixed, false));
    this.#places = places;
    this.#code = code;
    return {
      nodes: placed.flatMap(({ nodes }) => nodes),
      undo: () => placed.forEach((each) => each.undo()),
    };
  }

  /** The nodes of a settled piece, drawn with all link definitions. */
  redraw(piece: MarkdownPiece): ReturnType<typeof changeableNodes> {
    return changeableNodes(piece, this.#draw(piece, this.#definitions.fixed));
  }

  #place(piece: MarkdownPiece, links: Links, isSettled: boolean): Placed {
    switch (piece.type) {
      case "block":
      case "list-item":
      case "table-rows":
        return this.#placeParsed(piece, links, isSettled);
      case "quote-start": {
        const quote = document.createElement("blockquote");
        const placed = this.#append([quote], isSettled);
        this.#enter(quote);
        return placed;
      }
      case "container-end":
        this.#places = this.#places.slice(0, -1);
        return nothing;
      case "loosen":
        return loosen(this.#innermost.element.parentElement);
      case "code-start":
        this.#code = this.#blocks.create(piece.info);
        return this.#append([this.#code.element], isSettled);
      case "code-text":
        this.#code?.append(piece.text);
        this.#tellCodeChanged();
        return nothing;
      case "code-end":
        this.#code?.end();
        this.#tellCodeChanged();
        this.#code = undefined;
        return nothing;
    }
  }

  #placeParsed(piece: MarkdownPiece, links: Links, isSettled: boolean): Placed {
    const drawn = this.#draw(piece, links);
    const joint = findJoint(piece, drawn, this.#innermost.section.lastElementChild);
    const loosened = joint !== undefined && isLoose(piece, drawn) ? loosen(joint) : nothing;
    joint?.append(...drawn.members);
    const outside = [joint === undefined ? (drawn.container ?? []) : [], drawn.others].flat();
    const placed = this.#append(outside, isSettled && joint === undefined);
    const nodes = joint === undefined ? placed.nodes : [...drawn.members, ...placed.nodes];
    if (piece.type === "list-item" && piece.open) this.#enter(drawn.members.at(-1) ?? outside.at(-1));
    const undo = (): void => {
      for (const node of nodes) node.remove();
      loosened.undo();
    };
    return { drawn, nodes, undo };
  }

  #draw(piece: MarkdownPiece, links: Links): DrawnPiece {
    const html = convertPieceToHtml(piece, links);
    // Such as a link definition.
    if (html === "") return takeApart(piece, document.createDocumentFragment());
    return takeApart(piece, html === undefined ? createPlainText(sourceOf(piece)) : this.#sanitize(html));
  }

  #append(nodes: readonly ChildNode[], isSettled: boolean): Placed {
    if (isSettled) this.#makeRoom();
    this.#innermost.section.append(...nodes);
    return { nodes, undo: () => nodes.forEach((node) => node.remove()) };
  }

  /** What comes goes into the node, up to the container's end. */
  #enter(node: ChildNode | undefined): void {
    const element = node instanceof HTMLElement ? node : this.#innermost.section;
    this.#places = [...this.#places, { element, section: element, length: 0 }];
  }

  #makeRoom(): void {
    const place = this.#innermost;
    if (place.section.childElementCount < blocksPerSection && place.length < charactersPerSection) return;
    place.section = beginSection(place.element);
    place.length = 0;
  }

  #tellCodeChanged(): void {
    if (this.#code !== undefined) this.#blocks.changed(this.#code);
  }

  get #innermost(): Place {
    const place = this.#places.at(-1);
    if (place === undefined) throw new Error("A container ends that was not opened.");
    return place;
  }
}

interface Placed extends PlacedBlock {
  readonly drawn?: DrawnPiece;
}

const nothing: Placed = { nodes: [], undo: () => undefined };

/** Sets the texts of a list apart. */
function loosen(list: Element | null): Placed {
  if (list === null || list.hasAttribute("data-loose")) return nothing;
  list.setAttribute("data-loose", "true");
  return { nodes: [], undo: () => list.removeAttribute("data-loose") };
}

function beginSection(element: HTMLElement): HTMLElement {
  const section = document.createElement("div");
  section.className = "markdown-section";
  element.append(section);
  return section;
}
