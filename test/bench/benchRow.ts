/** One measured thing of a row: ours, a peer's, or what the machine could do at best. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** Empty where the value is a place among others. */
  readonly unit: string;
  /** Of a peer's: the figure of ours that it is compared with, where that has another name. */
  readonly beside?: string;
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

/** Amounts up to the most, each ten times the one before: three of them, or two where a bench is only tried. */
export function growingAmounts(most: number, { scale }: BenchSize): readonly number[] {
  const shares = scale === 1 ? [0.01, 0.1, 1] : [0.1, 1];
  return shares.map((share) => Math.max(1, Math.round(most * share * scale)));
}

export function atMost(text: string, measured: number, most: number): Goal {
  return { text: `${text} at most ${short(most)}`, measured, holds: measured <= most };
}

export function atLeast(text: string, measured: number, least: number): Goal {
  return { text: `${text} at least ${short(least)}`, measured, holds: measured >= least };
}

/** In the place of a row whose bench has failed. */
export function failedRow(error: unknown): BenchRow {
  const first = firstOf(error);
  const [reason = ""] = (first instanceof Error ? first.message : String(first)).split("\n");
  const goals = [{ text: `measured: ${reason}`, measured: Number.NaN, holds: false }];
  return { what: "the whole row", ours: [], peers: [], limits: [], goals };
}

/** What failed first; what was open then may fail to be closed, too. */
function firstOf(error: unknown): unknown {
  return error instanceof SuppressedError ? firstOf(error.suppressed) : error;
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
  const growth = last.ours.flatMap(({ name, value, unit }, index): Figure[] => {
    const smallest = first.ours[index]?.value ?? Number.NaN;
    // Nothing is a multiple of none, nor of a place.
    return smallest === 0 || unit === ""
      ? []
      : [{ name: `${name}, of that of the smallest`, value: value / smallest, unit: "times" }];
  });
  return [...rows.slice(0, -1), { ...last, ours: [...last.ours, ...growth] }];
}
