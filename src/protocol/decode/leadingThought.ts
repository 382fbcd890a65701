import type { StreamPart } from "../conversation/conversation.ts";

/** Moves reasoning at the start of the text of an answer to reasoning parts. Returns the other parts unchanged. */
export function withoutThought(parts: readonly StreamPart[], thought: LeadingThought): readonly StreamPart[] {
  if (thought.isOver) return parts;
  return parts.flatMap((part): readonly StreamPart[] =>
    part.type === "text-delta" ? thought.take(part.text) : [part],
  );
}

type Delta = Extract<StreamPart, { type: "text-delta" | "reasoning-delta" }>;

/** Tags that self-hosted models put around their reasoning. */
const tags: ReadonlyMap<string, string> = new Map([
  ...["think", "thought", "thinking", "seed:think"].map((name) => [`<${name}>`, `</${name}>`] as const),
  ["[THINK]", "[/THINK]"],
]);
const openings = [...tags.keys()];
const maxOpeningLength = Math.max(...openings.map(({ length }) => length));

/**
 * Separates reasoning between `<think>` and `</think>` from the text of an answer. Only reads these tags at the start
 * of the text.
 */
export class LeadingThought {
  #place: "before" | "within" | "behind" | "text" = "before";
  /** Text that may become a tag when more arrives. */
  #held = "";
  #closing = "";
  #hasThought = false;

  /** Whether reasoning can no longer follow. All further text is text of the answer. */
  get isOver(): boolean {
    return this.#place === "text";
  }

  /** Adds text of the answer. Holds back text that may become a tag. */
  take(text: string): readonly Delta[] {
    if (this.isOver) return [{ type: "text-delta", text }];
    this.#held += text;
    return [...this.#read()];
  }

  /** Returns the text held back. Call this when the answer ends or continues with another part. */
  close(): readonly Delta[] {
    const text = this.#held;
    this.#held = "";
    if (this.#place === "before" || this.#place === "behind") this.#place = "text";
    if (text === "") return [];
    return [{ type: this.#place === "within" ? "reasoning-delta" : "text-delta", text }];
  }

  *#read(): Generator<Delta> {
    if (this.#place === "before") this.#open();
    if (this.#place === "within") yield* this.#readThought();
    if (this.#place === "behind") this.#skipBlanks();
    if (this.#place === "text") yield* this.close();
  }

  #open(): void {
    const start = this.#held.trimStart();
    const opening = openings.find((each) => start.startsWith(each));
    if (opening !== undefined) {
      this.#place = "within";
      this.#closing = tags.get(opening) ?? "";
      this.#held = start.slice(opening.length);
    } else if (start.length >= maxOpeningLength || !openings.some((each) => each.startsWith(start))) {
      this.#place = "text";
    }
  }

  /** Yields the reasoning without whitespace at its start and end. */
  *#readThought(): Generator<Delta> {
    if (!this.#hasThought) this.#held = this.#held.trimStart();
    const end = this.#held.indexOf(this.#closing);
    const text = this.#held.slice(0, end === -1 ? this.#tagStart() : end).trimEnd();
    if (text !== "") {
      this.#hasThought = true;
      yield { type: "reasoning-delta", text };
    }
    this.#held = this.#held.slice(end === -1 ? text.length : end + this.#closing.length);
    if (end !== -1) this.#place = "behind";
  }

  /** Returns the offset where the closing tag may begin, or else the end of the held text. */
  #tagStart(): number {
    const start = this.#held.lastIndexOf(this.#closing.charAt(0));
    return start !== -1 && this.#closing.startsWith(this.#held.slice(start)) ? start : this.#held.length;
  }

  /** Skips whitespace between the reasoning and the text. */
  #skipBlanks(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== "") this.#place = "text";
  }
}
