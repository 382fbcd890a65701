import type { Links } from "marked";
import { mentionsAny, replaceNodes } from "./drawnPiece.ts";
import { type MarkdownPiece, sourceOf } from "../chat/markdownPiece.ts";

/** Link definitions that are kept; the parser looks through all of them with every block. */
const mostDefinitions = 1000;

interface SettledPiece {
  readonly piece: MarkdownPiece;
  readonly nodes: readonly (readonly ChildNode[])[];
  /** How many definitions were known when it was drawn. */
  readonly known: number;
}

/** The link definitions of a text. One counts for the text ahead of it, too. */
export class LinkDefinitions {
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
    return this.#order.size >= mostDefinitions;
  }

  get count(): number {
    return this.#order.size;
  }

  /** Remembers a settled piece, drawn when `known` definitions were known, if its links may still change. */
  watch(piece: MarkdownPiece, nodes: SettledPiece["nodes"], known: number): void {
    if (known < mostDefinitions && sourceOf(piece).includes("[")) {
      this.#withReferences.push({ piece, nodes, known });
    }
  }

  /** All definitions have come: draws pieces that mention later ones anew, until `deadline`; true when done. */
  drawLateReferences(deadline: number, draw: (piece: MarkdownPiece) => SettledPiece["nodes"]): boolean {
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
