import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { runEndToEnd } from "./e2eRun.ts";
import { reduceColours } from "./palettePicture.ts";
import { projectRoot, screenshotFolder } from "./paths.ts";
import type { StageResult } from "./stageResult.ts";

const pictures = ["chat", "check", "failure"];

/** Makes the images of the README with the test of the README's steps. */
export async function runScreenshots(): Promise<StageResult> {
  const result = await runEndToEnd(undefined, { pattern: "test/nightly/firstFiveMinutes.test.ts" });
  if (result.failures.length > 0) return result;
  const folder = path.join(projectRoot, "docs", "images");
  await mkdir(folder, { recursive: true });
  for (const name of pictures) {
    const picture = await readFile(path.join(screenshotFolder, `readme ${name}.png`));
    await writeFile(path.join(folder, `${name}.png`), reduceColours(picture));
  }
  return result;
}
