import type { StreamPart } from "../conversation/conversation.ts";

/** The parts of an answer, of which the reasoning at the beginning of its text is reasoning. */
export function withoutThought(parts: readonly StreamPart[], thought: LeadingThought): readonly StreamPart[] {
  return parts.flatMap((part): readonly StreamPart[] =>
    part.type === "text-delta" ? thought.take(part.text) : [part],
  );
}

type Delta = Extract<StreamPart, { type: "text-delta" | "reasoning-delta" }>;

/** The tags between which models that run on machines of one's own write their reasoning. */
const tags: ReadonlyMap<string, string> = new Map([
  ...["think", "thought", "thinking", "seed:think"].map((name) => [`<${name}>`, `</${name}>`] as const),
  ["[THINK]", "[/THINK]"],
]);
const openings = [...tags.keys()];
const maxOpeningLength = Math.max(...openings.map(({ length }) => length));

/**
 * Tells the reasoning at the beginning of an answer's text, between `<think>` and `</think>`, from the text behind it.
 * The same tags elsewhere are text.
 */
export class LeadingThought {
  #place: "before" | "within" | "behind" | "text" = "before";
  /** What may be a tag once more of it has come. */
  #held = "";
  #closing = "";
  #hasThought = false;

  /** Takes the next text of the answer; what may be a tag waits for more. */
  take(text: string): readonly Delta[] {
    if (this.#place === "text") return [{ type: "text-delta", text }];
    this.#held += text;
    return [...this.#read()];
  }

  /** The answer is over, or goes on with something else. */
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

  /** Without the blanks at its beginning and its end. */
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

  /** Where the closing tag may have begun; the end of what is held otherwise. */
  #tagStart(): number {
    const start = this.#held.lastIndexOf(this.#closing.charAt(0));
    return start !== -1 && this.#closing.startsWith(this.#held.slice(start)) ? start : this.#held.length;
  }

  /** The text begins behind the blank lines below the thought. */
  #skipBlanks(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== "") this.#place = "text";
  }
}
