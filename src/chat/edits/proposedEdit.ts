import {
  type LineRange,
  mapLines,
  applyChanges,
  findChanges,
  type TextChange,
  changeLines,
} from "../../text/lineChanges.ts";

/** A change in the diff: `start` is its line in the current text, `shownAt` its line in the proposal. */
export interface Hunk extends RebasedChange {
  readonly shownAt: number;
}

/**
 * A proposal for a text that others keep changing. The base stays the original text, so a change that was made and
 * then undone is proposed again.
 */
export class ProposedEdit {
  readonly base: string;
  #proposed: string;
  /** Computed on first use, since a streaming proposal is only displayed. */
  #found: readonly TextChange[] | undefined;
  /** Accepted changes. Later edits of these lines belong to the user. */
  #accepted = new Set<TextChange>();
  #last: { readonly now: string; readonly hunks: readonly Hunk[] } | undefined;
  /** Base lines that the user changed since an earlier proposal was requested. Changes of these lines are conflicts. */
  readonly #owned: readonly LineRange[];

  /** `base` and `proposed` use `\n`. */
  constructor(base: string, proposed: string, owned: readonly LineRange[] = []) {
    this.base = base;
    this.#proposed = proposed;
    this.#owned = owned;
  }

  /**
   * Starts another proposal, based on the current text. Lines changed since the first base stay conflicts, except
   * accepted changes.
   */
  next(now: string): ProposedEdit {
    const accepted = this.#changes.filter((change) => this.#accepted.has(change));
    const made = findChanges(this.base, now);
    const owned = this.#owned.map((range) => mapLines(range, made));
    return new ProposedEdit(now, now, [...owned, ...linesChanged(applyChanges(this.base, accepted), now)]);
  }

  /** Replaces the proposal for the same base. */
  propose(proposed: string): void {
    this.#proposed = proposed;
    this.#found = undefined;
    this.#accepted = new Set();
    this.#last = undefined;
  }

  /** Returns the undecided changes, in order. */
  hunksIn(now: string): readonly Hunk[] {
    if (this.#last?.now === now) return this.#last.hunks;
    let grown = 0;
    const hunks = rebaseChanges(this.base, now, this.#changes)
      .filter((change) => change.kind === "clean" || !change.sources.every((each) => this.#isAccepted(each)))
      .map((change): Hunk => {
        const shownAt = change.start + grown;
        grown += change.added.length - change.removed;
        return { ...change, shownAt, kind: this.#isOwned(change) ? "conflict" : change.kind };
      });
    this.#last = { now, hunks };
    return hunks;
  }

  /** Returns the current text with all undecided changes. */
  textIn(now: string): string {
    if (now === this.base && this.#found === undefined) return this.#proposed;
    return applyChanges(now, this.hunksIn(now));
  }

  /** Returns the current text with the changes that undo no other edit. */
  cleanTextIn(now: string): string {
    return applyChanges(
      now,
      this.hunksIn(now).filter(({ kind }) => kind === "clean"),
    );
  }

  /** Call this after the hunk was written to the text. */
  accept(hunk: Hunk): void {
    for (const source of hunk.sources) {
      const change = this.#changes[source];
      if (change !== undefined) this.#accepted.add(change);
    }
    this.#last = undefined;
  }

  /**
   * Removes a change from the proposal. The returned function restores the change, unless there is another proposal.
   */
  reject(hunk: Hunk): () => void {
    const proposed = this.#proposed;
    const rejected = this.#changes.filter((_, index) => hunk.sources.includes(index));
    this.#found = this.#changes.filter((change) => !rejected.includes(change));
    this.#last = undefined;
    return () => {
      if (this.#proposed !== proposed) return;
      const left = this.#changes.filter((change) => !rejected.includes(change));
      this.#found = [...left, ...rejected].toSorted((one, other) => one.start - other.start);
      this.#last = undefined;
    };
  }

  get #changes(): readonly TextChange[] {
    this.#found ??= findChanges(this.base, this.#proposed);
    return this.#found;
  }

  #isAccepted(source: number): boolean {
    const change = this.#changes[source];
    return change !== undefined && this.#accepted.has(change);
  }

  #isOwned({ sources }: RebasedChange): boolean {
    return sources.some((source) => {
      const change = this.#changes[source];
      // Adjacent lines count too: after a deletion, only the lines next to it remain.
      return (
        change !== undefined &&
        this.#owned.some(({ start, end }) => change.start <= end && start <= change.start + change.removed)
      );
    });
  }
}

/** Returns the line ranges of `after` that differ from `before`. */
function linesChanged(before: string, after: string): readonly LineRange[] {
  let grown = 0;
  return findChanges(before, after).map(({ start, removed, added }) => {
    const line = start + grown;
    grown += added.length - removed;
    return { start: line, end: line + added.length };
  });
}

/** One proposed change, or several that share lines, placed in the current text. */
interface RebasedChange extends TextChange {
  /** `conflict`: the lines have changed since. Applying the change would undo that. */
  readonly kind: "clean" | "conflict";
  /** Indexes of the proposed changes. */
  readonly sources: readonly number[];
}

/** A change of one side, in lines of the base. */
interface SidedChange {
  readonly change: TextChange;
  /** Index of the proposed change; undefined for another edit. */
  readonly source: number | undefined;
}

/**
 * Places changes proposed for `base` in `now`, the text after other edits. Omits changes that `now` already contains.
 * The clean changes undo none of the other edits.
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
    // No other edit touches these lines. If all changes of a group are from one side, the group has exactly one change.
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

/** Groups sorted changes. A change that overlaps a change of the other side joins its group. */
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

/** Adjacent changes do not overlap. Two insertions at the same line do, since their order is unknown. */
function overlap(left: TextChange, right: TextChange): boolean {
  if (left.removed === 0 && right.removed === 0) return left.start === right.start;
  return left.start < endOf(right) && right.start < endOf(left);
}

function byPlace({ change: left }: SidedChange, { change: right }: SidedChange): number {
  return left.start - right.start || left.removed - right.removed;
}

const endOf = ({ start, removed }: TextChange): number => start + removed;
const growth = ({ removed, added }: TextChange): number => added.length - removed;
