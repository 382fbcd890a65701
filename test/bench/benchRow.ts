import * as v from "valibot";

const figureSchema = v.object({
  value: v.number(),
  /** Empty where a value is a share. */
  unit: v.string(),
});
const namedFigureSchema = v.object({ name: v.string(), ...figureSchema.entries });

/** One judged thing: a line of the table. */
const lineSchema = v.object({
  what: v.string(),
  ours: figureSchema,
  /** The best of those that do the same, in the unit of ours. */
  peer: v.optional(namedFigureSchema),
  /** The machine's best, or the editor's with nothing of ours in it, in the unit of ours. */
  limit: v.optional(namedFigureSchema),
  /** Ours by the peer's, or by the limit's where there is no peer: the median of the rounds. */
  ratio: v.optional(v.number()),
  /** Of ours if it names a unit, else of the ratio. */
  goal: v.object({ text: v.string(), holds: v.boolean() }),
});

/** What one bench measured, under the number by which it is asked for. */
const rowSchema = v.object({
  number: v.number(),
  lines: v.array(lineSchema),
  /** All else that it measured. */
  figures: v.array(namedFigureSchema),
  /** Why it measured nothing. */
  failure: v.optional(v.string()),
});

/** The contents of `figures.json`: what a full run measured, and on which machine. */
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

/** How much is measured: `full` for figures, `smallest` to see that a bench still runs. */
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

/** In the place of a row whose bench threw: the first line of what it threw first. */
export function failedRow(number: number, error: unknown): BenchRow {
  // What was open then may fail to be closed, too.
  if (error instanceof SuppressedError) return failedRow(number, error.suppressed);
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return { number, lines: [], figures: [], failure: reason };
}

/** Three digits that count; whole numbers have all of theirs. */
export function formatNumber(value: number, unit = ""): string {
  if (!Number.isFinite(value)) return "not measured";
  const maximumSignificantDigits = Math.max(3, String(Math.trunc(Math.abs(value))).length);
  return `${value.toLocaleString("en-US", { maximumSignificantDigits })} ${unit}`.trimEnd();
}
