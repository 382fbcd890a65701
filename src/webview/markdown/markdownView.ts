import type { Links } from "marked";
import { type MarkdownPiece, MarkdownSplitter, sourceOf } from "../../text/markdown/markdownBlocks.ts";
import type { CodeBlock } from "../code/codeBlock.ts";
import type { CodeBlocks } from "../code/codeBlocks.ts";
import { convertPieceToHtml } from "./markdownHtml.ts";
import { appendPlainText, createPlainText, isPlainText } from "./plainText.ts";
import type { Sanitize } from "./sanitizer.ts";

/** Maximum length of a slice in UTF-16 units, so that a long text cannot block a frame. */
const partLength = 4096;
/**
 * Draws streamed Markdown. Parses, sanitizes and inserts a settled piece once. Redraws only the open block and, at the
 * end, pieces that refer to later link definitions.
 */
export class MarkdownView {
  /** `aria-busy` until the whole text is drawn. */
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

  /** Marks the end of the text. */
  end(): void {
    this.#ended = "cutting";
  }

  /** Draws until `deadline` (a time of `performance.now()`). Returns true when nothing is left to draw. */
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

  /** Splits the next slice of text into pieces. Returns false if there is no text. */
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
    this.#pieces.push(...this.#splitter.end());
    // The open block stays on the page until a piece replaces it.
    if (this.#pieces.length === 0) this.#open.clear();
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

/** Up to this length (UTF-16 units) an open block is redrawn in each frame that brings text. */
const alwaysRedrawn = 1024;

/** A block that can be removed from the page again. */
interface PlacedBlock {
  readonly nodes: readonly ChildNode[];
  /** Removes the block. */
  undo(): void;
}

/**
 * Draws the block that may still change. Appends new text as plain text, and redraws the block when it has grown by an
 * eighth. This keeps the total cost proportional to the length.
 */
class OpenBlockView {
  readonly #place: (pieces: readonly MarkdownPiece[]) => PlacedBlock;
  #placed: PlacedBlock | undefined;
  /** Length of the block when it was drawn; `#grown` is the length appended since. */
  #length = 0;
  #grown = 0;
  #isStale = false;
  #unseen = "";

  /** `place` puts pieces after all settled ones. */
  constructor(place: (pieces: readonly MarkdownPiece[]) => PlacedBlock) {
    this.#place = place;
  }

  /** Adds text that may belong to the block. */
  append(text: string): void {
    this.#unseen += text;
  }

  /** Removes the block, because a settled piece replaces it. */
  clear(): void {
    this.#placed?.undo();
    this.#placed = undefined;
    this.#length = 0;
    this.#grown = 0;
    this.#isStale = true;
  }

  /** `read` returns the block's current pieces, including an unfinished last line. */
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

/** Maximum number of blocks and of UTF-16 units per section. The browser skips the layout of sections out of sight. */
const blocksPerSection = 16;
const charactersPerSection = 4096;

/** The container of the next block: the whole text, or an open list item or quote in it. */
interface Place {
  readonly element: HTMLElement;
  /** The element that blocks are appended to. The first section of an item or quote is its own element. */
  section: HTMLElement;
  length: number;
}

/** Appends the pieces of a text to the page. */
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

  /** Appends a settled piece. */
  write(piece: MarkdownPiece): void {
    const places = this.#places;
    const { drawn } = this.#place(piece, this.#definitions.growing, true);
    if (drawn !== undefined) {
      this.#definitions.watch(piece, changeableNodes(piece, drawn), this.#definitions.count);
    }
    const { length } = sourceOf(piece);
    for (const place of places) place.length += length;
  }

  /** Appends unsettled pieces. The caller removes them before the next call of `write`. */
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
      case "formula":
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
    const drawn = this.#draw(piece, links, !isSettled);
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

  #draw(piece: MarkdownPiece, links: Links, isUnfinished = false): DrawnPiece {
    const html = convertPieceToHtml(piece, links, isUnfinished);
    // The HTML is empty for a link definition, for example.
    if (html === "") return splitDrawn(piece, document.createDocumentFragment());
    return splitDrawn(piece, html === undefined ? createPlainText(sourceOf(piece)) : this.#sanitize(html));
  }

  #append(nodes: readonly ChildNode[], isSettled: boolean): Placed {
    if (isSettled) this.#makeRoom();
    this.#innermost.section.append(...nodes);
    return { nodes, undo: () => nodes.forEach((node) => node.remove()) };
  }

  /** Appends the following pieces to the node, until the container ends. */
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
    if (place === undefined) throw new Error("Container end without a container start.");
    return place;
  }
}

interface Placed extends PlacedBlock {
  readonly drawn?: DrawnPiece;
}

const nothing: Placed = { nodes: [], undo: () => undefined };

/** Makes a list loose: adds space between its items. */
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

/**
 * Maximum number of rows per table; further rows go into a new table with the same header. The cost of adding a row
 * grows with its table.
 */
const maxRows = 150;
/** Maximum number of items per list; further items go into a new list with continued numbers. */
const maxItems = 200;

/** The nodes of a piece. `members` are items or rows and stand inside `container`, a list or table. */
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

/** The list or table in `last` that the piece continues; undefined if it starts its own. */
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

/** Whether the piece makes its list loose. */
function isLoose(piece: MarkdownPiece, drawn: DrawnPiece): boolean {
  return piece.type === "list-item" && (piece.loose || drawn.container?.hasAttribute("data-loose") === true);
}

/** Groups of siblings that a later link definition may change. For an open item: only its nodes drawn so far. */
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

/** Whether the text has a label in brackets that `isMeant` accepts. */
function mentionsAny(text: string, isMeant: (label: string) => boolean): boolean {
  for (const [, label] of text.matchAll(/\[([^[\]]+)\]/g)) {
    if (label !== undefined && isMeant(label.trim().toLowerCase().replaceAll(/\s+/g, " "))) {
      return true;
    }
  }
  return false;
}

/** Maximum number of stored link definitions. The parser looks through all of them for every block. */
const maxDefinitions = 1000;

interface SettledPiece {
  readonly piece: MarkdownPiece;
  readonly nodes: readonly (readonly ChildNode[])[];
  /** Number of definitions known when the piece was drawn. */
  readonly known: number;
}

/** The link definitions of a text. A definition also applies to the text before it. */
class LinkDefinitions {
  readonly #links: Links = Object.create(null);
  /** The position of each definition, by label. */
  readonly #order = new Map<string, number>();
  /** Pieces that may refer to a later definition. */
  readonly #withReferences: SettledPiece[] = [];

  /** For parsing settled text: stores its definitions. */
  readonly growing: Links = new Proxy(this.#links, {
    set: (links, label, link: Links[string]) => {
      if (typeof label === "string" && !this.#isFull) {
        links[label] = link;
        this.#order.set(label, this.#order.size);
      }
      return true;
    },
  });

  /** For parsing text that may still change: ignores its definitions. */
  readonly fixed: Links = new Proxy(this.#links, { set: () => true });

  get #isFull(): boolean {
    return this.#order.size >= maxDefinitions;
  }

  get count(): number {
    return this.#order.size;
  }

  /** Stores a settled piece, drawn with the first `known` definitions, if its links may still change. */
  watch(piece: MarkdownPiece, nodes: SettledPiece["nodes"], known: number): void {
    if (known < maxDefinitions && sourceOf(piece).includes("[")) {
      this.#withReferences.push({ piece, nodes, known });
    }
  }

  /**
   * Redraws pieces that refer to later definitions, until `deadline`. Call it when all definitions are known. Returns
   * true when done.
   */
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
