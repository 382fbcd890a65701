import assert from "node:assert/strict";
import type { StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { LeadingThought } from "../../../../src/protocol/decode/leadingThought.ts";

/** Decodes a text in pieces of `size` UTF-16 units, and joins the reasoning and the text. */
function told(text: string, size: number): readonly [reasoning: string, text: string] {
  const thought = new LeadingThought();
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  const parts = [...pieces.flatMap((piece) => thought.take(piece)), ...thought.close()];
  const join = (type: StreamPart["type"]): string =>
    parts.map((part) => (part.type === type ? part.text : "")).join("");
  return [join("reasoning-delta"), join("text-delta")];
}

const texts: readonly (readonly [string, string, string, string])[] = [
  ["a thought ahead of the text", "<think>\nTwo and\n\ntwo.\n</think>\n\nFour.", "Two and\n\ntwo.", "Four."],
  ["the other name of the tag", "<thought>Two.</thought>Four.", "Two.", "Four."],
  ["a longer name of the tag", "<thinking>Two.</thinking>Four.", "Two.", "Four."],
  ["a name with a colon", "<seed:think>Two.</seed:think>Four.", "Two.", "Four."],
  ["a tag in other brackets", "[THINK]Two [x] and.[/THINK]Four.", "Two [x] and.", "Four."],
  ["a thought that does not end", "<think>Two and <b", "Two and <b", ""],
  ["blank lines ahead of the tag", "\n\n<think>Two.</think>Four.", "Two.", "Four."],
  ["an empty thought", "<think>\n\n</think>\n\nFour.", "", "Four."],
  ["the tag within the text", "Write <think>x</think> so.", "", "Write <think>x</think> so."],
  ["another tag that begins alike", "<thinker>Four.", "", "<thinker>Four."],
  ["a beginning of the tag alone", "<thi", "", "<thi"],
  [
    "the tag of another name at the end",
    "<think>Two </thought> and.</think>Four.",
    "Two </thought> and.",
    "Four.",
  ],
];

describe("LeadingThought", () => {
  for (const [name, text, reasoning, rest] of texts) {
    it(`reads ${name}, whole and in pieces`, () => {
      for (const size of [1, 2, 7, 1000]) assert.deepEqual(told(text, size), [reasoning, rest], `${size}`);
    });
  }
});
