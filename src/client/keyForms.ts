/** Fewer characters would be found in every second word, once their case and blanks do not count. */
const shortestInOtherForms = 8;

/** What may stand between two characters of a key that was wrapped, or set in a page. */
const gap = new RegExp(
  String.raw`[\s\0-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069]|\\{1,4}[nrt]|%0[ad]|%20|(?:<|%3c|&lt;)w?br\s{0,8}\/?(?:>|%3e|&gt;)|&(?:shy|nbsp|#8203|#xa0);`,
  "iy",
);

/** Base64 is wrapped at its lines' ends only. */
const lineEnd = String.raw`(?:\s|\\[nr]){0,4}?`;

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "amp"],
  ["<", "lt"],
  [">", "gt"],
  ['"', "quot"],
  ["'", "apos"],
]);

/** A part of a text, in UTF-16 units; `end` is behind it. */
interface FoundKey {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a key in the forms in which servers and gateways hand texts on: as it is, in another case,
 * escaped for JSON, for an address or for a page, broken by blanks or line ends, in base64.
 *
 * All readings of a text go on side by side, one step a character, so that the time is that of the text
 * times the key at most, whatever the text is made of.
 */
export class KeyForms {
  readonly #key: string;
  /** Of each character of the key that a reading has come to: made late, since few texts hold the key's start. */
  readonly #forms: RegExp[][] = [];
  readonly #first: RegExp;
  readonly #whole: RegExp;

  /** @param key visible ASCII */
  constructor(key: string) {
    const short = key.length < shortestInOtherForms;
    this.#key = key;
    this.#first = new RegExp(`(?=${formsOf(key.charAt(0)).join("|")})`, "gi");
    this.#whole = new RegExp(short ? literal(key) : base64Forms(key).join("|"), short ? "g" : "gi");
  }

  /** The text with `placeholder` in the place of each. */
  replaceIn(text: string, placeholder: string): string {
    let clean = "";
    let end = 0;
    for (const found of this.#find(text)) {
      if (found.start < end) continue;
      clean += text.slice(end, found.start) + placeholder;
      end = found.end;
    }
    return clean + text.slice(end);
  }

  /** Ascending by their starts; of those with one start the longest first. */
  #find(text: string): readonly FoundKey[] {
    const whole = [...text.matchAll(this.#whole)].map(({ index, 0: match }) => ({
      start: index,
      end: index + match.length,
    }));
    if (this.#key.length < shortestInOtherForms) return whole;
    return [...whole, ...this.#findSpelled(text)].toSorted(
      (one, other) => one.start - other.start || other.end - one.end,
    );
  }

  /** Each reading is at some character of the key; of those that are at the same, the first to begin goes on. */
  #findSpelled(text: string): readonly FoundKey[] {
    const found: FoundKey[] = [];
    const beginnings = new Set([...text.matchAll(this.#first)].map(({ index }) => index));
    const readings = new Map<number, Map<number, number>>();
    const reach = (at: number, read: number, start: number): void => {
      const here = readings.get(at) ?? new Map<number, number>();
      readings.set(at, here);
      here.set(read, Math.min(start, here.get(read) ?? start));
    };
    for (let at = 0; at <= text.length; at += 1) {
      if (beginnings.has(at)) for (const end of endsOf(this.#formsAt(0), text, at)) reach(end, 1, at);
      const here = readings.get(at);
      if (here === undefined) continue;
      readings.delete(at);
      const behindGap = endsOf([gap], text, at);
      for (const [read, start] of here) {
        if (read === this.#key.length) {
          found.push({ start, end: at });
          continue;
        }
        for (const end of endsOf(this.#formsAt(read), text, at)) reach(end, read + 1, start);
        for (const end of behindGap) reach(end, read, start);
      }
    }
    return found;
  }

  /** Sticky, each for itself. */
  #formsAt(index: number): readonly RegExp[] {
    return (this.#forms[index] ??= formsOf(this.#key.charAt(index)).map((form) => new RegExp(form, "iy")));
  }
}

/** Where the matches that begin here end. */
function endsOf(patterns: readonly RegExp[], text: string, at: number): readonly number[] {
  const ends: number[] = [];
  for (const pattern of patterns) {
    pattern.lastIndex = at;
    if (pattern.test(text)) ends.push(pattern.lastIndex);
  }
  return ends;
}

const anyEscape = String.raw`(?:\\|%5c){0,8}`;

/** Separate, since a text may begin more than one of them. */
function formsOf(character: string): readonly string[] {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, "0");
  const entity = entities.get(character);
  const html = [`0{0,5}${code}`, `x0{0,5}${hex}`].map((number) => `#${number}`).concat(entity ?? []);
  // Marks of an escape are themselves the characters of some keys.
  const escapes = character === "\\" ? ["", "\\\\", "\\\\{3}", "\\\\{7}"] : [anyEscape];
  return [
    ...escapes.map((escape) => escape + literal(character)),
    `${character === "\\" ? "" : anyEscape}%(?:25){0,3}${hex}`,
    String.raw`(?:\\|%5c){1,8}(?:u00|x)${hex}`,
    String.raw`&(?:amp;){0,3}(?:${html.join("|")});`,
  ];
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
