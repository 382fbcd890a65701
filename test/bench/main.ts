/**
 * How quick it all is, beside others on the same bytes in the same run:
 * `npm run bench [-- --rows 1,2] [--smallest]`. Writes `docs/performance.md` when all rows were measured.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { exitOnSignals } from "../support/exitOnSignals.ts";
import { projectRoot } from "../support/paths.ts";
import { requireCommand } from "../support/runCommand.ts";
import { benchActivation } from "./activation.ts";
import { benchAnswers } from "./answers.ts";
import { type BenchRow, type BenchSize, fullSize, smallestSize } from "./benchRow.ts";
import { benchCheck } from "./check.ts";
import { benchDecode } from "./decode.ts";
import { benchFileSearch } from "./fileSearch.ts";
import { benchHistory } from "./historyRow.ts";
import { benchLanguageModels } from "./languageModels.ts";
import { machineFacts } from "./machine.ts";
import { benchMemory } from "./memory.ts";
import { benchOpeningView } from "./openingView.ts";
import { benchPainted } from "./painted.ts";
import { closeSharedEditor } from "./sharedEditor.ts";
import { benchSize } from "./size.ts";
import { benchStreamsAtOnce } from "./streamsAtOnce.ts";
import { toMarkdown, toTableLines } from "./benchTable.ts";
import { benchTransport } from "./transport.ts";

type Bench = (size: BenchSize) => Promise<readonly BenchRow[]>;

/** In the order of measuring: what the editor's own chat has shown makes its window slow for all behind it. */
const benches: ReadonlyMap<number, Bench> = new Map<number, Bench>([
  [1, benchDecode],
  [2, benchTransport],
  [5, benchActivation],
  [6, benchSize],
  [7, benchMemory],
  [8, benchOpeningView],
  [9, benchHistory],
  [10, benchFileSearch],
  [11, benchCheck],
  [12, benchStreamsAtOnce],
  [13, benchLanguageModels],
  [3, benchPainted],
  [4, benchAnswers],
]);

exitOnSignals();
await using _editor = { [Symbol.asyncDispose]: closeSharedEditor };
const { values } = parseArgs({
  options: { rows: { type: "string" }, smallest: { type: "boolean", default: false } },
});
const chosen = values.rows?.split(",").map(Number) ?? [...benches.keys()];
const size = values.smallest ? smallestSize : fullSize;
const measuredRows = new Map<number, readonly BenchRow[]>();
for (const number of chosen) {
  const bench = benches.get(number);
  if (bench === undefined) throw new Error(`There is no row ${number}`);
  const measured = await bench(size);
  measuredRows.set(
    number,
    measured.map((row) => ({ ...row, what: `${number}. ${row.what}` })),
  );
  console.table(measured.flatMap(toTableLines));
}
const rows = [...measuredRows].toSorted(([one], [other]) => one - other).flatMap(([, each]) => each);
const lines = rows.flatMap(toTableLines);
if (values.rows === undefined && !values.smallest) {
  const file = path.join(projectRoot, "docs", "performance.md");
  await mkdir(path.dirname(file), { recursive: true });
  const facts = (await machineFacts()).map((fact) => `- ${fact}`);
  const text = [
    "# Performance",
    "",
    "What `npm run bench` measured, ours and others in one run on the same bytes. Times are medians of 7 runs and more",
    "(once: the first search of a history, and the memory of chats and pages). Where contenders take turns, a ratio is the",
    "median of those of each round. Only the ratios tell of other machines.",
    "",
    "The goal of the package is judged without its seven translations, whose texts alone are half as large; with them it",
    "is above 400 KB.",
    "",
    ...facts,
    "",
    toMarkdown(lines),
    "",
  ];
  await writeFile(file, text.join("\n"));
  await requireCommand("npx", ["oxfmt", file], { folder: projectRoot });
}
const short = rows.flatMap(({ goals }) => goals).filter(({ holds }) => !holds).length;
console.log(`${rows.length} rows measured, ${short} goals fall short`);
