import { writeFile } from "node:fs/promises";
import { format } from "node:util";
import Mocha from "mocha";
import type { StageResult } from "./stageResult.ts";

export interface MochaRunOptions {
  /** Absolute paths, of which each group is run by itself. */
  readonly batches: AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
  /** Gets the counts as JSON once every test has run; no such file means that the run did not end. */
  readonly resultFile: string;
  readonly timeout: number;
  /** Runs only the tests whose full title matches. */
  readonly grep?: string | undefined;
  /** Where the lines of the report go; the console by default. */
  readonly report?: (line: string) => void;
}

/** Runs the tests of some files with Mocha and writes how many passed and failed. */
export async function runMocha(options: MochaRunOptions): Promise<void> {
  if (options.report !== undefined) redirectReport(options.report);
  const counts = { passed: 0, failed: 0 };
  for await (const files of options.batches) {
    const { passed, failed } = await runBatch(files, options);
    counts.passed += passed;
    counts.failed += failed;
  }
  await writeFile(options.resultFile, JSON.stringify(counts));
}

async function runBatch(files: readonly string[], { timeout, grep }: MochaRunOptions): Promise<StageResult> {
  const mocha = new Mocha({
    ui: "bdd",
    timeout,
    forbidOnly: true,
    forbidPending: true,
    color: false,
    ...(grep === undefined ? {} : { grep }),
  });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    const runner = mocha.run((failed) => {
      mocha.dispose();
      resolve({ passed: runner.stats?.passes ?? 0, failed });
    });
  });
}

/** The reporters of Mocha write through this one function. */
function redirectReport(report: (line: string) => void): void {
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => report(format(...values));
}
