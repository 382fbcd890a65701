// Bundles the extension host's code and the pages into dist/, with the license notices and the bill of materials.
// `--metafile` also writes dist/meta-*.json to analyze sizes. `--sourcemap` adds source maps to the pages.
// `--watch` only bundles the code, with source maps, and again after each change.
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { billOfMaterials } from "./build/billOfMaterials.ts";
import { buildAll, watchAll } from "./build/buildAll.ts";
import { bundledPackages } from "./build/bundledPackages.ts";
import { thirdPartyNotices } from "./build/notices.ts";

async function writeFiles(files) {
  for (const file of files) {
    await mkdir(path.dirname(file.path), { recursive: true });
    await writeFile(file.path, file.contents);
  }
}

await rm("dist", { recursive: true, force: true });
await mkdir("dist");
if (process.argv.includes("--watch")) {
  await watchAll(process.cwd(), writeFiles);
} else {
  const { files, host, page } = await buildAll(process.cwd(), process.argv.includes("--sourcemap"));
  await writeFiles(files);
  const packages = await bundledPackages([host, page]);
  await writeFile("dist/THIRD-PARTY-NOTICES.txt", await thirdPartyNotices(packages));
  await writeFile("dist/bill-of-materials.cdx.json", await billOfMaterials(packages));
  if (process.argv.includes("--metafile")) {
    await writeFile("dist/meta-host.json", JSON.stringify(host));
    await writeFile("dist/meta-page.json", JSON.stringify(page));
  }
}
