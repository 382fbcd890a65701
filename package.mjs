// `npm run package [-- --out <file>] [--source <address>]`: builds the extension and packages it, the same bytes
// for the same commit. In the address of the source `{}` stands for `blob`, where pages are, or `raw`, where pictures are.
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
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
const { values } = parseArgs({ options: { out: { type: "string" }, source: { type: "string" } } });
await import("./esbuild.mjs");
const { createVSIX } = await import("@vscode/vsce");
const { name, version } = JSON.parse(await readFile("package.json", "utf8"));
const packagePath = values.out ?? `${name}-${version}.vsix`;
await createVSIX({
  dependencies: false,
  allowMissingRepository: true,
  // In a listing the README stands alone: its links and pictures are those of the repository's host.
  rewriteRelativeLinks: values.source !== undefined,
  ...(values.source === undefined
    ? {}
    : {
        baseContentUrl: values.source.replace("{}", "blob"),
        baseImagesUrl: values.source.replace("{}", "raw"),
      }),
  packagePath,
});
