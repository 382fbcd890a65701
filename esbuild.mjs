// Bundles the extension host's code and the pages into dist/, with the notices and the bill of
// materials of what is bundled.
// `--watch` rebuilds on change; `--metafile` writes dist/meta-*.json for size questions.
import { rm, writeFile } from "node:fs/promises";
import { build, context } from "esbuild";
import { hostBundle, pageBundle } from "./build/bundles.ts";
import { billOfMaterials } from "./build/billOfMaterials.ts";
import { thirdPartyNotices } from "./build/notices.ts";

await rm("dist", { recursive: true, force: true });
if (process.argv.includes("--watch")) {
  for (const options of [hostBundle, pageBundle]) {
    await (await context({ ...options, sourcemap: true, logLevel: "info" })).watch();
  }
} else {
  const [{ metafile: host }, { metafile: page }] = await Promise.all(
    [hostBundle, pageBundle].map((options) =>
      build({ ...options, minify: true, metafile: true, logLevel: "warning" }),
    ),
  );
  await writeFile("dist/THIRD-PARTY-NOTICES.txt", await thirdPartyNotices([host, page]));
  await writeFile("dist/sbom.cdx.json", await billOfMaterials([host, page]));
  if (process.argv.includes("--metafile")) {
    await writeFile("dist/meta-host.json", JSON.stringify(host));
    await writeFile("dist/meta-page.json", JSON.stringify(page));
  }
}
