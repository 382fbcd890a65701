import * as vscode from "vscode";
import { compileExcludes, type ExcludePattern, walkFolder } from "../../chat/folderWalk.ts";
import { readExcludePatterns } from "../settings.ts";
import { excludeGlob } from "./excludeGlob.ts";
import { Exclusions } from "./exclusions.ts";
import { findFilesUntil } from "./findFilesUntil.ts";
import { labelledFolders, pathsInWorkspace } from "./workspacePaths.ts";

const mostFiles = 200_000;

/**
 * The files of the workspace, as they are listed. Those of this machine are read folder by folder: the
 * editor's own search would hand over an object for each of them, once all are found.
 */
export class FileListing {
  readonly begunAt = performance.now();
  /** As `pathInWorkspace` gives them; grows until `whole` resolves. */
  readonly paths: string[] = [];
  readonly exclusions = new Exclusions();
  readonly whole: Promise<void>;

  constructor(signal: AbortSignal) {
    this.whole = this.#list(signal);
  }

  async #list(signal: AbortSignal): Promise<void> {
    for (const { folder, prefix } of labelledFolders()) {
      if (folder.uri.scheme === "file") await this.#walk(folder, prefix, signal);
      else await this.#search(folder, signal);
    }
  }

  async #walk({ uri }: vscode.WorkspaceFolder, prefix: string, signal: AbortSignal): Promise<void> {
    const followLinks = vscode.workspace.getConfiguration("search", uri).get("followSymlinks") !== false;
    const isExcluded = compileExcludes(readPatterns(uri));
    const inner = innerFolders(uri);
    const options = {
      followLinks,
      // A folder of the workspace in another one is listed by itself.
      isExcluded: (path: string, name: string, siblings: ReadonlySet<string>): boolean =>
        inner.has(path) || isExcluded(path, name, siblings),
    };
    for await (const { path, files } of walkFolder(uri.fsPath, options)) {
      if (signal.aborted || this.paths.length >= mostFiles) return;
      const place = path === "" ? "" : `${path}/`;
      for (const name of files) this.paths.push(`${prefix}${place}${name}`);
    }
  }

  async #search(folder: vscode.WorkspaceFolder, signal: AbortSignal): Promise<void> {
    const all = new vscode.RelativePattern(folder, "**/*");
    const left = mostFiles - this.paths.length;
    const found = await findFilesUntil(signal, all, excludeGlob(), left);
    for (const path of pathsInWorkspace(found)) this.paths.push(path);
  }
}

/** Paths of the workspace's folders below one of them, relative to it. */
function innerFolders({ scheme, path }: vscode.Uri): ReadonlySet<string> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const root = path.endsWith("/") ? path : `${path}/`;
  return new Set(
    folders.flatMap(({ uri }) =>
      uri.scheme === scheme && uri.path.startsWith(root) ? [uri.path.slice(root.length)] : [],
    ),
  );
}

/** What the editor's own lists of files leave out, and what is kept out of the chat. */
function readPatterns(folder: vscode.Uri): readonly ExcludePattern[] {
  const settings = ["files", "search"].flatMap((section) => {
    const value = vscode.workspace.getConfiguration(section, folder).get<unknown>("exclude");
    return typeof value === "object" && value !== null ? Object.entries(value) : [];
  });
  return [
    ...settings.flatMap(([pattern, on]) => readPattern(pattern, on)),
    ...readExcludePatterns(folder).map((pattern) => ({ pattern })),
  ];
}

function readPattern(pattern: string, on: unknown): readonly ExcludePattern[] {
  if (on === true) return [{ pattern }];
  if (typeof on !== "object" || on === null || !("when" in on) || typeof on.when !== "string") return [];
  return [{ pattern, when: on.when }];
}
