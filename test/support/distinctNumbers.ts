/**
 * Numbers as `Math.random` gives them (0 up to 1), of which thousands in a row lie further than a millionth apart.
 * VS Code draws a language-model request's number out of a million, in the extension host and in the window; of two
 * open requests with the same number the first never ends, which 50 at once for 10,000 answers see in one run of four.
 */
export function distinctNumbers(seed: number): () => number {
  let last = seed;
  return () => {
    last = (last + (Math.sqrt(5) - 1) / 2) % 1;
    return last;
  };
}
