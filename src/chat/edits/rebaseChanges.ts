import { changeLines, findChanges, type TextChange } from "../../text/lineChanges.ts";

/** A proposed change, or several that lie in the same lines, where it stands in the text of now. */
export interface RebasedChange extends TextChange {
  /** `conflict`: the lines were changed meanwhile; to make it would undo that. */
  readonly kind: "clean" | "conflict";
  /** Which of the proposed changes, by their place in the list. */
  readonly sources: readonly number[];
}

/** One side's change, in lines of the base. */
interface SidedChange {
  readonly change: TextChange;
  /** Place in the list of proposed changes; undefined for one that was made meanwhile. */
  readonly source: number | undefined;
}

/**
 * Where changes that were proposed for `base` stand in `now`, which others have changed meanwhile. What
 * `now` has already is left out. To make the clean ones undoes nothing that was done meanwhile.
 */
export function rebaseChanges(
  base: string,
  now: string,
  proposed: readonly TextChange[],
): readonly RebasedChange[] {
  if (base === now) return proposed.map((change, index) => ({ ...change, kind: "clean", sources: [index] }));
  const made = findChanges(base, now).map((change): SidedChange => ({ change, source: undefined }));
  const asked = proposed.map((change, source): SidedChange => ({ change, source }));
  const baseLines = base.split("\n");
  const nowLines = now.split("\n");
  let shift = 0;
  return groupTouching([...made, ...asked].sort(byPlace)).flatMap((group) => {
    const before = shift;
    for (const { change, source } of group) if (source === undefined) shift += growth(change);
    const rebased = rebaseGroup(group, before, baseLines, nowLines);
    return rebased === undefined ? [] : [rebased];
  });
}

function rebaseGroup(
  group: readonly SidedChange[],
  shift: number,
  baseLines: readonly string[],
  nowLines: readonly string[],
): RebasedChange | undefined {
  const sources = group.flatMap(({ source }) => (source === undefined ? [] : [source]));
  const [first] = group;
  if (first === undefined || sources.length === 0) return undefined;
  if (sources.length === group.length) {
    // Nobody else was here: each group of one side alone is one change.
    return { ...first.change, start: first.change.start + shift, kind: "clean", sources };
  }
  const start = Math.min(...group.map(({ change }) => change.start));
  const end = Math.max(...group.map(({ change }) => endOf(change)));
  const asked = group.flatMap(({ change, source }) => (source === undefined ? [] : [change]));
  const grown = group.reduce(
    (sum, { change, source }) => sum + (source === undefined ? growth(change) : 0),
    0,
  );
  const removed = end - start + grown;
  const moved = asked.map((change) => ({ ...change, start: change.start - start }));
  const text = baseLines.slice(start, end);
  const added = changeLines(text, moved);
  const there = nowLines.slice(start + shift, start + shift + removed);
  const isThere = added.length === there.length && added.every((line, index) => line === there[index]);
  return isThere ? undefined : { start: start + shift, removed, added, kind: "conflict", sources };
}

/** Sorted changes in groups: what touches a change of the other side is in one group with it. */
function groupTouching(changes: readonly SidedChange[]): readonly (readonly SidedChange[])[] {
  const groups: SidedChange[][] = [];
  for (const next of changes) {
    const last = groups.at(-1);
    const touches = last?.some((other) => isOtherSide(other, next) && overlap(other.change, next.change));
    if (last !== undefined && touches === true) last.push(next);
    else groups.push([next]);
  }
  return groups;
}

function isOtherSide(left: SidedChange, right: SidedChange): boolean {
  return (left.source === undefined) !== (right.source === undefined);
}

/** Neighbours do not overlap; of two that come in between the same lines it is open which is first. */
function overlap(left: TextChange, right: TextChange): boolean {
  if (left.removed === 0 && right.removed === 0) return left.start === right.start;
  return left.start < endOf(right) && right.start < endOf(left);
}

function byPlace({ change: left }: SidedChange, { change: right }: SidedChange): number {
  return left.start - right.start || left.removed - right.removed;
}

const endOf = ({ start, removed }: TextChange): number => start + removed;
const growth = ({ removed, added }: TextChange): number => added.length - removed;
