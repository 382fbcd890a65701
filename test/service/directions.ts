/** The instructions in a message to the generator, and the rest of the message. */
export interface Directions {
  /** Length of the answer in UTF-16 units; undefined if the message sets no length. */
  readonly length: number | undefined;
  /** Whether the answer has every kind of Markdown. */
  readonly rich: boolean;
  /** Milliseconds per piece; overrides the service's own pace. */
  readonly pace: number | undefined;
  /** How the answer ends: by the content filter or a broken connection. Undefined for a normal end. */
  readonly ending: "filter" | "cut" | undefined;
  /** The message without its instructions, on one line. */
  readonly words: string;
}

/** Maximum characters of an answer: a typing mistake must not cause an endless stream. */
const longest = 5_000_000;
const slowest = 60_000;

const direction =
  /(?<=^|\s)\/(?:(?<name>long|pace)\s+(?<value>\d{1,9})|rich|(?<ending>filter|cut))(?=\s|$)/gu;

/** Reads `/long 10000`, `/rich`, `/pace 50`, `/filter` and `/cut` anywhere in a message. */
export function readDirections(message: string): Directions {
  let length: number | undefined;
  let pace: number | undefined;
  let ending: Directions["ending"];
  let rich = false;
  for (const { groups } of message.matchAll(direction)) {
    const named = groups?.["ending"];
    if (named === "filter" || named === "cut") {
      ending = named;
      continue;
    }
    const value = Number(groups?.["value"]);
    switch (groups?.["name"]) {
      case "long":
        length = Math.min(value, longest);
        break;
      case "pace":
        pace = Math.min(value, slowest);
        break;
      default:
        rich = true;
    }
  }
  const words = message.replaceAll(direction, " ").replaceAll(/\s+/gu, " ").trim();
  return { length, rich, pace, ending, words };
}
