// `node build/release.ts <folder>` puts there what a release is made of: the package, the bill of materials
// and the checksums of both.
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
execFileSync("npm", ["run", "--silent", "package", "--", "--out", path.join(folder, packageName)], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
await copyFile("dist/bill-of-materials.cdx.json", path.join(folder, billName));
const sums = await Promise.all([packageName, billName].map(checksumLine));
await writeFile(path.join(folder, "SHA256SUMS"), sums.join(""));

/** As `sha256sum --check` reads it. */
async function checksumLine(file: string): Promise<string> {
  const bytes = await readFile(path.join(folder, file));
  return `${createHash("sha256").update(bytes).digest("hex")}  ${file}\n`;
}
