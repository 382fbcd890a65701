import { type BenchRow, type Figure, short } from "./benchRow.ts";

/** One line of the printed table: a row's goal, or a row that has none. */
export interface TableLine {
  readonly what: string;
  readonly ours: string;
  readonly peers: string;
  readonly limit: string;
  /** Ours divided by each peer's. */
  readonly ratio: string;
  readonly goal: string;
  readonly measured: string;
  readonly verdict: string;
}

export function toTableLines(row: BenchRow): readonly TableLine[] {
  const { what, ours, peers, limits } = row;
  const figures = { what, ours: say(ours), peers: say(peers), limit: say(limits), ratio: sayRatios(row) };
  if (row.goals.length === 0) return [{ ...figures, goal: "", measured: "", verdict: "" }];
  return row.goals.map(({ text, measured, holds }, index) => ({
    ...(index === 0 ? figures : { what: "", ours: "", peers: "", limit: "", ratio: "" }),
    goal: text,
    measured: short(measured),
    verdict: holds ? "holds" : "falls short",
  }));
}

/** Lines of a printed table with a figure that is missing. */
export function linesNotMeasured(printed: string): readonly string[] {
  return printed.split("\n").filter((line) => line.includes("not measured"));
}

/** The lines as a table of Markdown. */
export function toMarkdown(lines: readonly TableLine[]): string {
  const heads = ["what", "ours", "peers", "limit", "ratio", "goal", "measured", "verdict"] as const;
  const rows = lines.map(
    (line) => `| ${heads.map((head) => line[head].replaceAll("|", "\\|")).join(" | ")} |`,
  );
  return [`| ${heads.join(" | ")} |`, `|${" --- |".repeat(heads.length)}`, ...rows].join("\n");
}

function say(figures: readonly Figure[]): string {
  return figures.map(({ name, value, unit }) => `${name} ${short(value)} ${unit}`.trimEnd()).join("; ");
}

/** By the figure of ours that has the peer's name, or else by the first of its unit; none where no unit is alike. */
function sayRatios({ ours, peers }: BenchRow): string {
  const ratios = peers.flatMap(({ name, value, unit, beside = name }) => {
    const alike = ours.filter((each) => each.unit === unit);
    const own = alike.find((each) => each.name === beside) ?? alike[0];
    const ratio = (own?.value ?? Number.NaN) / value;
    return Number.isFinite(ratio) ? [`${name}: ${short(ratio)}`] : [];
  });
  return ratios.join("; ");
}
