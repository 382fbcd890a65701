import { runShared } from "./sharedRun.ts";
import type { StageResult } from "./stageResult.ts";

/** Runs the tests that need only Node. */
export function runUnit(grep?: string): Promise<StageResult> {
  return runShared("unit", {
    processes: 2,
    pattern: "test/unit/**/*.test.ts",
    timeout: 60_000,
    limit: 15 * 60_000,
    grep,
  });
}
