// `node build/release.ts <folder>` replaces the folder with the files of a release: the package, the bill of materials,
// and the checksums of both. If GITHUB_SERVER_URL, GITHUB_REPOSITORY, and GITHUB_SHA are set, the links of the README
// lead to that repository and commit.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";

const manifestSchema = v.object({ name: v.string(), version: v.string() });

const folder = process.argv[2] ?? "release";
const { name, version } = v.parse(manifestSchema, JSON.parse(await readFile("package.json", "utf8")));
const packageName = `${name}-${version}.vsix`;
const billName = `${name}-${version}.cdx.json`;

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
execFileSync(
  "npm",
  ["run", "--silent", "package", "--", "--out", path.join(folder, packageName), ...source()],
  {
    stdio: "inherit",
    shell: process.platform === "win32",
  },
);
await copyFile("dist/bill-of-materials.cdx.json", path.join(folder, billName));
const sums = await Promise.all([packageName, billName].map(checksumLine));
await writeFile(path.join(folder, "SHA256SUMS"), sums.join(""));

/** Returns the `--source` option of package.mjs, or nothing if the repository and the commit are unknown. */
function source(): readonly string[] {
  const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: repository, GITHUB_SHA: commit } = process.env;
  const isKnown = host !== undefined && repository !== undefined && commit !== undefined;
  return isKnown ? ["--source", `${host}/${repository}/{}/${commit}`] : [];
}

/** A line in the format of `sha256sum --check`. */
async function checksumLine(file: string): Promise<string> {
  const bytes = await readFile(path.join(folder, file));
  return `${createHash("sha256").update(bytes).digest("hex")}  ${file}\n`;
}
