import type { BenchRun } from "./benchRow.ts";
import { printMarkdown } from "./benchTable.ts";

/** The text of `docs/performance.md`. */
export function performanceText({ machine, rows }: BenchRun): string {
  return [
    "# Performance",
    "",
    "`npm run bench` measures Inference Chat and others in one run, on the same bytes. Numbers are medians.",
    "",
    "- **Peer**: the best of the others that do the same.",
    "- **Limit**: what the machine allows, or VS Code without Inference Chat.",
    "- **Ratio**: ours divided by the peer, or by the limit if there is no peer. Where both take turns, it is the median of the",
    "  rounds.",
    "- **Goal**: a goal with a unit is for our value, a goal without one is for the ratio.",
    "",
    "Peer and limit have the unit of our value. Only ratios can be compared with other machines. All other numbers are in",
    "[`test/bench/figures.json`](../test/bench/figures.json).",
    "",
    ...machine.map((fact) => `- ${fact}`),
    "",
    printMarkdown(rows),
    "",
  ].join("\n");
}
