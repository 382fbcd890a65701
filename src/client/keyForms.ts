/** Fewer characters would be found in every second word, once their case and blanks do not count. */
const shortestInOtherForms = 8;

/** What may stand between two characters of a key that was wrapped, or set in a page. */
const gap = String.raw`(?:[\s\0-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069]|\\{1,4}[nrt]|%0[ad]|%20|(?:<|%3c|&lt;)w?br\s*\/?(?:>|%3e|&gt;)|&(?:shy|nbsp|#8203|#xa0);){0,80}?`;

/** Base64 is wrapped at its lines' ends only. */
const lineEnd = String.raw`(?:\s|\\[nr]){0,4}?`;

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "amp"],
  ["<", "lt"],
  [">", "gt"],
  ['"', "quot"],
  ["'", "apos"],
]);

/**
 * Finds a key in the forms in which servers and gateways hand texts on: as it is, in another case,
 * escaped for JSON, for an address or for a page, broken by blanks or line ends, in base64. Every
 * repetition is bounded, so that the time is linear in the text.
 *
 * @param key visible ASCII
 */
export function createKeyPattern(key: string): RegExp {
  if (key.length < shortestInOtherForms) return new RegExp(literal(key), "g");
  const characters = Array.from(key)
    .map((character) => formsOf(character))
    .join(gap);
  return new RegExp([characters, ...base64Forms(key)].join("|"), "gi");
}

function formsOf(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, "0");
  const entity = entities.get(character);
  const html = [`0{0,5}${code}`, `x0{0,5}${hex}`].map((number) => `#${number}`).concat(entity ?? []);
  return String.raw`(?:(?:\\|%5c){0,8}(?:${literal(character)}|%(?:25){0,3}${hex})|(?:\\|%5c){1,8}(?:u00|x)${hex}|&(?:amp;){0,3}(?:${html.join("|")});)`;
}

/** By how the key begins within a group of three bytes, its encoding has one of three shapes. */
function base64Forms(key: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.from(" ".repeat(offset) + key, "latin1")
      .toString("base64")
      .replace(/=+$/, "");
    // The first and the last character may also hold bits of what stands around the key.
    const start = [0, 2, 3][offset] ?? 0;
    const end = (offset + key.length) % 3 === 0 ? text.length : text.length - 1;
    return Array.from(text.slice(start, end))
      .map((character) => base64Character(character))
      .join(lineEnd);
  });
}

function base64Character(character: string): string {
  if (character === "+" || character === "-") return "(?:[+-]|%2b)";
  return character === "/" ? String.raw`(?:\\{0,8}\/|_|%2f)` : character;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
