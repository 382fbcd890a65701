/** Maximum length of a word. Longer words are cut into pieces that overlap by half. */
const maxWordLength = 64;
/** Any part of a word up to this length lies whole in one of its pieces. */
const maxSoughtLength = maxWordLength / 2;

/** Normalizes compatibility characters (NFKC) and case, so that texts that read the same compare equal. */
export function normaliseText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/**
 * Returns the normalized terms that must all occur; empty if the query has none. Reads at most 1,000 characters and
 * returns at most 20 terms.
 */
export function splitQuery(query: string): readonly string[] {
  return [...new Set(normaliseText(query.slice(0, 1000)).split(/\s+/u))]
    .filter((term) => term !== "")
    .slice(0, 20);
}

/**
 * Calls `take` with each word of a normalized text, some words repeatedly. If the text contains a term, each part from
 * `soughtIn(term)` occurs in a word. Scripts without spaces are split into pairs of characters.
 */
export function forEachWord(text: string, take: (word: string) => void): void {
  let start = 0;
  let kind: CharacterKind = "none";
  for (let at = 0; at <= text.length; at += 1) {
    const next = at === text.length ? "none" : kindOf(text.charCodeAt(at));
    if (next === kind) continue;
    if (kind === "letter") takeWord(text, start, at, take);
    else if (kind === "ideograph") takePairs(text, start, at, take);
    kind = next;
    start = at;
  }
}

/** Returns the parts of a term to look for within words. */
export function soughtIn(term: string): readonly string[] {
  const sought = new Set<string>();
  let start = 0;
  let kind: CharacterKind = "none";
  for (let at = 0; at <= term.length; at += 1) {
    const next = at === term.length ? "none" : kindOf(term.charCodeAt(at));
    if (next === kind) continue;
    if (kind === "letter") sought.add(term.slice(start, Math.min(at, start + maxSoughtLength)));
    else if (kind === "ideograph") takePairs(term, start, at, (pair) => sought.add(pair));
    kind = next;
    start = at;
  }
  return [...sought];
}

type CharacterKind = "letter" | "ideograph" | "none";

/** Every non-ASCII character counts as part of a word, even a dash, because terms are searched within words. */
function kindOf(code: number): CharacterKind {
  if (code < 0x80) return asciiLetters[code] === 1 ? "letter" : "none";
  return code >= 0x2e80 && code <= 0xd7ff ? "ideograph" : "letter";
}

const asciiLetters = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[a-z0-9_]/u.test(String.fromCharCode(code)) ? 1 : 0,
);

function takeWord(text: string, start: number, end: number, take: (word: string) => void): void {
  if (end - start <= maxWordLength) {
    take(text.slice(start, end));
    return;
  }
  for (let at = start; at < end - maxSoughtLength; at += maxSoughtLength) {
    take(text.slice(at, Math.min(at + maxWordLength, end)));
  }
}

function takePairs(text: string, start: number, end: number, take: (pair: string) => void): void {
  if (end - start === 1) take(text.slice(start, end));
  for (let at = start; at + 1 < end; at += 1) take(text.slice(at, at + 2));
}
