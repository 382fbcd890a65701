// Bundles the extension host's code and the pages into dist/.
// `--watch` rebuilds on change; `--metafile` writes dist/meta-*.json for size questions.
import { rm, writeFile } from "node:fs/promises";
import { build, context } from "esbuild";
import { parserAsFile, requireOfNode, withoutUnusedModes, withoutUnusedUndici } from "./build/leftOut.ts";

const watch = process.argv.includes("--watch");
const metafile = process.argv.includes("--metafile");

/** @type {import("esbuild").BuildOptions} */
const shared = {
  bundle: true,
  minify: !watch,
  sourcemap: watch,
  metafile,
  logLevel: watch ? "info" : "warning",
  legalComments: "none",
};

/** @type {import("esbuild").BuildOptions} */
const host = {
  ...shared,
  plugins: [withoutUnusedUndici, parserAsFile, requireOfNode],
  entryPoints: { extension: "src/extension.ts" },
  outdir: "dist/host",
  platform: "node",
  target: "node22",
  // ES modules, so that what is imported lazily lands in chunks of its own that activation never reads.
  format: "esm",
  splitting: true,
  chunkNames: "[name]-[hash]",
  external: ["vscode"],
};

/** @type {import("esbuild").BuildOptions} */
const page = {
  ...shared,
  plugins: [withoutUnusedModes],
  entryPoints: { chat: "src/webview/main.tsx", report: "src/webview/report/main.tsx" },
  outdir: "dist/webview",
  platform: "browser",
  target: "es2023",
  format: "esm",
  // What colours code is read when there is code to colour.
  splitting: true,
  chunkNames: "[name]-[hash]",
  tsconfig: "src/webview/tsconfig.json",
};

await rm("dist", { recursive: true, force: true });
if (watch) {
  for (const options of [host, page]) await (await context(options)).watch();
} else {
  const [hostResult, pageResult] = await Promise.all([build(host), build(page)]);
  if (metafile) {
    await writeFile("dist/meta-host.json", JSON.stringify(hostResult.metafile));
    await writeFile("dist/meta-page.json", JSON.stringify(pageResult.metafile));
  }
}
