/** What a message asks of the generator, beside its words. */
export interface Directions {
  /** Characters of the answer; absent means a short one. */
  readonly length: number | undefined;
  /** Whether every kind of Markdown is wanted. */
  readonly rich: boolean;
  /** Milliseconds per piece, in place of the service's own pace. */
  readonly pace: number | undefined;
  /** How the answer is kept from its own end; absent means that it is not. */
  readonly ending: "filter" | "cut" | undefined;
  /** The message without its directions, on one line. */
  readonly words: string;
}

/** No answer is longer, so that a slip of the finger is no endless stream. */
const longest = 5_000_000;
const slowest = 60_000;

const direction =
  /(?<=^|\s)\/(?:(?<name>long|pace)\s+(?<value>\d{1,9})|rich|(?<ending>filter|cut))(?=\s|$)/gu;

/** Reads `/long 10000`, `/rich`, `/pace 50`, `/filter` and `/cut` out of a message, wherever they stand in it. */
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
