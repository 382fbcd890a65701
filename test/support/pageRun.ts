import { coverageFolder } from "./page/pageCoverage.ts";
import { projectRoot } from "./paths.ts";
import { requireCommand } from "./runCommand.ts";
import { runShared } from "./sharedRun.ts";
import type { StageResult } from "./stageResult.ts";

/** Builds the pages and runs the tests of test/page on them in Chromium. */
export async function runPage(grep?: string): Promise<StageResult> {
  const sourcemap = coverageFolder() === undefined ? [] : ["--sourcemap"];
  await requireCommand(process.execPath, ["esbuild.mjs", ...sourcemap], { folder: projectRoot });
  return await runShared("page", {
    processes: 2,
    pattern: "test/page/**/*.test.ts",
    timeout: 240_000,
    limit: 15 * 60_000,
    grep,
  });
}
