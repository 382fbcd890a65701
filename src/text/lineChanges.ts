import { diffArrays } from "diff";

/** Lines of a text that give way to others. */
export interface TextChange {
  /** Line from 0, in the old text. */
  readonly start: number;
  /** How many lines go. */
  readonly removed: number;
  readonly added: readonly string[];
}

/** Texts that differ in more lines are one change. */
const maxEdits = 5000;

/** The changes from one text to the other, both with `\n`, in order and apart from each other. */
export function findChanges(before: string, after: string): readonly TextChange[] {
  const oldLines = before.split("\n");
  const newLines = after.split("\n");
  const parts = diffArrays(oldLines, newLines, { maxEditLength: maxEdits });
  if (parts === undefined) return [{ start: 0, removed: oldLines.length, added: newLines }];
  const changes: TextChange[] = [];
  let line = 0;
  let isOpen = false;
  for (const { added, removed, value } of parts) {
    const last = isOpen ? changes.pop() : undefined;
    isOpen = added || removed;
    if (isOpen) {
      changes.push({
        start: last?.start ?? line,
        removed: (last?.removed ?? 0) + (removed ? value.length : 0),
        added: [...(last?.added ?? []), ...(added ? value : [])],
      });
    } else if (last !== undefined) {
      changes.push(last);
    }
    if (!added) line += value.length;
  }
  return changes;
}

/** The text with these changes, which are some of `findChanges`. */
export function applyChanges(before: string, changes: readonly TextChange[]): string {
  return changeLines(before.split("\n"), changes).join("\n");
}

/** The lines with these changes, which are in order and apart from each other. */
export function changeLines(lines: readonly string[], changes: readonly TextChange[]): string[] {
  const result: (readonly string[])[] = [];
  let from = 0;
  for (const { start, removed, added } of changes) {
    result.push(lines.slice(from, start), added);
    from = start + removed;
  }
  return [...result, lines.slice(from)].flat();
}

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
