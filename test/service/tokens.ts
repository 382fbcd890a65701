/**
 * The service's rule of counting: one token is a run of at most 16 characters other than blanks,
 * with the blanks behind it; blanks at the very start are one token.
 */
const token = /\S{1,16}\s*|^\s+/gu;

/** The tokens of a text, in order; joined they are the text again. */
export function* splitIntoTokens(text: string): Generator<string, void, undefined> {
  for (const [piece] of text.matchAll(token)) {
    yield piece;
  }
}

export function countTokens(text: string): number {
  let count = 0;
  for (const _piece of splitIntoTokens(text)) {
    count += 1;
  }
  return count;
}
