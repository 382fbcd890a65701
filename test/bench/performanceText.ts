import type { BenchRun } from "./benchRow.ts";
import { printMarkdown } from "./benchTable.ts";

/** The text of `docs/performance.md`. */
export function performanceText({ machine, rows }: BenchRun): string {
  return [
    "# Performance",
    "",
    "What `npm run bench` measured: ours and others in one run, on the same bytes. Figures are medians. Peer is the best of",
    "those that do the same; limit what the machine, or the editor with nothing of ours in it, gives. Both have the unit of",
    "ours. Ratio is ours by the peer's, or by the limit's where there is no peer; where they take turns, the median of the",
    "rounds. A goal with a unit is one for ours, a goal without one for the ratio. Only ratios tell of other machines.",
    "All other figures are in [`test/bench/figures.json`](../test/bench/figures.json).",
    "",
    ...machine.map((fact) => `- ${fact}`),
    "",
    printMarkdown(rows),
    "",
  ].join("\n");
}
