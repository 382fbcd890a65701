import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import * as v from "valibot";
import * as vscode from "vscode";

/** Markdown by its path below docs/. */
const documentsSchema = v.record(v.string(), v.string());

/**
 * Reads the documents that the build has put into the package.
 * @throws where they are not there, or not what it made
 */
export async function readDocuments(extension: vscode.Uri): Promise<DocumentFiles> {
  const file = vscode.Uri.joinPath(extension, "dist", "documents.br");
  const packed = await promisify(brotliDecompress)(await vscode.workspace.fs.readFile(file));
  const documents: unknown = JSON.parse(packed.toString());
  return new DocumentFiles(v.parse(documentsSchema, documents));
}

/** The documents of the package, by their paths: `/causes/tls.md`. They are as old as the package, which tells no time. */
class DocumentFiles {
  readonly #contents: ReadonlyMap<string, Uint8Array>;

  constructor(documents: v.InferOutput<typeof documentsSchema>) {
    this.#contents = new Map(
      Object.entries(documents).map(([name, text]) => [`/${name}`, Buffer.from(text)]),
    );
  }

  /** @throws FileSystemError where there is nothing of that path */
  stat(uri: vscode.Uri): vscode.FileStat {
    const content = this.#contents.get(uri.path);
    if (content === undefined) this.readDirectory(uri);
    return {
      type: content === undefined ? vscode.FileType.Directory : vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: content?.length ?? 0,
    };
  }

  /** @throws FileSystemError where there is no file of that path */
  readFile(uri: vscode.Uri): Uint8Array {
    const content = this.#contents.get(uri.path);
    if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return content;
  }

  /** @throws FileSystemError where there is no folder of that path */
  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    const folder = uri.path.endsWith("/") ? uri.path : `${uri.path}/`;
    const below = [...this.#contents.keys()].filter((name) => name.startsWith(folder));
    if (below.length === 0) throw vscode.FileSystemError.FileNotFound(uri);
    const names = new Set(below.map((name) => name.slice(folder.length).split("/", 1).join("")));
    return [...names].map((name) => [
      name,
      this.#contents.has(folder + name) ? vscode.FileType.File : vscode.FileType.Directory,
    ]);
  }
}
