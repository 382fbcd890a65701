import {
  type LineRange,
  mapLines,
  applyChanges,
  findChanges,
  type TextChange,
} from "../../text/lineChanges.ts";
import { type RebasedChange, rebaseChanges } from "./rebaseChanges.ts";

/** A change as the diff shows it: `start` is its line in the text of now, `shownAt` that in the proposal. */
export interface Hunk extends RebasedChange {
  readonly shownAt: number;
}

/**
 * What is proposed for a text that others go on changing. The text as it was asked about stays the base,
 * so that a change which was made and then undone is proposed again.
 */
export class ProposedEdit {
  readonly base: string;
  #proposed: string;
  /** Found when they are asked for: while a proposal arrives it is only shown. */
  #found: readonly TextChange[] | undefined;
  /** Changes that the user has made; what they do to these lines from then on is theirs. */
  #accepted = new Set<TextChange>();
  #last: { readonly now: string; readonly hunks: readonly Hunk[] } | undefined;
  /** Lines of the base that its owner changed since an earlier proposal was asked for: a conflict, as then. */
  readonly #owned: readonly LineRange[];

  /** Both with `\n`. */
  constructor(base: string, proposed: string, owned: readonly LineRange[] = []) {
    this.base = base;
    this.#proposed = proposed;
    this.#owned = owned;
  }

  /** A further proposal, for the text of now. What was changed since the first base, but from here, stays its owner's. */
  next(now: string): ProposedEdit {
    const accepted = this.#changes.filter((change) => this.#accepted.has(change));
    const made = findChanges(this.base, now);
    const owned = this.#owned.map((range) => mapLines(range, made));
    return new ProposedEdit(now, now, [...owned, ...linesChanged(applyChanges(this.base, accepted), now)]);
  }

  /** Takes another proposal for the same base. */
  propose(proposed: string): void {
    this.#proposed = proposed;
    this.#found = undefined;
    this.#accepted = new Set();
    this.#last = undefined;
  }

  /** What is left to be decided, in order. */
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

  /** The text of now with everything that is left to be decided. */
  textIn(now: string): string {
    if (now === this.base && this.#found === undefined) return this.#proposed;
    return applyChanges(now, this.hunksIn(now));
  }

  /** The text of now with what undoes nothing that was done meanwhile. */
  cleanTextIn(now: string): string {
    return applyChanges(
      now,
      this.hunksIn(now).filter(({ kind }) => kind === "clean"),
    );
  }

  /** To be called when the hunk stands in the text. */
  accept(hunk: Hunk): void {
    for (const source of hunk.sources) {
      const change = this.#changes[source];
      if (change !== undefined) this.#accepted.add(change);
    }
    this.#last = undefined;
  }

  /** It is proposed no more. The result proposes it again, unless there is another proposal by then. */
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
      // Neighbours count as well: where lines were deleted, only the lines beside them tell.
      return (
        change !== undefined &&
        this.#owned.some(({ start, end }) => change.start <= end && start <= change.start + change.removed)
      );
    });
  }
}

/** The lines of `after` that are not as they were in `before`. */
function linesChanged(before: string, after: string): readonly LineRange[] {
  let grown = 0;
  return findChanges(before, after).map(({ start, removed, added }) => {
    const line = start + grown;
    grown += added.length - removed;
    return { start: line, end: line + added.length };
  });
}
