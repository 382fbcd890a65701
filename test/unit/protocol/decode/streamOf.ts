/** Encodes the text and splits it into pieces of the given sizes in bytes, plus the rest. */
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

/** A body of these pieces. At its end it throws `error`, if given. */
export async function* streamOf(pieces: readonly Uint8Array[], error?: unknown): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (error !== undefined) throw error;
}
