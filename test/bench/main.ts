/**
 * Compares our speed with others, on the same bytes in the same run: `npm run bench [-- --rows 1,2] [--smallest]`.
 * If it runs all rows at full size, it writes `figures.json` and `docs/performance.md`. The exit code is 1 if a
 * row fails or, at full size, misses its goal.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { exitOnSignals } from "../support/exitOnSignals.ts";
import { projectRoot } from "../support/paths.ts";
import { requireCommand } from "../support/runCommand.ts";
import { benchActivation } from "./activation.ts";
import { benchAgentSteps } from "./agentSteps.ts";
import { benchAnswers } from "./answers.ts";
import {
  type BenchResult,
  type BenchRow,
  type BenchRun,
  type BenchSize,
  failedRow,
  fullSize,
  smallestSize,
  benchRunSchema,
} from "./benchRow.ts";
import { printTable } from "./benchTable.ts";
import { benchCheck } from "./check.ts";
import { benchDecode } from "./decode.ts";
import { benchFileSearch } from "./fileSearch.ts";
import { benchHistory } from "./history.ts";
import { benchLanguageModels } from "./languageModels.ts";
import { machineFacts } from "./machine.ts";
import { benchMemory } from "./memory.ts";
import { benchOpeningAgentChat } from "./openingAgentChat.ts";
import { benchOpeningView } from "./openingView.ts";
import { benchPainted } from "./painted.ts";
import { performanceText } from "./performanceText.ts";
import { closeSharedEditor } from "./sharedEditor.ts";
import { benchSize } from "./size.ts";
import { benchStreamsAtOnce } from "./streamsAtOnce.ts";
import { benchTransport } from "./transport.ts";

type Bench = (size: BenchSize) => Promise<BenchResult>;

/**
 * In the order of measuring. VS Code's own chat slows its window for all later rows, so the rows that use this chat
 * come last.
 */
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
  [14, benchAgentSteps],
  [15, benchOpeningAgentChat],
  [13, benchLanguageModels],
  [3, benchPainted],
  [4, benchAnswers],
]);

exitOnSignals();
await using _editor = { [Symbol.asyncDispose]: closeSharedEditor };
const { values } = parseArgs({
  options: { rows: { type: "string" }, smallest: { type: "boolean", default: false } },
});
const chosen = (values.rows?.split(",").map(Number) ?? [...benches.keys()]).map(findBench);
const size = values.smallest ? smallestSize : fullSize;
const rows: BenchRow[] = [];
for (const [number, bench] of chosen) {
  const row = await measureRow(number, bench);
  rows.push(row);
  console.log(`${printTable([row])}\n`);
}
rows.sort((one, other) => one.number - other.number);
if (values.rows === undefined && !values.smallest) await writeRun({ machine: await machineFacts(), rows });
const goals = rows.flatMap(({ lines }) => lines.map(({ goal }) => goal));
console.log(printTable(rows));
const short = goals.filter(({ holds }) => !holds).length;
console.log(`${goals.length} goals, ${short} of them fall short`);
if (short > 0 && !values.smallest) process.exitCode = 1;

function findBench(number: number): readonly [number, Bench] {
  const bench = benches.get(number);
  if (bench === undefined) throw new Error(`There is no row ${number}`);
  return [number, bench];
}

/** If the bench throws, returns a row with `failure`. The figures of other rows, some of an hour, must not be lost. */
async function measureRow(number: number, bench: Bench): Promise<BenchRow> {
  try {
    return { number, ...(await bench(size)) };
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    // Other rows must not use the editor that the failed row left behind.
    await closeSharedEditor().catch((other: unknown) => console.error(other));
    return failedRow(number, error);
  }
}

async function writeRun(run: BenchRun): Promise<void> {
  const figures = path.join(import.meta.dirname, "figures.json");
  const text = JSON.stringify(run, roundNumber, 2);
  await writeFile(figures, text);
  // Uses the rounded figures, so that both files agree.
  const rounded = v.parse(benchRunSchema, JSON.parse(text));
  await writeFile(path.join(projectRoot, "docs", "performance.md"), performanceText(rounded));
  await requireCommand("npx", ["oxfmt", figures], { folder: projectRoot });
}

/** Rounds fractions to four significant digits. */
function roundNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
