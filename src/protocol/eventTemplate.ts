import type { StreamPart } from "./conversation.ts";
import { parseJson } from "./fields.ts";

/** So many events more may be learnt from than were read by what was learnt: a stream may be none of this kind. */
const mostVain = 8;

const quote = 0x22;

/**
 * The JSON of an event, with a slot for its text. The events of an answer differ in little else, and a text
 * is read faster than all the JSON around it. What fits is the template letter for letter, with another text:
 * nothing is taken for granted of what services send.
 */
export class EventTemplate {
  #before = "";
  #after = "";
  #chances = mostVain;

  /** What an event says that is like the one that was learnt; undefined where it has to be read as a whole. */
  read(data: string): readonly StreamPart[] | undefined {
    const [start, end] = [this.#before.length, data.length - this.#after.length];
    if (start === 0 || end < start) return undefined;
    // What stands in the place of a text is told by its ends, without a try to read it.
    if (data.charCodeAt(start) !== quote || data.charCodeAt(end - 1) !== quote) return undefined;
    // Compared as slices, which takes a fraction of the time of `startsWith`.
    if (data.slice(0, start) !== this.#before || data.slice(end) !== this.#after) return undefined;
    const text = parseJson(data.slice(start, end));
    if (typeof text !== "string") return undefined;
    this.#chances += 1;
    return text === "" ? [] : [{ type: "text-delta", text }];
  }

  /**
   * Takes an event that gave a text and no other part for what the next ones are like.
   * @param readText the text of an event that says nothing else, and leaves nothing for later ones either;
   *   undefined for all others
   */
  learn(data: string, text: string, readText: (data: string) => string | undefined): void {
    if (this.#chances === 0) return;
    const literal = JSON.stringify(text);
    const start = data.indexOf(literal);
    if (start === -1) return;
    this.#chances -= 1;
    const [before, after] = [data.slice(0, start), data.slice(start + literal.length)];
    // The name of a member is no slot, whatever it is the name of.
    if (/^\s*:/.test(after)) return;
    // The same letters may stand in other places too: with another text here, the event has to say that one.
    const other = `${text}.`;
    if (readText(`${before}${JSON.stringify(other)}${after}`) !== other) return;
    this.#before = copyOf(before);
    this.#after = copyOf(after);
  }
}

/** A slice would keep the whole text that it is of, which may be a read of megabytes. */
function copyOf(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
