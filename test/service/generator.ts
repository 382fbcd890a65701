import type { Directions } from "./directions.ts";
import { richSections } from "./richSections.ts";
import { shortAnswers } from "./shortAnswers.ts";

const quotedCharacters = 80;

/**
 * Generates the answer to a message in parts; the same message always gives the same text. `length` sets the exact
 * number of UTF-16 units. The answer is one unit shorter if it would end in half a character.
 */
export function* generateText({ length, rich, words }: Directions): Generator<string, void, undefined> {
  if (length !== undefined) {
    yield* cut(rich ? endlessSections() : endlessParagraphs(words), length);
  } else if (rich) {
    yield* richSections;
  } else {
    yield shortAnswer(words);
  }
}

function shortAnswer(words: string): string {
  const answer = shortAnswers[fingerprint(words) % shortAnswers.length] ?? "";
  return answer.replace("{quote}", () => quote(words));
}

function quote(words: string): string {
  const characters = Array.from(words);
  if (characters.length === 0) {
    return "(an empty message)";
  }
  return characters.length > quotedCharacters
    ? `${characters.slice(0, quotedCharacters).join("").trimEnd()}…`
    : words;
}

/** Distributes messages over the short answers: FNV-1a, 32 bits. */
function fingerprint(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(text)) {
    hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  }
  return hash >>> 0;
}

function* endlessParagraphs(words: string): Generator<string, never, undefined> {
  yield `A long answer to: ${quote(words)}\n\n`;
  for (let number = 1; ; number += 1) {
    yield `Paragraph ${number}. The text goes on at an even pace, one plain sentence after another, `;
    yield `so that there is something to scroll, to stop and to copy. This was paragraph ${number}.\n\n`;
  }
}

function* endlessSections(): Generator<string, never, undefined> {
  for (let number = 1; ; number += 1) {
    yield `# Part ${number}\n\n`;
    yield* richSections;
  }
}

function* cut(parts: Iterable<string>, length: number): Generator<string, void, undefined> {
  let left = length;
  for (const part of parts) {
    if (part.length >= left) {
      yield part.slice(0, left).replace(/[\uD800-\uDBFF]$/u, "");
      return;
    }
    left -= part.length;
    yield part;
  }
}
