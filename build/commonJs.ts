import { basename } from "node:path";
import type { BuildResult, Metafile, OutputFile } from "esbuild";

type Joined = BuildResult<{ metafile: true; write: false }>;

/** A statement of minified code: of all, of the default, of names or of nothing of a file. */
const importStatement =
  /(?<=^|[;}\n])import(?:\*as ([\w$]+) from| ([\w$]+) from|\{([^{}]*)\}from)?"([^"]+)";/g;
const lazyImport = /\bimport\(("\.\/[^"]+")\)/g;
const listOfExports = /export\{([^{}]*)\};\s*$/;
/** What has no place in a CommonJS module. */
const leftOver = /(?:^|[;}\n])(?:import[\s*{"]|export[\s*{])|\bimport[.(]/;

/** For a build whose files are ES modules as they are: leads from where the editor looks to them. */
export const entryOfModules = `const modules = import("./extension.js");
exports.activate = async (context) => (await modules).activate(context);
exports.deactivate = async () => (await modules).deactivate();
`;

/**
 * Makes CommonJS modules of a minified build of ES modules, which stand in files of their own names with `.cjs`. The
 * editor's host asks a thread of its own for the place of each ES module and for what "vscode" is to it, which takes
 * longer than to read the file. No name that a file exports may be given another value once the file has been read.
 */
export function withCommonJs(joined: Joined): Joined {
  const outputFiles = joined.outputFiles.map((file) =>
    file.path.endsWith(".js") ? withText(file, nameNow(file.path), asCommonJs(file)) : file,
  );
  return { ...joined, outputFiles, metafile: renamed(joined.metafile, outputFiles) };
}

function asCommonJs({ path, text }: OutputFile): string {
  const needed: string[] = [];
  const script = text
    // Before all else, as an ES module's are.
    .replace(importStatement, (_, all?: string, main?: string, names?: string, file = "") => {
      // What Node's modules are is their default too.
      const whole = all ?? (file.startsWith("node:") ? main : undefined);
      if (main !== undefined && whole === undefined) throw new Error(`${path} wants the default of ${file}`);
      const taken = names === undefined ? whole && ` ${whole}` : `{${properties(names, "$1:$2")}}`;
      needed.push(`${taken === undefined ? "" : `const${taken}=`}require("${placeOf(file)}");`);
      return "";
    })
    .replace(lazyImport, (_, file: string) => `Promise.resolve().then(()=>require(${nameNow(file)}))`)
    .replaceAll("import.meta.url", 'require("node:url").pathToFileURL(__filename).href')
    .replace(listOfExports, (_, list: string) => `module.exports={${properties(list, "$2:$1")}};`);
  const rest = leftOver.exec(script);
  if (rest !== null)
    throw new Error(
      `${path} has what only an ES module can have: ${script.slice(rest.index, rest.index + 80)}`,
    );
  return `"use strict";${needed.join("")}${script}`;
}

/** Of each `name as other` the pair in this form; a name alone stands for itself. */
function properties(list: string, form: "$1:$2" | "$2:$1"): string {
  return list
    .split(",")
    .map((each) => each.replace(/^([\w$]+) as ([\w$]+)$/, form))
    .join();
}

/** Where a file of ours is now that is asked for so; of others it stays. */
function placeOf(asked: string): string {
  return asked.startsWith("./") ? nameNow(asked) : asked;
}

function nameNow(file: string): string {
  return file.replace(/\.js(?="?$)/, ".cjs");
}

function withText(file: OutputFile, path: string, text: string): OutputFile {
  return { path, text, contents: Buffer.from(text, "utf8"), hash: file.hash };
}

function renamed({ inputs, outputs }: Metafile, files: readonly OutputFile[]): Metafile {
  const bytes = new Map(files.map((file) => [basename(file.path), file.contents.length]));
  const entries = Object.entries(outputs).map(([file, output]) => {
    const name = nameNow(file);
    const imports = output.imports.map((each) => ({ ...each, path: placeOf(each.path) }));
    return [name, { ...output, imports, bytes: bytes.get(basename(name)) ?? output.bytes }] as const;
  });
  return { inputs, outputs: Object.fromEntries(entries) };
}
