import { type BenchRow, formatNumber, type NamedFigure } from "./benchRow.ts";

const heads = ["what", "ours", "peer", "limit", "ratio", "goal", "verdict"];
const widest = 120;

/** Formats the table for a terminal, then the reasons of failed rows. */
export function printTable(rows: readonly BenchRow[]): string {
  const table = alignedCells(rows).map((cells) => cells.join("  ").trimEnd());
  return [...table, ...failuresOf(rows)].join("\n");
}

export function printMarkdown(rows: readonly BenchRow[]): string {
  const [head = [], ...lines] = alignedCells(rows).map((cells) => cells.map((cell) => ` ${cell} `));
  const table = [head, head.map((cell) => ` ${"-".repeat(cell.length - 2)} `), ...lines];
  return [
    ...table.map((cells) => `|${cells.join("|")}|`),
    ...failuresOf(rows).map((each) => `\n${each}`),
  ].join("\n");
}

function alignedCells(rows: readonly BenchRow[]): readonly (readonly string[])[] {
  const all = [heads, ...rows.flatMap(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  return all.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
}

function cellsOf({ number, lines }: BenchRow): readonly (readonly string[])[] {
  return lines.map(({ what, ours, peer, limit, ratio, goal }) => [
    `${number}. ${what}`,
    formatNumber(ours.value, ours.unit),
    format(peer),
    format(limit),
    ratio === undefined ? "" : ratio.toFixed(3),
    goal.text,
    goal.holds ? "holds" : "short",
  ]);
}

function format(figure: NamedFigure | undefined): string {
  return figure === undefined ? "" : `${figure.name} ${formatNumber(figure.value)}`;
}

function failuresOf(rows: readonly BenchRow[]): readonly string[] {
  return rows.flatMap(({ number, failure }) =>
    failure === undefined ? [] : [`${number}. not measured: ${failure}`.slice(0, widest)],
  );
}
