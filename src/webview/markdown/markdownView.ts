import type { Links } from "marked";
import { type MarkdownPiece, MarkdownSplitter, sourceOf } from "../../text/markdown/markdownBlocks.ts";
import type { CodeBlock } from "../code/codeBlock.ts";
import type { CodeBlocks } from "../code/codeBlocks.ts";
import { convertPieceToHtml } from "./markdownHtml.ts";
import { appendPlainText, createPlainText, isPlainText } from "./plainText.ts";
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
    const isDrawn = this.#definitions.redrawReferences(deadline, (piece) => this.#writer.redraw(piece));
    if (isDrawn) this.element.ariaBusy = null;
    return isDrawn;
  }

  /** Cuts the next text that arrived into pieces; false when there is none. */
  #cutNext(): boolean {
    if (this.#arrived.length > 0) {
      const text = this.#consumeArrived();
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

  #consumeArrived(): string {
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

/** An open block up to this length is drawn anew in each frame that brings text. */
const alwaysRedrawn = 1024;

/** A block that stands on the page for the time being. */
interface PlacedBlock {
  readonly nodes: readonly ChildNode[];
  /** Takes it away again. */
  undo(): void;
}

/**
 * Draws the block that may still change. Text that arrives is appended to it as it is, and the block is
 * drawn anew when it has grown by an eighth, so its cost stays proportional to its length.
 */
class OpenBlockView {
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
class PieceWriter {
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
        this.#notifyCodeChanged();
        return nothing;
      case "code-end":
        this.#code?.end();
        this.#notifyCodeChanged();
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
    if (html === "") return splitDrawn(piece, document.createDocumentFragment());
    return splitDrawn(piece, html === undefined ? createPlainText(sourceOf(piece)) : this.#sanitize(html));
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

  #notifyCodeChanged(): void {
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

/** A longer table goes on in another with the same header: the cost of a row grows with its table. */
const maxRows = 150;
/** A longer list goes on in another, with the number that is next. */
const maxItems = 200;

/** The nodes of a piece. `members` stand inside `container`: items of a list, rows of a table. */
interface DrawnPiece {
  readonly container: Element | undefined;
  readonly members: readonly ChildNode[];
  readonly others: readonly ChildNode[];
}

function splitDrawn(piece: MarkdownPiece, fragment: DocumentFragment): DrawnPiece {
  const [container, ...others] = Array.from(fragment.children);
  if (container !== undefined && piece.type === "list-item" && /^[UO]L$/.test(container.tagName)) {
    return { container, members: [...container.children], others };
  }
  if (container !== undefined && piece.type === "table-rows" && container.className === "table-frame") {
    const rows = container.querySelectorAll(piece.first ? "tr" : "tbody > tr");
    return { container, members: [...rows], others };
  }
  return { container: undefined, members: [], others: [...fragment.childNodes] };
}

/** The list or table behind which the piece goes on, if `last` is one. */
function findJoint(piece: MarkdownPiece, drawn: DrawnPiece, last: Element | null): Element | undefined {
  if (last === null || drawn.container === undefined || !("first" in piece) || piece.first) {
    return undefined;
  }
  if (piece.type === "list-item") {
    return last.tagName === drawn.container.tagName && last.childElementCount < maxItems ? last : undefined;
  }
  const table = last.querySelector(":scope > table");
  if (!(table instanceof HTMLTableElement) || table.rows.length > maxRows) {
    return undefined;
  }
  return table.tBodies[0] ?? table.createTBody();
}

/** True where the piece sets space between the items of the list that it belongs to. */
function isLoose(piece: MarkdownPiece, drawn: DrawnPiece): boolean {
  return piece.type === "list-item" && (piece.loose || drawn.container?.hasAttribute("data-loose") === true);
}

/** Neighbours that a later link definition may change: of an open item what it had when it was drawn. */
function changeableNodes(
  piece: MarkdownPiece,
  { members, others }: DrawnPiece,
): readonly (readonly ChildNode[])[] {
  const [item] = members;
  const inList = piece.type === "list-item" && piece.open && item !== undefined ? item.childNodes : members;
  return [[...inList], [...others]];
}

function replaceNodes(nodes: readonly ChildNode[], fresh: readonly ChildNode[]): void {
  nodes[0]?.before(...fresh);
  for (const node of nodes) node.remove();
}

/** True where the Markdown text has a label in brackets that is one of those meant. */
function mentionsAny(text: string, isMeant: (label: string) => boolean): boolean {
  for (const [, label] of text.matchAll(/\[([^[\]]+)\]/g)) {
    if (label !== undefined && isMeant(label.trim().toLowerCase().replaceAll(/\s+/g, " "))) {
      return true;
    }
  }
  return false;
}

/** Link definitions that are kept; the parser looks through all of them with every block. */
const maxDefinitions = 1000;

interface SettledPiece {
  readonly piece: MarkdownPiece;
  readonly nodes: readonly (readonly ChildNode[])[];
  /** How many definitions were known when it was drawn. */
  readonly known: number;
}

/** The link definitions of a text. One counts for the text ahead of it, too. */
class LinkDefinitions {
  readonly #links: Links = Object.create(null);
  /** When each one came. */
  readonly #order = new Map<string, number>();
  /** Pieces that may mention a definition that comes later. */
  readonly #withReferences: SettledPiece[] = [];

  /** For the parser of a settled text: takes in what that defines. */
  readonly growing: Links = new Proxy(this.#links, {
    set: (links, label, link: Links[string]) => {
      if (typeof label === "string" && !this.#isFull) {
        links[label] = link;
        this.#order.set(label, this.#order.size);
      }
      return true;
    },
  });

  /** For the parser of a text that may still change: definitions in it are not kept. */
  readonly fixed: Links = new Proxy(this.#links, { set: () => true });

  get #isFull(): boolean {
    return this.#order.size >= maxDefinitions;
  }

  get count(): number {
    return this.#order.size;
  }

  /** Remembers a settled piece, drawn when `known` definitions were known, if its links may still change. */
  watch(piece: MarkdownPiece, nodes: SettledPiece["nodes"], known: number): void {
    if (known < maxDefinitions && sourceOf(piece).includes("[")) {
      this.#withReferences.push({ piece, nodes, known });
    }
  }

  /** All definitions have come: draws pieces that mention later ones anew, until `deadline`; true when done. */
  redrawReferences(deadline: number, draw: (piece: MarkdownPiece) => SettledPiece["nodes"]): boolean {
    while (this.#withReferences.length > 0 && performance.now() < deadline) {
      const settled = this.#withReferences.pop();
      if (settled === undefined || settled.known === this.count) continue;
      const isLate = (label: string): boolean => (this.#order.get(label) ?? -1) >= settled.known;
      if (mentionsAny(sourceOf(settled.piece), isLate)) {
        const fresh = draw(settled.piece);
        settled.nodes.forEach((nodes, at) => replaceNodes(nodes, fresh[at] ?? []));
      }
    }
    return this.#withReferences.length === 0;
  }
}
