import { coverageFolder } from "./page/pageCoverage.ts";
import { projectRoot } from "./paths.ts";
import { requireCommand } from "./runCommand.ts";

let built: Promise<void> | undefined;

/** Builds the extension into `dist`, once for all stages of a run. */
export async function buildExtension(): Promise<void> {
  const sourcemap = coverageFolder() === undefined ? [] : ["--sourcemap"];
  built ??= requireCommand(process.execPath, ["esbuild.mjs", ...sourcemap], { folder: projectRoot });
  await built;
}
