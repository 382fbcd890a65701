import path from "node:path";
import type { BuildResult, Metafile, OutputFile } from "esbuild";

type Joined = BuildResult<{ metafile: true; write: false }>;

const importOfEditor = /import\*as ([\w$]+) from"vscode";/g;
const listOfExports = /export\{([^{}]*)\};\s*$/;
/** What has no place in a CommonJS module. */
const leftOver = /(?:^|[;}])(?:import[\s*{"]|export[\s*{])|\bimport\.meta\b/;

/** For a build whose files are ES modules as they are: leads from where the editor looks to them. */
export const entryOfModules = `const modules = import("./extension.js");
exports.activate = async (context) => (await modules).activate(context);
exports.deactivate = async () => (await modules).deactivate();
`;

/**
 * Makes a CommonJS module of the file that activation reads, in a minified build of ES modules; the others go on
 * to import from it. The editor's host asks a thread of its own for the place of each ES module and for what
 * "vscode" is to it, which takes longer than to read the file.
 */
export function withCommonJsEntry(joined: Joined, entry: string): Joined {
  const from = path.basename(entry);
  const to = from.replace(/\.js$/, ".cjs");
  const outputFiles = joined.outputFiles.map((file) => {
    if (!file.path.endsWith(".js")) return file;
    const isEntry = path.basename(file.path) === from;
    const text = isEntry ? asCommonJs(file.text) : file.text.replaceAll(`"./${from}"`, `"./${to}"`);
    return withText(file, isEntry ? path.join(path.dirname(file.path), to) : file.path, text);
  });
  return { ...joined, outputFiles, metafile: renamed(joined.metafile, outputFiles, { from, to }) };
}

function asCommonJs(text: string): string {
  const script = text
    .replaceAll(importOfEditor, 'const $1=require("vscode");')
    .replace(
      listOfExports,
      (_, list: string) => `module.exports={${list.split(",").map(asProperty).join()}};`,
    );
  const rest = leftOver.exec(script);
  if (rest !== null)
    throw new Error(
      `Activation reads what only an ES module can have: ${script.slice(rest.index, rest.index + 80)}`,
    );
  return `"use strict";${script}`;
}

/** `local as exported`, or one name for both. */
function asProperty(exported: string): string {
  const [local = "", name = local] = exported.split(" as ");
  return name === local ? name : `${name}:${local}`;
}

function withText(file: OutputFile, place: string, text: string): OutputFile {
  return { path: place, text, contents: Buffer.from(text, "utf8"), hash: file.hash };
}

function renamed(
  { inputs, outputs }: Metafile,
  files: readonly OutputFile[],
  { from, to }: { readonly from: string; readonly to: string },
): Metafile {
  const nameNow = (file: string): string =>
    path.posix.basename(file) === from ? file.slice(0, -from.length) + to : file;
  const bytes = new Map(files.map((file) => [path.basename(file.path), file.contents.length]));
  const entries = Object.entries(outputs).map(([file, output]) => {
    const name = nameNow(file);
    const imports = output.imports.map((each) => ({ ...each, path: nameNow(each.path) }));
    return [
      name,
      { ...output, imports, bytes: bytes.get(path.posix.basename(name)) ?? output.bytes },
    ] as const;
  });
  return { inputs, outputs: Object.fromEntries(entries) };
}
