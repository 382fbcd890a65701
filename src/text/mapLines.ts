import type { TextChange } from "./textChanges.ts";

/** Lines from 0; `end` is behind the last. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where lines stand after changes, with all that was changed in them. What came in at their edge is
 * outside.
 */
export function mapLines({ start, end }: LineRange, changes: readonly TextChange[]): LineRange {
  let [newStart, newEnd] = [start, end];
  for (const change of changes) {
    const changeEnd = change.start + change.removed;
    const grown = change.added.length - change.removed;
    if (changeEnd <= start) {
      newStart += grown;
      newEnd += grown;
    } else if (change.start < end) {
      // It reaches into them: then they have all of it.
      newStart -= Math.max(0, start - change.start);
      newEnd += grown + Math.max(0, changeEnd - end);
    }
  }
  return { start: newStart, end: newEnd };
}
