/**
 * How quick it all is, beside others on the same bytes in the same run:
 * `npm run bench [-- --rows 1,2] [--smallest]`. Writes `docs/performance.md` when all rows were asked for. Ends with 1
 * where one could not be measured.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { exitOnSignals } from "../support/exitOnSignals.ts";
import { projectRoot } from "../support/paths.ts";
import { requireCommand } from "../support/runCommand.ts";
import { benchActivation } from "./activation.ts";
import { benchAnswers } from "./answers.ts";
import { type BenchRow, type BenchSize, failedRow, fullSize, smallestSize } from "./benchRow.ts";
import { benchCheck } from "./check.ts";
import { benchDecode } from "./decode.ts";
import { benchFileSearch } from "./fileSearch.ts";
import { benchHistory } from "./history.ts";
import { benchLanguageModels } from "./languageModels.ts";
import { machineFacts } from "./machine.ts";
import { benchMemory } from "./memory.ts";
import { benchOpeningView } from "./openingView.ts";
import { benchPainted } from "./painted.ts";
import { performanceText } from "./performanceText.ts";
import { closeSharedEditor } from "./sharedEditor.ts";
import { benchSize } from "./size.ts";
import { benchStreamsAtOnce } from "./streamsAtOnce.ts";
import { toTableLines } from "./benchTable.ts";
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
const chosen = (values.rows?.split(",").map(Number) ?? [...benches.keys()]).map(findBench);
const size = values.smallest ? smallestSize : fullSize;
const measuredRows = new Map<number, readonly BenchRow[]>();
for (const [number, bench] of chosen) {
  const measured = await measureRow(bench);
  measuredRows.set(
    number,
    measured.map((row) => ({ ...row, what: `${number}. ${row.what}` })),
  );
  console.table(measured.flatMap(toTableLines));
}
const rows = [...measuredRows].toSorted(([one], [other]) => one - other).flatMap(([, each]) => each);
if (values.rows === undefined && !values.smallest) {
  const file = path.join(projectRoot, "docs", "performance.md");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, performanceText(await machineFacts(), rows));
  await requireCommand("npx", ["oxfmt", file], { folder: projectRoot });
}
const short = rows.flatMap(({ goals }) => goals).filter(({ holds }) => !holds).length;
console.log(`${rows.length} rows measured, ${short} goals fall short`);

function findBench(number: number): readonly [number, Bench] {
  const bench = benches.get(number);
  if (bench === undefined) throw new Error(`There is no row ${number}`);
  return [number, bench];
}

/** A row that fails costs no other its figures, some of which take an hour. */
async function measureRow(bench: Bench): Promise<readonly BenchRow[]> {
  try {
    return await bench(size);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    // What it left there is nobody else's.
    await closeSharedEditor().catch((other: unknown) => console.error(other));
    return [failedRow(error)];
  }
}
