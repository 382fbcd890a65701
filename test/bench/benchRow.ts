/** One measured thing of a row: ours, a peer's, or what the machine could do at best. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** What was promised of a row, and what it came to. */
export interface Goal {
  readonly text: string;
  readonly measured: number;
  readonly holds: boolean;
}

/** A row of the table in `docs/performance.md`. */
export interface BenchRow {
  readonly what: string;
  readonly ours: readonly Figure[];
  /** Others that do the same. */
  readonly peers: readonly Figure[];
  /** What the machine, or the editor with nothing of ours in it, gives at best; or where ours began. */
  readonly limits: readonly Figure[];
  readonly goals: readonly Goal[];
}

/** How much is measured: `full` for figures, `smallest` to see that a bench still runs. */
export interface BenchSize {
  readonly runs: number;
  /** Factor for amounts, at most 1. */
  readonly scale: number;
}

export const fullSize: BenchSize = { runs: 9, scale: 1 };
export const smallestSize: BenchSize = { runs: 1, scale: 0.02 };

export function atMost(text: string, measured: number, most: number): Goal {
  return { text: `${text} at most ${short(most)}`, measured, holds: measured <= most };
}

export function atLeast(text: string, measured: number, least: number): Goal {
  return { text: `${text} at least ${short(least)}`, measured, holds: measured >= least };
}

/** Three digits that count. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "not measured";
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/**
 * The rows of one thing at growing sizes; the last says of each figure of ours how many times that of the
 * first it is.
 */
export function withGrowth(rows: readonly BenchRow[]): readonly BenchRow[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || first === last) return rows;
  // Nothing is a multiple of none.
  const growth = last.ours.flatMap(({ name, value }, index): Figure[] => {
    const smallest = first.ours[index]?.value ?? Number.NaN;
    return smallest === 0
      ? []
      : [{ name: `${name}, of that of the smallest`, value: value / smallest, unit: "times" }];
  });
  return [...rows.slice(0, -1), { ...last, ours: [...last.ours, ...growth] }];
}
