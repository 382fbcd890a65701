import { readFile, rm } from "node:fs/promises";
import * as v from "valibot";

/** How many tests of a stage passed and failed. */
export interface StageResult {
  readonly passed: number;
  readonly failed: number;
}

const resultSchema = v.object({ passed: v.number(), failed: v.number() });

/** Runs a stage that leaves its counts in a file. A stage without counts, or without tests, is an error. */
export async function collectResult(resultFile: string, run: () => Promise<void>): Promise<StageResult> {
  await rm(resultFile, { force: true });
  await run();
  const text = await readFile(resultFile, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error("The tests ended before they had all run.");
  const result = v.parse(resultSchema, JSON.parse(text));
  return result;
}

/** Adds up the results of a stage's parts. A stage without tests is an error. */
export function addResults(results: readonly StageResult[]): StageResult {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (passed + failed === 0) throw new Error("No test was found.");
  return { passed, failed };
}
