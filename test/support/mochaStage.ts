// Runs test files in a separate process: `mochaStage.ts <glob> <result file> <timeout> <claims> [pattern]`.
// Processes with the same folder of claims share the files. With an empty folder name, this process runs all files.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { claimFiles } from "./claimFiles.ts";
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
  batches: claims === "" ? [files] : claimFiles(files, claims),
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
