// `npm test`: unit, page, host and end-to-end tests in this order. `test.ts <stage> [--grep <pattern>]` runs one
// stage; stages that take longer run only by name.
import { parseArgs } from "node:util";
import { runEditors } from "./editorsRun.ts";
import { runEndToEnd } from "./e2eRun.ts";
import { exitOnSignals } from "./exitOnSignals.ts";
import { runFaults } from "./faultsRun.ts";
import { runHost } from "./hostRun.ts";
import { runStorageRecording } from "./storageRecordingRun.ts";
import { describeError } from "./setupProblem.ts";
import type { StageResult } from "./stageResult.ts";
import { runNightly } from "./nightlyRun.ts";
import { runPage } from "./pageRun.ts";
import { runScreenshots } from "./screenshotsRun.ts";
import { runUnit } from "./unitRun.ts";

interface Stage {
  readonly name: string;
  readonly title: string;
  readonly run: (grep?: string) => Promise<StageResult>;
  readonly byNameOnly?: boolean;
}

const stages: readonly Stage[] = [
  { name: "unit", title: "Unit tests, in plain Node", run: runUnit },
  { name: "page", title: "Page tests, on the built page in a real browser", run: runPage },
  { name: "host", title: "Host tests, in the editor's extension host", run: (grep) => runHost({ grep }) },
  { name: "e2e", title: "End-to-end tests, on the packaged extension in a real editor", run: runEndToEnd },
  { name: "nightly", title: "End-to-end tests of longer and rarer paths", run: runNightly, byNameOnly: true },
  {
    name: "editors",
    title: "Host tests, in the oldest and the newest editor",
    run: runEditors,
    byNameOnly: true,
  },
  {
    name: "screenshots",
    title: "The pictures of the README",
    run: runScreenshots,
    byNameOnly: true,
  },
  {
    name: "storage-recording",
    title: "The recording of what is stored",
    run: runStorageRecording,
    byNameOnly: true,
  },
  { name: "faults", title: "Faults, on the wire and at home", run: runFaults, byNameOnly: true },
];

/** A stage that throws counts as one failure, so that nobody takes it for a pass. */
async function runStage(stage: Stage, grep?: string): Promise<StageResult> {
  console.log(`\n${stage.title}`);
  const start = performance.now();
  try {
    const result = await stage.run(grep);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${stage.title}: ${result.passed} passed, ${result.failures.length} failed, ${seconds} s`);
    return result;
  } catch (error) {
    const failure = `${stage.title}: ${describeError(error)}`;
    console.error(failure);
    return { passed: 0, failures: [failure] };
  }
}

exitOnSignals();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: "string" } },
});
const unknown = positionals.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) throw new Error(`No such stage: ${unknown.join(", ")}`);
const chosen = stages.filter(({ name, byNameOnly }) =>
  positionals.length === 0 ? byNameOnly !== true : positionals.includes(name),
);
let passed = 0;
const failures: string[] = [];
for (const stage of chosen) {
  const result = await runStage(stage, values.grep);
  passed += result.passed;
  failures.push(...result.failures);
}
// Prints the failures again at the end: they are easier to find there than in a long report.
for (const failure of failures) console.log(`\nFailed: ${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
