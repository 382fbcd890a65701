import * as vscode from "vscode";

interface Watched {
  /** The files that it is watched for. */
  readonly files: Set<string>;
  readonly watcher: vscode.Disposable;
}

/** Hears of what becomes of some files, also outside of the editor. Nothing is watched while there are none. */
export class FileWatch implements vscode.Disposable {
  readonly #onEvent: (uri: vscode.Uri) => void;
  readonly #watched = new Map<string, Watched>();

  /** @param onEvent hears of other files as well, and of a folder in the place of all that was in it */
  constructor(onEvent: (uri: vscode.Uri) => void) {
    this.#onEvent = onEvent;
  }

  /** The workspace has one watcher for all; each folder elsewhere has its own. */
  add(uri: vscode.Uri): void {
    const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    const folder = vscode.Uri.joinPath(uri, "..");
    const place = isInWorkspace ? "" : folder.toString();
    const watched: Watched = this.#watched.get(place) ?? {
      files: new Set(),
      watcher: this.#watch(isInWorkspace ? "**/*" : new vscode.RelativePattern(folder, "*")),
    };
    watched.files.add(uri.toString());
    this.#watched.set(place, watched);
  }

  remove(uri: vscode.Uri): void {
    for (const [place, { files, watcher }] of this.#watched) {
      if (!files.delete(uri.toString()) || files.size > 0) continue;
      watcher.dispose();
      this.#watched.delete(place);
    }
  }

  dispose(): void {
    for (const { watcher } of this.#watched.values()) watcher.dispose();
    this.#watched.clear();
  }

  #watch(pattern: vscode.GlobPattern): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(this.#onEvent),
      watcher.onDidChange(this.#onEvent),
      watcher.onDidDelete(this.#onEvent),
    );
  }
}
