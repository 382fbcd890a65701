/** The text in pieces of the given sizes, in turn; the rest in one piece. */
export function cutText(text: string, sizes: readonly number[]): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const size of sizes) {
    if (from >= bytes.length) break;
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return [...pieces, bytes.subarray(Math.min(from, bytes.length))];
}

/** The pieces as a body that then ends, or breaks with the error. */
export async function* streamOf(pieces: readonly Uint8Array[], error?: unknown): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (error !== undefined) throw error;
}
