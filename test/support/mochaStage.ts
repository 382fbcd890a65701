// Runs the tests of files in a process of its own:
// `mochaStage.ts <glob> <result file> <timeout> <part> <parts> [pattern]`, every so-manieth of the files.
import path from "node:path";
import { exitOnSignals } from "./exitOnSignals.ts";
import { findFiles } from "./findFiles.ts";
import { runMocha } from "./mochaRun.ts";
import { projectRoot } from "./paths.ts";

const [pattern, resultFile, timeout, part, parts, grep] = process.argv.slice(2);
if (pattern === undefined || resultFile === undefined || parts === undefined) {
  throw new Error("A glob, a result file, a timeout, a part and the number of parts are needed.");
}
exitOnSignals();
const files = (await findFiles(pattern))
  .filter((_file, index) => index % Number(parts) === Number(part))
  .map((file) => path.join(projectRoot, file));
await runMocha({ files, resultFile, timeout: Number(timeout), grep });
