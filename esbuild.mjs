// Bundles the extension host's code and the pages into dist/, with the notices, the documents and a list of what is bundled.
// `--watch` rebuilds on change; `--metafile` writes dist/meta-*.json for size questions.
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { context } from "esbuild";
import { billOfMaterials } from "./build/billOfMaterials.ts";
import { buildAll } from "./build/buildAll.ts";
import { bundledPackages } from "./build/bundledPackages.ts";
import { hostBundle, pageBundle } from "./build/bundles.ts";
import { entryOfModules } from "./build/commonJs.ts";
import { packDocuments, shippedDocuments } from "./build/documents.ts";
import { thirdPartyNotices } from "./build/notices.ts";

await rm("dist", { recursive: true, force: true });
await mkdir("dist");
await writeFile("dist/documents.br", packDocuments(await shippedDocuments(process.cwd())));
if (process.argv.includes("--watch")) {
  await mkdir("dist/host");
  await writeFile("dist/host/extension.cjs", entryOfModules);
  for (const options of [hostBundle, pageBundle]) {
    await (await context({ ...options, sourcemap: true, logLevel: "info" })).watch();
  }
} else {
  const { files, sources, host, page } = await buildAll(process.cwd());
  for (const file of files) {
    await mkdir(path.dirname(file.path), { recursive: true });
    await writeFile(file.path, file.contents);
  }
  const packages = await bundledPackages(sources);
  await writeFile("dist/THIRD-PARTY-NOTICES.txt", await thirdPartyNotices(packages));
  await writeFile("dist/bill-of-materials.cdx.json", await billOfMaterials(packages));
  if (process.argv.includes("--metafile")) {
    await writeFile("dist/meta-host.json", JSON.stringify(host));
    await writeFile("dist/meta-page.json", JSON.stringify(page));
  }
}
