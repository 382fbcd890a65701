import type { LongestTask } from "./longTasks.ts";

/** What was measured, beside what is aimed at. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  /** Undefined where there is no goal. */
  readonly holds: boolean | undefined;
}

export function rowOf(what: string, value: number, unit: string, most?: number): Row {
  return {
    what,
    measured: `${value >= 100 ? Math.round(value) : value.toFixed(value < 10 ? 2 : 1)} ${unit}`,
    goal: most === undefined ? "" : `at most ${most} ${unit}`.trim(),
    holds: most === undefined ? undefined : value <= most,
  };
}

/**
 * The longest task of a thread. Its duration counts what other programs take, unless the thread has a processor
 * alone, and is judged only where it has.
 */
export function taskRows(
  what: string,
  { cpu, wall }: LongestTask,
  { most, alone }: { readonly most: number; readonly alone: boolean },
): readonly Row[] {
  return [
    alone
      ? rowOf(`${what}: longest task, its duration`, wall, "ms", most)
      : rowOf(`${what}: longest task, its duration (not judged)`, wall, "ms"),
    rowOf(`${what}: longest task, its CPU`, cpu, "ms", most),
  ];
}

/** 1 where a goal is not met. At its smallest a bench only shows that it runs. */
export function exitCodeOf(rows: readonly Row[], isSmallest: boolean): 0 | 1 {
  return shortfallOf(rows) === undefined || isSmallest ? 0 : 1;
}

/** What falls short of its goal: one line, or undefined where all goals are met. */
export function shortfallOf(rows: readonly Row[]): string | undefined {
  const missed = rows.filter(({ holds }) => holds === false);
  if (missed.length === 0) return undefined;
  return `Falls short: ${missed.map(({ what, measured, goal }) => `${what} (${measured}, ${goal})`).join("; ")}`;
}

export function printTable(title: string, rows: readonly Row[]): void {
  const columns = rows.map(({ what, measured, goal, holds }) => [
    what,
    measured,
    goal,
    holds === undefined ? "" : holds ? "holds" : "falls short",
  ]);
  const all = [["what", "measured", "goal", ""], ...columns];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const row of all) {
    console.log(`  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd());
  }
}
