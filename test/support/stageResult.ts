import { readFile, rm } from "node:fs/promises";
import * as v from "valibot";

/** The number of passed tests in a stage, and the failures. */
export interface StageResult {
  readonly passed: number;
  /** The full title and the error of each failed test, hook or stage. */
  readonly failures: readonly string[];
}

const resultSchema = v.object({ passed: v.number(), failures: v.array(v.string()) });

/** Runs a stage that writes its result to a file. Rejects if the file is missing. */
export async function collectResult(resultFile: string, run: () => Promise<void>): Promise<StageResult> {
  await rm(resultFile, { force: true });
  await run();
  const text = await readFile(resultFile, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error("The tests ended before all of them had run.");
  return v.parse(resultSchema, JSON.parse(text));
}

/** Adds up the results of a stage's parts. Throws if no test has run. */
export function addResults(results: readonly StageResult[]): StageResult {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failures = results.flatMap((result) => result.failures);
  if (passed + failures.length === 0) throw new Error("No test was found.");
  return { passed, failures };
}
