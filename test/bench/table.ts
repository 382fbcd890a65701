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
