import { normaliseText } from "../../../text/searchWords.ts";

const charactersBefore = 40;
const charactersAfter = 120;

/** A piece of text around a match, on one line. */
export interface SearchSnippet {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** The surroundings of the first of the terms that occurs; undefined where none does. */
export function cutSnippet(text: string, terms: readonly string[]): SearchSnippet | undefined {
  const normalised = normaliseText(text);
  const places = terms.map((term) => ({ term, at: normalised.indexOf(term) })).filter(({ at }) => at !== -1);
  const first = places.toSorted((one, other) => one.at - other.at)[0];
  if (first === undefined) return undefined;
  const shown = sameLength(normalised, text, text.normalize("NFKC"));
  const end = first.at + first.term.length;
  const start = Math.max(0, first.at - charactersBefore);
  const stop = Math.min(shown.length, end + charactersAfter);
  return {
    before: (start > 0 ? "…" : "") + onOneLine(shown.slice(start, first.at)).trimStart(),
    match: onOneLine(shown.slice(first.at, end)),
    after: onOneLine(shown.slice(end, stop)).trimEnd() + (stop < shown.length ? "…" : ""),
  };
}

/** Places in the normalised text are places in a text of the same length. */
function sameLength(normalised: string, ...texts: readonly string[]): string {
  return texts.find(({ length }) => length === normalised.length) ?? normalised;
}

/** Without the half of a character that a cut may have left at either end. */
function onOneLine(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/gu, "").replace(/\s+/gu, " ");
}
