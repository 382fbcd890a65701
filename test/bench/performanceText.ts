import type { BenchRow } from "./benchRow.ts";
import { toMarkdown, toTableLines } from "./benchTable.ts";

/** What profiling has found. */
const differences = [
  "The connection check's page is drawn once a frame, and the reader of events is loaded only where there are events.",
  "A trickle of text is shown at once, and a flood once a frame.",
  "Where the containment of styles changed, the browser went through the whole page; now it is there before a text grows.",
  "undici frees a connection one turn of the event loop behind an answer: who asks again waits for that turn, and not for another connection.",
  "The longest task of an answer is mostly the window's garbage collection, and not the page's drawing.",
];

/** The text of `docs/performance.md`. */
export function performanceText(facts: readonly string[], rows: readonly BenchRow[]): string {
  return [
    "# Performance",
    "",
    "What `npm run bench` measured, ours and others in one run on the same bytes. Times are medians of 7 runs and more",
    "(once: the first search of a history, and the memory of chats and pages). Where contenders take turns, a goal's ratio",
    "is the median of those of each round; the column of ratios divides the medians, ours by each peer's. Only the ratios",
    "tell of other machines.",
    "",
    "The goal of the package is judged without its seven translations, whose texts alone are half as large; with them it",
    "is above 400 KB.",
    "",
    ...facts.map((fact) => `- ${fact}`),
    "",
    toMarkdown(rows.flatMap(toTableLines)),
    "",
    "## What made the difference",
    "",
    ...differences.map((difference) => `- ${difference}`),
    "",
  ].join("\n");
}
