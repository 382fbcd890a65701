import { build, context, type Metafile, type OutputFile, type Plugin, transform } from "esbuild";
import { hostBundle, pageBundle } from "./bundles.ts";

/** A shipped file with its absolute path. */
type BuiltFile = Pick<OutputFile, "path" | "contents">;

/** The shipped code, in memory. */
export interface Built {
  readonly files: readonly BuiltFile[];
  readonly host: Metafile;
  readonly page: Metafile;
}

/** Builds the host's code and the pages as they ship. `sourcemap` adds source maps to the pages. */
export async function buildAll(folder: string, sourcemap = false): Promise<Built> {
  const options = {
    absWorkingDir: folder,
    minify: true,
    metafile: true,
    write: false,
    logLevel: "warning",
  } as const;
  const [host, page] = await Promise.all([
    build({ ...hostBundle, ...options }),
    build({ ...pageBundle, ...options, sourcemap }),
  ]);
  const files = await Promise.all([...host.outputFiles, ...page.outputFiles].map(asShipped));
  return { files, host: host.metafile, page: page.metafile };
}

/** Builds the host's code and the pages with source maps, and again after each change until the process ends. */
export async function watchAll(
  folder: string,
  writeFiles: (files: readonly BuiltFile[]) => Promise<void>,
): Promise<void> {
  const writing: Plugin = {
    name: "writing",
    setup(bundle) {
      bundle.onEnd(async ({ outputFiles = [] }) => writeFiles(await Promise.all(outputFiles.map(asShipped))));
    },
  };
  for (const bundle of [hostBundle, pageBundle]) {
    const watched = await context({
      ...bundle,
      absWorkingDir: folder,
      plugins: [...(bundle.plugins ?? []), writing],
      sourcemap: "inline",
      write: false,
      logLevel: "info",
    });
    await watched.watch();
  }
}

/** Matches an import of VS Code's API. esbuild would convert it to code that copies hundreds of names at each start. */
const editorImport = /\bimport\s*\*\s*as ([\w$]+) from\s*"vscode";/g;

/** Converts the host's files to CommonJS. esbuild splits only ES modules, but VS Code's host reads CommonJS faster. */
async function asShipped({ path, contents, text }: OutputFile): Promise<BuiltFile> {
  if (!path.endsWith(".cjs")) return { path, contents };
  const { code } = await transform(text.replaceAll(editorImport, 'const $1=require("vscode");'), {
    format: "cjs",
    platform: "node",
    target: "node22",
    minify: true,
    supported: { "dynamic-import": false },
  });
  return { path, contents: Buffer.from(code) };
}
