import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { extensionsVariable } from "./endToEnd.ts";
import { installPackagedExtension } from "./installedExtension.ts";
import { outputFolder, screenshotFolder } from "./paths.ts";
import { runPlain } from "./plainRun.ts";
import { addResults, type StageResult } from "./stageResult.ts";

/** Editors at once: a test waits for its editor more than it computes. */
const atOnce = 2;

/** Packages the extension, installs it into a real editor and runs the tests of test/e2e in Chromium. */
export async function runEndToEnd(grep?: string): Promise<StageResult> {
  await rm(screenshotFolder, { recursive: true, force: true });
  await mkdir(path.join(outputFolder, "screenshots"), { recursive: true });
  await using folders = await installPackagedExtension();
  const claims = await mkdtemp(path.join(outputFolder, "claims-"));
  await using _removed = { [Symbol.asyncDispose]: () => rm(claims, { recursive: true }) };
  const run = (part: number): Promise<StageResult> =>
    runPlain(`e2e-${part + 1}`, {
      pattern: "test/e2e/**/*.test.ts",
      timeout: 120_000,
      limit: 45 * 60_000,
      grep,
      mark: `${part + 1}| `,
      claims,
      environment: { [extensionsVariable]: folders.extensions },
    });
  const runs = await Promise.allSettled(Array.from({ length: atOnce }, (_, part) => run(part)));
  const broken = runs.find((each) => each.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return addResults(runs.filter((each) => each.status === "fulfilled").map(({ value }) => value));
}
