import type { StreamPart } from "./conversation.ts";
import { parseJson } from "./fields.ts";

/** Events that are learnt from in vain, until a stream counts as one whose events differ in more than their text. */
const mostVain = 8;

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
    // Compared as slices: `startsWith` goes letter by letter, and takes as long as reading all the JSON.
    if (data.slice(0, start) !== this.#before || data.slice(end) !== this.#after) return undefined;
    const text = parseJson(data.slice(start, end));
    if (typeof text !== "string") return undefined;
    this.#chances += 1;
    return text === "" ? [] : [{ type: "text-delta", text }];
  }

  /**
   * Takes an event that says a text and nothing else for what the next ones are like.
   * @param readText the text of such an event; undefined for all others
   */
  learn(data: string, text: string, readText: (data: string) => string | undefined): void {
    if (this.#chances === 0) return;
    this.#chances -= 1;
    const literal = JSON.stringify(text);
    const start = data.indexOf(literal);
    if (start === -1) return;
    const [before, after] = [data.slice(0, start), data.slice(start + literal.length)];
    // The same letters may stand in other places too: with another text here, the event has to say that one.
    const other = `${text}.`;
    if (readText(`${before}${JSON.stringify(other)}${after}`) !== other) return;
    this.#before = before;
    this.#after = after;
  }
}
