import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { extensionsVariable } from "./endToEnd.ts";
import { installPackagedExtension } from "./installedExtension.ts";
import { outputFolder, screenshotFolder } from "./paths.ts";
import { runPlain } from "./plainRun.ts";
import type { StageResult } from "./stageResult.ts";

/** Packages the extension, installs it into a real editor and runs the tests of test/e2e in Chromium. */
export async function runEndToEnd(grep?: string): Promise<StageResult> {
  await rm(screenshotFolder, { recursive: true, force: true });
  await mkdir(path.join(outputFolder, "screenshots"), { recursive: true });
  await using folders = await installPackagedExtension();
  return await runPlain("e2e", {
    pattern: "test/e2e/**/*.test.ts",
    timeout: 60_000,
    limit: 15 * 60_000,
    grep,
    environment: { [extensionsVariable]: folders.extensions },
  });
}
