import * as vscode from "vscode";
import { compileExcludes, type ExcludePattern, walkFolder } from "../../files/folderWalk.ts";
import { compileFaultyGlob } from "../../files/globPattern.ts";
import { readExcludePatterns } from "../workspace/settings.ts";
import { Exclusions } from "./exclusions.ts";
import { labelledFolders, pathsInWorkspace } from "./workspacePaths.ts";

/**
 * The files of the workspace, as they are listed. Those of this machine are read folder by folder: the
 * editor's own search takes several times as long, and hands them over once all are found.
 */
export class FileListing {
  readonly begunAt = performance.now();
  /** As `pathInWorkspace` gives them; grows until `whole` resolves. */
  readonly paths: string[] = [];
  readonly exclusions = new Exclusions();
  readonly whole: Promise<void>;
  readonly #most: number;

  /** @param most files after which no further folder is read */
  constructor(signal: AbortSignal, most = 200_000) {
    this.#most = most;
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
    const isExcluded = compileExcludes(readExcludes(uri));
    const inner = innerFolders(uri);
    const options = {
      followLinks,
      // A folder of the workspace in another one is listed by itself.
      isExcluded: (path: string, name: string, siblings: ReadonlySet<string>): boolean =>
        inner.has(path) || isExcluded(path, name, siblings),
    };
    for await (const { path, files } of walkFolder(uri.fsPath, options)) {
      if (signal.aborted || this.paths.length >= this.#most) return;
      const place = path === "" ? "" : `${path}/`;
      for (const name of files) this.paths.push(`${prefix}${place}${name}`);
    }
  }

  async #search(folder: vscode.WorkspaceFolder, signal: AbortSignal): Promise<void> {
    const stopping = new vscode.CancellationTokenSource();
    const stop = (): void => stopping.cancel();
    signal.addEventListener("abort", stop);
    try {
      const all = new vscode.RelativePattern(folder, "**/*");
      const left = this.#most - this.paths.length;
      const found = await vscode.workspace.findFiles(all, excludeGlob(folder.uri), left, stopping.token);
      for (const path of pathsInWorkspace(found)) this.paths.push(path);
    } finally {
      signal.removeEventListener("abort", stop);
      stopping.dispose();
    }
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

/** What is left out, as the editor's own search takes it; undefined where it is nothing. */
export function excludeGlob(folder: vscode.Uri): string | undefined {
  // One that cannot be read would make all of them unreadable.
  const whole = readExcludes(folder).filter(
    ({ pattern, when }) => when === undefined && compileFaultyGlob(pattern) === undefined,
  );
  return whole.length === 0 ? undefined : `{${whole.map(({ pattern }) => pattern).join(",")}}`;
}

/** What the editor's own lists of files leave out, and what is kept out of the chat. */
function readExcludes(folder: vscode.Uri): readonly ExcludePattern[] {
  const settings = ["files", "search"].flatMap((section) => {
    const value = vscode.workspace.getConfiguration(section, folder).get<unknown>("exclude");
    return typeof value === "object" && value !== null ? Object.entries(value) : [];
  });
  return [
    ...settings.flatMap(([pattern, on]) => readExclude(pattern, on)),
    ...readExcludePatterns(folder).map((pattern) => ({ pattern })),
  ];
}

function readExclude(pattern: string, on: unknown): readonly ExcludePattern[] {
  if (on === true) return [{ pattern }];
  if (typeof on !== "object" || on === null || !("when" in on) || typeof on.when !== "string") return [];
  return [{ pattern, when: on.when }];
}
