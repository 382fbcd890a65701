import { provideBrowser } from "./browser.ts";
import { buildExtension } from "./buildExtension.ts";
import { runShared } from "./sharedRun.ts";
import type { StageResult } from "./stageResult.ts";

/** Builds the pages and runs the tests of test/page on them in Chromium. */
export async function runPage(grep?: string): Promise<StageResult> {
  await buildExtension();
  await provideBrowser();
  return await runShared("page", {
    processes: 2,
    pattern: "test/page/**/*.test.ts",
    timeout: 240_000,
    limit: 15 * 60_000,
    grep,
  });
}
