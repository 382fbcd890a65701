/**
 * A token is at most 16 characters without spaces, plus the spaces behind them. Spaces at the start are one token.
 * The service defines this rule.
 */
const token = /\S{1,16}\s*|^\s+/gu;

/** Splits a text into tokens, in order; joined, they give the text again. */
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
