import { readFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { frameFiles, readPageText } from "../../build/pageTexts.ts";
import { packageExtension } from "../support/packageExtension.ts";
import { packageSize } from "../support/packageSize.ts";
import { projectRoot } from "../support/paths.ts";
import { requireCommand } from "../support/runCommand.ts";
import { atMost, type BenchRow, type Figure } from "./benchRow.ts";

/** Of esbuild's report: which files a file needs before it runs. */
const reportSchema = v.object({
  outputs: v.record(
    v.string(),
    v.object({
      bytes: v.number(),
      imports: v.array(v.object({ path: v.string(), kind: v.string() })),
    }),
  ),
});

type Outputs = v.InferOutput<typeof reportSchema>["outputs"];

/** Row 6: what is downloaded, what activation reads, what the page reads first. */
export async function benchSize(): Promise<readonly BenchRow[]> {
  const { own, whole } = await packageSize(await packageExtension());
  await requireCommand(process.execPath, ["esbuild.mjs", "--metafile"], { folder: projectRoot });
  const activation = bytesBehind(await readReport("host"), "dist/host/extension.js");
  const pages = await readReport("page");
  const frame = await Promise.all(frameFiles.map((file) => readPageText(projectRoot, file)));
  const page =
    bytesBehind(pages, "dist/webview/chat.js") +
    bytesBehind(pages, "dist/webview/chat.css") +
    frame.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return [
    rowOf("VSIX without pictures and translations", own, 400),
    rowOf("VSIX, whole", whole),
    rowOf("code that activation reads", activation, 40),
    rowOf("first load of the chat page", page, 200),
  ];
}

function rowOf(what: string, bytes: number, most?: number): BenchRow {
  const ours: Figure = { name: "ours", value: bytes / 1_000, unit: "KB" };
  const goals = most === undefined ? [] : [atMost("KB", ours.value, most)];
  return { what, ours: [ours], others: [], goals };
}

async function readReport(bundle: "host" | "page"): Promise<Outputs> {
  const text = await readFile(path.join(projectRoot, "dist", `meta-${bundle}.json`), "utf8");
  return v.parse(reportSchema, JSON.parse(text)).outputs;
}

/** A file's bytes and those of all that it imports at once. */
function bytesBehind(outputs: Outputs, entry: string): number {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const each of outputs[file]?.imports ?? []) {
      if (each.kind === "import-statement" && outputs[each.path] !== undefined) reached.add(each.path);
    }
  }
  return [...reached].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
}
