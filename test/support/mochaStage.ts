// Runs the tests of files in a process of its own:
// `mochaStage.ts <glob> <result file> <timeout> <claims> [pattern]`. Processes that are given the same folder
// of claims share the files; with an empty name all of them are this one's.
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { exitOnSignals } from "./exitOnSignals.ts";
import { findFiles } from "./findFiles.ts";
import { runMocha } from "./mochaRun.ts";
import { projectRoot } from "./paths.ts";

const [pattern, resultFile, timeout, claims, grep] = process.argv.slice(2);
if (pattern === undefined || resultFile === undefined || claims === undefined) {
  throw new Error("A glob, a result file, a timeout and a folder of claims are needed.");
}
exitOnSignals();
await import("./propertySeed.ts");
const files = (await findFiles(pattern)).map((file) => path.join(projectRoot, file));
const result = await runMocha({
  batches: claims === "" ? [files] : claimed(files, claims),
  resultFile,
  timeout: Number(timeout),
  grep,
});
// Does not hold the process itself: one that has nothing left open ends before.
setTimeout(endWithWhatIsOpen, 10_000).unref();

/** A test that fails may leave a server open, for which nobody shall wait; otherwise it is a failure of its own. */
function endWithWhatIsOpen(): void {
  const leftOpen = `Left open by the tests: ${process.getActiveResourcesInfo().join(", ")}`;
  console.log(leftOpen);
  if (result.failures.length === 0)
    writeFileSync(String(resultFile), JSON.stringify({ ...result, failures: [leftOpen] }));
  process.exit();
}

/** One file after the other, as long as there is one that no other process has claimed. */
async function* claimed(all: readonly string[], folder: string): AsyncGenerator<readonly string[]> {
  for (const file of all)
    if (await claim(path.join(folder, encodeURIComponent(path.relative(projectRoot, file))))) yield [file];
}

/** The file system decides who was first. */
async function claim(file: string): Promise<boolean> {
  try {
    await (await open(file, "wx")).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
