// `npm run package [-- --out <file>] [--source <URL>]` builds the extension and packages it. The same commit gives the
// same bytes. In the source URL, `{}` stands for `blob` (pages) or `raw` (images).
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

/** The earliest time that the archive format supports, in seconds since 1970. For sources outside a repository. */
const earliest = "315532800";

function timeOfCommit() {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { encoding: "utf8" });
  return /^\d+$/.test(stdout?.trim() ?? "") ? stdout.trim() : earliest;
}

// The files in the archive have the commit's time in UTC, not in the machine's time zone.
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
  // A marketplace shows the README without the repository, so its links and images must be absolute.
  rewriteRelativeLinks: values.source !== undefined,
  ...(values.source === undefined
    ? {}
    : {
        baseContentUrl: values.source.replace("{}", "blob"),
        baseImagesUrl: values.source.replace("{}", "raw"),
      }),
  packagePath,
});
