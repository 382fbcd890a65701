import path from "node:path";
import { build, type BuildResult, type OutputFile, type Plugin } from "esbuild";

type Split = BuildResult<{ metafile: true; write: false }>;

/** Chunks by the names of their files, and what became of each. */
interface Chunks {
  readonly texts: ReadonlyMap<string, string>;
  /** The exported names of each. */
  readonly exports: ReadonlyMap<string, readonly string[]>;
  /** The file that a chunk is joined into, where it is. */
  readonly joinedInto: ReadonlyMap<string, string>;
}

/** Source files whose chunks are the heads, as esbuild's report names them. */
interface Heads {
  /** Of what two of them need, the first has it. */
  readonly modules: readonly string[];
  /** The one of them that takes in small chunks of others too, since it is read before these. */
  readonly common: string;
}

/** Bytes up to which a chunk that several share is not worth a file. */
const smallest = 9_500;

/**
 * Joins each head with all that it imports at once, into one file. Splitting makes a chunk of what any two
 * share, and the editor's host takes a millisecond or so to find and read a file, however small it is.
 */
export async function joinChunks(split: Split, wanted: Heads): Promise<Split> {
  const chunks = readChunks(split, wanted);
  const heads = new Set(chunks.joinedInto.values());
  const entries = [...chunks.texts.keys()].filter(
    (name) => heads.has(name) || !chunks.joinedInto.has(name) || isEntry(split, name),
  );
  const joined = await build({
    outdir: folderOf(split),
    entryPoints: entries.map((name) => ({ in: name, out: name.replace(/\.js$/, "") })),
    plugins: [joining(chunks, heads)],
    bundle: true,
    format: "esm",
    platform: "node",
    minify: true,
    legalComments: "none",
    external: ["vscode"],
    write: false,
    metafile: true,
  });
  const assets = split.outputFiles.filter((file) => !file.path.endsWith(".js"));
  return { ...joined, outputFiles: [...joined.outputFiles, ...assets] };
}

function readChunks(split: Split, { modules, common }: Heads): Chunks {
  const { outputs } = split.metafile;
  const joinedInto = new Map<string, string>();
  for (const module of modules) {
    const head = headOf(split, module);
    const join = (files: Iterable<string>): void => {
      for (const name of [...files].map((file) => path.basename(file)))
        if (!joinedInto.has(name)) joinedInto.set(name, path.basename(head));
    };
    join(filesReadWith(split, head));
    if (module === common) join(smallFiles(split, joinedInto));
  }
  const scripts = split.outputFiles.filter((file) => file.path.endsWith(".js"));
  return {
    texts: new Map(scripts.map((file) => [path.basename(file.path), file.text])),
    exports: new Map(Object.entries(outputs).map(([file, output]) => [path.basename(file), output.exports])),
    joinedInto,
  };
}

function headOf({ metafile }: Split, module: string): string {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === module);
  if (found === undefined) throw new Error(`No chunk is that of ${module}`);
  return found[0];
}

/** What several share and is small, with what it brings along that is not `joined` yet. */
function smallFiles(split: Split, joined: ReadonlyMap<string, string>): readonly string[] {
  const { outputs } = split.metafile;
  const sizeOf = (file: string): number =>
    joined.has(path.basename(file)) ? 0 : (outputs[file]?.bytes ?? 0);
  return Object.keys(outputs).filter((file) => {
    const bytes = [...filesReadWith(split, file)].reduce((sum, each) => sum + sizeOf(each), 0);
    return /[\\/]chunk-[^\\/]*\.js$/u.test(file) && bytes <= smallest;
  });
}

/** An output and all that it imports at once, by their paths in the report. */
export function filesReadWith({ metafile }: Pick<Split, "metafile">, first: string): ReadonlySet<string> {
  const found = new Set([first]);
  for (const file of found) {
    for (const { path: written, kind } of metafile.outputs[file]?.imports ?? []) {
      // Joined files name each other as they stand beside each other.
      const imported = written.startsWith("./")
        ? path.posix.join(path.posix.dirname(file), written)
        : written;
      if (kind === "import-statement" && metafile.outputs[imported] !== undefined) found.add(imported);
    }
  }
  return found;
}

function isEntry({ metafile }: Split, name: string): boolean {
  return Object.entries(metafile.outputs).some(
    ([file, { entryPoint }]) => path.basename(file) === name && entryPoint !== undefined,
  );
}

function folderOf({ outputFiles }: Split): string {
  const script: OutputFile | undefined = outputFiles.find((file) => file.path.endsWith(".js"));
  if (script === undefined) throw new Error("Nothing was built.");
  return path.dirname(script.path);
}

/**
 * Three kinds of module: a `chunk` as it is; a `head`, which exports what its chunks do, under names of their
 * own; and what was `moved` into a head, which takes those names back.
 */
function joining({ texts, exports, joinedInto }: Chunks, heads: ReadonlySet<string>): Plugin {
  const members = [...joinedInto.keys()];
  const nameOf = (chunk: string, name: string): string => `${name}$${members.indexOf(chunk)}`;
  const list = (chunk: string, write: (name: string) => string): string =>
    (exports.get(chunk) ?? []).map(write).join();
  const head = (name: string): string =>
    [...joinedInto]
      .filter(([chunk, into]) => into === name && chunk !== name)
      .map(
        ([chunk]) =>
          `export { ${list(chunk, (each) => `${each} as ${nameOf(chunk, each)}`)} } from "./${chunk}";`,
      )
      .concat(`export { ${list(name, (each) => each)} } from "./${name}";`)
      .join("\n");
  const moved = (chunk: string): string => {
    const into = joinedInto.get(chunk) ?? chunk;
    const names = list(chunk, (each) => (into === chunk ? each : `${nameOf(chunk, each)} as ${each}`));
    return `export { ${names} } from "./${into}";`;
  };
  return {
    name: "joining",
    setup(bundle) {
      bundle.onResolve({ filter: /.*/ }, ({ path: asked, kind, importer, namespace }) => {
        const name = path.basename(asked);
        if (kind === "entry-point") {
          const isMoved = !heads.has(name) && joinedInto.has(name);
          return { path: name, namespace: isMoved ? "moved" : heads.has(name) ? "head" : "chunk" };
        }
        if (!texts.has(name)) return { path: asked, external: true };
        if (kind === "dynamic-import" || namespace === "moved") return { path: `./${name}`, external: true };
        const into = joinedInto.get(name);
        if (into === undefined) return { path: `./${name}`, external: true };
        const isSame = into === (joinedInto.get(importer) ?? importer);
        return { path: name, namespace: isSame ? "chunk" : "moved" };
      });
      bundle.onLoad({ filter: /.*/, namespace: "head" }, ({ path: name }) => ({ contents: head(name) }));
      bundle.onLoad({ filter: /.*/, namespace: "moved" }, ({ path: name }) => ({ contents: moved(name) }));
      bundle.onLoad({ filter: /.*/, namespace: "chunk" }, ({ path: name }) => ({
        contents: texts.get(name) ?? "",
      }));
    },
  };
}
