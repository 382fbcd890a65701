import { runPlain } from "./plainRun.ts";
import type { StageResult } from "./stageResult.ts";

/** Runs the long tests of what goes wrong on the wire, on the disk and in the package; the unit tests have a part of each. */
export function runFaults(grep?: string): Promise<StageResult> {
  return runPlain("faults", {
    pattern: "test/faults/**/*.test.ts",
    timeout: 60_000,
    limit: 30 * 60_000,
    grep,
  });
}
