// `npm run package [-- --out <file>]`: builds the extension and packages it, the same bytes for the same commit.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

/** The first time that the format of the archive can tell; for sources that are in no repository. */
const earliest = "315532800";

function timeOfCommit() {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { encoding: "utf8" });
  return /^\d+$/.test(stdout?.trim() ?? "") ? stdout.trim() : earliest;
}

// The files in the archive bear the commit's time, and that in no time zone of this machine.
process.env.TZ = "UTC";
process.env.SOURCE_DATE_EPOCH ??= timeOfCommit();
const { values } = parseArgs({ options: { out: { type: "string" } } });
await import("./esbuild.mjs");
const { createVSIX } = await import("@vscode/vsce");
await createVSIX({
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
  ...(values.out === undefined ? {} : { packagePath: values.out }),
});
