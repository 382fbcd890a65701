import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { browserCachesVariable, editorPortVariable, freePort } from "./browserCaches.ts";
import { extensionsVariable } from "./endToEnd.ts";
import { installPackagedExtension } from "./installedExtension.ts";
import { outputFolder, screenshotFolder } from "./paths.ts";
import { runShared } from "./sharedRun.ts";
import type { StageResult } from "./stageResult.ts";

/** Number of editors at once: more than one, because a test mostly waits for its editor. */
const atOnce = 2;

/** Milliseconds for one test. A test may load its window several times on a slow, busy machine. */
const perTest = 600_000;

export interface EndToEndRunOptions {
  /** Number of editors at once; 1 for tests whose measurements must not be disturbed. */
  readonly editors?: number;
  /** Minutes for all tests together. */
  readonly limitMinutes?: number;
  /** Glob of the test files; all files by default. */
  readonly pattern?: string;
}

/** Packages the extension, installs it into a real editor and runs the tests of test/e2e in Chromium. */
export async function runEndToEnd(
  grep?: string,
  { editors = atOnce, limitMinutes = 80, pattern = "test/e2e/**/*.test.ts" }: EndToEndRunOptions = {},
): Promise<StageResult> {
  await rm(screenshotFolder, { recursive: true, force: true });
  await mkdir(path.join(outputFolder, "screenshots"), { recursive: true });
  await using folders = await installPackagedExtension();
  return await runShared("e2e", {
    processes: editors,
    pattern,
    timeout: perTest,
    limit: limitMinutes * 60_000,
    grep,
    environmentOf: async (part, folder) => ({
      [extensionsVariable]: folders.extensions,
      [editorPortVariable]: String(await freePort()),
      [browserCachesVariable]: path.join(folder, `caches-${part}`),
    }),
  });
}
