// Runs the tests that match a glob in a process of its own: `mochaStage.ts <glob> <result file> <timeout> [pattern]`.
import path from "node:path";
import { exitOnSignals } from "./exitOnSignals.ts";
import { findFiles } from "./findFiles.ts";
import { runMocha } from "./mochaRun.ts";
import { projectRoot } from "./paths.ts";

const [pattern, resultFile, timeout, grep] = process.argv.slice(2);
if (pattern === undefined || resultFile === undefined || timeout === undefined) {
  throw new Error("A glob, a result file and a timeout are needed.");
}
exitOnSignals();
const files = (await findFiles(pattern)).map((file) => path.join(projectRoot, file));
await runMocha({ files, resultFile, timeout: Number(timeout), grep });
