import { columnsOf, hasWord } from "./lineTree.ts";

/** Lines of a file, from 0; `end` is behind the last. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The lines from one like the first of a piece to one like its last, for pieces that are cut out amid a block. At least
 * half of the lines between are in the piece. Of like places the nearest to `cursor`. Each line is looked at once.
 */
export function findRange(
  file: readonly string[],
  piece: readonly string[],
  cursor: number,
): LineRange | undefined {
  const [first = "", last = ""] = [piece[0], piece.at(-1)];
  const shift = columnsOf(last) - columnsOf(first);
  const known = new Set(piece.map((line) => line.trim()));
  const shared = sumsUpTo(file, (line) => hasWord(line) && known.has(line.trim()));
  const all = sumsUpTo(file, hasWord);
  /** The best end of what begins further up, by its indent. */
  const ends = new Map<number, number>();
  let best: (LineRange & { readonly score: number }) | undefined;
  for (let start = file.length - 1; start >= 0; start -= 1) {
    const line = file[start] ?? "";
    const code = line.trim();
    const value = (at: number): number => 3 * (shared[at] ?? 0) - (all[at] ?? 0);
    const other = ends.get(columnsOf(line));
    if (code === last.trim() && (other === undefined || value(start + 1) >= value(other))) {
      ends.set(columnsOf(line), start + 1);
    }
    const end = code === first.trim() ? ends.get(columnsOf(line) + shift) : undefined;
    if (end === undefined) continue;
    const score = (shared[end] ?? 0) - (shared[start] ?? 0);
    if (score * 2 < (all[end] ?? 0) - (all[start] ?? 0)) continue;
    const distance = (range: LineRange): number => Math.max(range.start - cursor, cursor - range.end + 1, 0);
    const range = { start, end, score };
    if (
      best === undefined ||
      score > best.score ||
      (score === best.score && distance(range) <= distance(best))
    )
      best = range;
  }
  return best;
}

function sumsUpTo(lines: readonly string[], counts: (line: string) => boolean): readonly number[] {
  const sums = [0];
  let sum = 0;
  for (const line of lines) sums.push((sum += Number(counts(line))));
  return sums;
}
