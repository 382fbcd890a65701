/** Characters of a word. A longer one is cut into pieces that overlap by half. */
const maxWordLength = 64;
/** What a piece is sure to hold in whole, wherever it begins. */
const maxSoughtLength = maxWordLength / 2;

/** One form for texts that read the same: compatibility characters and case do not matter. */
export function normaliseText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** The texts that must all occur, normalised; none where there is nothing to look for. */
export function splitQuery(query: string): readonly string[] {
  return [...new Set(normaliseText(query.slice(0, 1000)).split(/\s+/u))]
    .filter((term) => term !== "")
    .slice(0, 20);
}

/**
 * Calls back with each word of a normalised text, some of them often. If the text holds a term, then each
 * of `soughtIn(term)` is within one of its words. Scripts without spaces are taken by pairs of characters.
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

/** The parts of a term by which it is found among words. */
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

/** Beyond ASCII everything counts as a letter, also a dash: it is looked for within words. */
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
