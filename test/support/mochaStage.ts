// Runs test files in a separate process: `mochaStage.ts <glob> <result file> <timeout> <claims> [pattern]`.
// Processes with the same folder of claims share the files. With an empty folder name, this process runs all files.
import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { exitOnSignals } from "./exitOnSignals.ts";
import { findFiles } from "./findFiles.ts";
import { runMocha } from "./mochaRun.ts";
import { projectRoot } from "./paths.ts";

const [pattern, resultFile, timeout, claims, grep] = process.argv.slice(2);
if (pattern === undefined || resultFile === undefined || claims === undefined) {
  throw new Error("Usage: mochaStage.ts <glob> <result file> <timeout> <claims> [pattern]");
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
// This timer does not keep the process alive: a process with nothing left open ends earlier.
setTimeout(endWithWhatIsOpen, 10_000).unref();

/**
 * A failed test may leave a server open, so this ends the process without waiting. If no test failed, an open
 * resource is itself a failure.
 */
function endWithWhatIsOpen(): void {
  const leftOpen = `Left open by the tests: ${process.getActiveResourcesInfo().join(", ")}`;
  console.log(leftOpen);
  if (result.failures.length === 0)
    writeFileSync(String(resultFile), JSON.stringify({ ...result, failures: [leftOpen] }));
  process.exit();
}

/** Yields the files that no other process has claimed, one after the other. */
async function* claimed(all: readonly string[], folder: string): AsyncGenerator<readonly string[]> {
  for (const file of all)
    if (await claim(path.join(folder, encodeURIComponent(path.relative(projectRoot, file))))) yield [file];
}

/** Claims a file. Returns false if another process was first, which the file system decides. */
async function claim(file: string): Promise<boolean> {
  try {
    await (await open(file, "wx")).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
