/**
 * Generates numbers like `Math.random` (0 up to 1); thousands in a row differ by more than a millionth. VS Code gives
 * each language-model request a random number below a million, in the extension host and in the window. If two open
 * requests have the same number, the first never ends. With 50 requests at once and 10,000 answers, that happens in
 * one run of four.
 */
export function distinctNumbers(seed: number): () => number {
  let last = seed;
  return () => {
    last = (last + (Math.sqrt(5) - 1) / 2) % 1;
    return last;
  };
}
