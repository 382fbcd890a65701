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
  readonly others: readonly Figure[];
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
