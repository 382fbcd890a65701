import { diffArrays } from "diff";

/** A replacement of lines in a text. */
export interface TextChange {
  /** Line in the old text, counted from 0. */
  readonly start: number;
  /** Number of removed lines. */
  readonly removed: number;
  readonly added: readonly string[];
}

/** Maximum number of removed plus added lines. Above this, the whole text is one change. */
const maxEdits = 5000;

/** Returns the changes from one text to the other, in order and without overlap. Lines end with `\n`. */
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

/** Applies all or some of the changes from `findChanges` to the text. */
export function applyChanges(before: string, changes: readonly TextChange[]): string {
  return changeLines(before.split("\n"), changes).join("\n");
}

/** Applies changes to lines. The changes must be in order and must not overlap. */
export function changeLines(lines: readonly string[], changes: readonly TextChange[]): string[] {
  const result: (readonly string[])[] = [];
  let from = 0;
  for (const { start, removed, added } of changes) {
    result.push(lines.slice(from, start), added);
    from = start + removed;
  }
  return [...result, lines.slice(from)].flat();
}

/** Lines counted from 0; `end` is exclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Maps a range of lines to its position after the changes. Changes inside the range or across its edges become part of
 * it. Insertions at its edges do not.
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
      // The change overlaps the range, so the range includes all of the change.
      newStart -= Math.max(0, start - change.start);
      newEnd += grown + Math.max(0, changeEnd - end);
    }
  }
  return { start: newStart, end: newEnd };
}
