import { splitAtInvisible, type VisiblePart } from "../chat/invisibleCharacters.ts";

const emoji = "\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?";
/** Code units: no emoji has more up to a character that joins it to another, and half of that. */
const longestEnd = 6;
/** What an emoji may go on from. */
const beginning = new RegExp(`(?:\\p{Emoji}|${emoji})$`, "u");
/** What is not seen by itself, and may belong to an emoji or a character that has not come in whole. */
const unsettled = new RegExp(
  `(?:(?<=${emoji})\\u200d[\\ud800-\\udbff]?|(?<=\\p{Emoji})\\ufe0f|[\\ud800-\\udbff])$`,
  "u",
);

/** Cuts a text that arrives bit by bit at its invisible characters, as if it came in one. */
export class ArrivingCharacters {
  /** The end of what was given out, where an emoji may go on from it. */
  #before = "";
  #held = "";

  /** All but what the next bit tells of. */
  push(text: string): readonly VisiblePart[] {
    const arrived = this.#held + text;
    this.#held = unsettled.exec((this.#before + arrived).slice(-longestEnd))?.[0] ?? "";
    return this.#give(arrived.slice(0, arrived.length - this.#held.length));
  }

  /** The text has ended: gives what is left. */
  end(): readonly VisiblePart[] {
    const held = this.#held;
    this.#held = "";
    return this.#give(held);
  }

  #give(text: string): readonly VisiblePart[] {
    const [first, ...others] = splitAtInvisible(this.#before + text);
    if (first === undefined || text === "") return [];
    const begun = { ...first, text: first.text.slice(this.#before.length) };
    this.#before = beginning.exec((this.#before + text).slice(-longestEnd))?.[0] ?? "";
    return begun.text === "" ? others : [begun, ...others];
  }
}
