import { runPlain } from "./plainRun.ts";
import type { StageResult } from "./stageResult.ts";

/** Runs the tests that need nothing but Node. */
export function runUnit(grep?: string): Promise<StageResult> {
  return runPlain("unit", { pattern: "test/unit/**/*.test.ts", timeout: 60_000, limit: 15 * 60_000, grep });
}
