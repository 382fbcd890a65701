import * as v from "valibot";

const figureSchema = v.object({
  value: v.number(),
  /** Empty if the value is a count. */
  unit: v.string(),
});
const namedFigureSchema = v.object({ name: v.string(), ...figureSchema.entries });

/** One value with its goal: a line of the table. */
const lineSchema = v.object({
  what: v.string(),
  ours: figureSchema,
  /** Value of the best other program that does the same, in the unit of `ours`. */
  peer: v.optional(namedFigureSchema),
  /** The machine's best, or VS Code without our extension, in the unit of `ours`. */
  limit: v.optional(namedFigureSchema),
  /**
   * `ours` divided by `peer`, or by `limit` if there is no peer. If both are measured in rounds, the median of the
   * rounds' ratios.
   */
  ratio: v.optional(v.number()),
  /**
   * Applies to `ours` if the text has a unit, otherwise to `ratio`. With the unit `x limit`, applies to `ours` divided
   * by `limit`.
   */
  goal: v.object({ text: v.string(), holds: v.boolean() }),
});

/** The results of one bench, and the number that selects the bench. */
const rowSchema = v.object({
  number: v.number(),
  lines: v.array(lineSchema),
  /** All other measured values. */
  figures: v.array(namedFigureSchema),
  failure: v.optional(v.string()),
});

/** The contents of `figures.json`: the results of a full run, and the machine of the run. */
export const benchRunSchema = v.object({
  machine: v.pipe(v.array(v.string()), v.readonly()),
  rows: v.array(rowSchema),
});

export type Figure = v.InferOutput<typeof figureSchema>;
export type NamedFigure = v.InferOutput<typeof namedFigureSchema>;
export type BenchLine = v.InferOutput<typeof lineSchema>;
export type BenchRow = v.InferOutput<typeof rowSchema>;
export type BenchRun = v.InferOutput<typeof benchRunSchema>;
export type BenchResult = Pick<BenchRow, "lines" | "figures">;

/** How much to measure: `fullSize` for real figures, `smallestSize` to check that a bench still runs. */
export interface BenchSize {
  readonly runs: number;
  /** Factor for amounts, at most 1. */
  readonly scale: number;
}

export const fullSize: BenchSize = { runs: 9, scale: 1 };
export const smallestSize: BenchSize = { runs: 1, scale: 0.02 };

export function milliseconds(value: number): Figure {
  return { value, unit: "ms" };
}

export function atMost(measured: number, most: number, unit = ""): BenchLine["goal"] {
  return { text: `<= ${formatNumber(most, unit)}`, holds: measured <= most };
}

export function atLeast(measured: number, least: number, unit = ""): BenchLine["goal"] {
  return { text: `>= ${formatNumber(least, unit)}`, holds: measured >= least };
}

/** Creates the row of a bench that threw. `failure` is the first line of the first error. */
export function failedRow(number: number, error: unknown): BenchRow {
  // Disposing may have failed too, after the first error.
  if (error instanceof SuppressedError) return failedRow(number, error.suppressed);
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return { number, lines: [], figures: [], failure: reason };
}

/** Formats a number with three significant digits; keeps all digits of the integer part. */
export function formatNumber(value: number, unit = ""): string {
  if (!Number.isFinite(value)) return "not measured";
  const maximumSignificantDigits = Math.max(3, String(Math.trunc(Math.abs(value))).length);
  return `${value.toLocaleString("en-US", { maximumSignificantDigits })} ${unit}`.trimEnd();
}
