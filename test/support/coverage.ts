// `npm run coverage`: line coverage of src by the unit tests (in Node) and the page tests (in the browser).
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import monocart from "monocart-coverage-reports";
import * as v from "valibot";
import { exitOnSignals } from "./exitOnSignals.ts";
import { coverageVariable } from "./page/pageCoverage.ts";
import { runPage } from "./pageRun.ts";
import { outputFolder, projectRoot } from "./paths.ts";
import { runUnit } from "./unitRun.ts";

/** The coverage that Node or the browser writes for one process or page. */
const recordSchema = v.object({
  result: v.array(v.looseObject({ scriptId: v.string(), url: v.string(), functions: v.array(v.any()) })),
});

exitOnSignals();
const folder = path.join(outputFolder, "coverage");
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
process.env["NODE_V8_COVERAGE"] = folder;
process.env[coverageVariable] = folder;
const results = [await runUnit(), await runPage()];
const failures = results.flatMap((result) => result.failures);
for (const failure of failures) console.log(`\nFailed: ${failure}`);

const sources = path.join(projectRoot, "src");
const pages = path.join(projectRoot, "dist", "webview");
const report = new monocart.CoverageReport({
  name: "Lines of src by unit and page tests",
  baseDir: projectRoot,
  outputDir: path.join(outputFolder, "coverage-report"),
  reports: ["console-summary", "json-summary"],
  sourceFilter: (file) => /^src\/.*\.tsx?$/.test(file),
  all: {
    dir: [sources],
    filter: (file) => /(?<!\.d)\.tsx?$/.test(file),
    transformer: async (entry) => {
      const { code, map } = await transform(entry.source, {
        loader: "tsx",
        jsx: "automatic",
        sourcemap: true,
        sourcefile: entry.url,
      });
      entry.source = code;
      entry.sourceMap = JSON.parse(map);
    },
  },
});
for (const file of await readdir(folder)) {
  const { result } = v.parse(recordSchema, JSON.parse(await readFile(path.join(folder, file), "utf8")));
  const ours = result.filter(({ url }) => isOurs(url));
  await report.add(
    await Promise.all(ours.map(async (entry) => ({ ...entry, ...(await sourceOf(entry.url)) }))),
  );
}
await report.generate();
process.exitCode = failures.length === 0 ? 0 : 1;

function isOurs(url: string): boolean {
  if (!url.startsWith("file:")) return false;
  const file = fileURLToPath(url);
  return [sources, pages].some((place) => file.startsWith(place + path.sep));
}

/**
 * Returns the source as it ran. Node strips types without moving the rest; a page's file has its source map beside
 * it.
 */
async function sourceOf(url: string): Promise<{ readonly source: string; readonly sourceMap?: unknown }> {
  const file = fileURLToPath(url);
  const text = await readFile(file, "utf8");
  if (file.endsWith(".ts")) return { source: stripTypeScriptTypes(text) };
  return { source: text, sourceMap: JSON.parse(await readFile(`${file}.map`, "utf8")) };
}
