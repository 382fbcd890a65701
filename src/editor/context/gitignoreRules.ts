import { readFile, stat } from "node:fs/promises";
import * as vscode from "vscode";
import { readGitignore } from "../../chat/gitignore.ts";

type Rules = ReturnType<typeof readGitignore>;

/** How far up a repository's root is looked for. */
const mostParents = 30;

/**
 * Whether `.gitignore` files name a file: those of its repository from the root down to its folder, the
 * nearer one having the last word. The global file and `.git/info/exclude` are not read.
 */
export class GitignoreRules {
  readonly #mayHaveRules: (folder: vscode.Uri) => boolean;
  readonly #roots = new Map<string, Promise<vscode.Uri>>();
  readonly #files = new Map<string, Promise<Rules | undefined>>();
  readonly #folders = new Map<string, Promise<boolean>>();

  constructor(mayHaveRules: (folder: vscode.Uri) => boolean = () => true) {
    this.#mayHaveRules = mayHaveRules;
  }

  async ignores(uri: vscode.Uri, isFolder: boolean): Promise<boolean> {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined) return false;
    const root = await this.#rootOf(folder.uri);
    const path = uri.path.slice(root.path.length).replace(/^\/+/, "");
    return path === "" ? false : this.#ignoresPath(root, path.split("/"), isFolder);
  }

  /** What a folder that is ignored holds is ignored as well. */
  async #ignoresPath(root: vscode.Uri, parts: readonly string[], isFolder: boolean): Promise<boolean> {
    if (parts.length > 1 && (await this.#ignoresFolder(root, parts.slice(0, -1)))) return true;
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const rules = await this.#rulesOf(vscode.Uri.joinPath(root, ...parts.slice(0, depth)));
      const verdict = rules?.(parts.slice(depth).join("/"), isFolder);
      if (verdict !== undefined) return verdict === "ignored";
    }
    return false;
  }

  #ignoresFolder(root: vscode.Uri, parts: readonly string[]): Promise<boolean> {
    const key = vscode.Uri.joinPath(root, ...parts).toString();
    return remember(this.#folders, key, () => this.#ignoresPath(root, parts, true));
  }

  #rulesOf(folder: vscode.Uri): Promise<Rules | undefined> {
    return remember(this.#files, folder.toString(), async () => {
      if (!this.#mayHaveRules(folder)) return undefined;
      try {
        const bytes = await readBytes(vscode.Uri.joinPath(folder, ".gitignore"));
        return readGitignore(new TextDecoder().decode(bytes));
      } catch {
        // Most folders have none.
        return undefined;
      }
    });
  }

  #rootOf(folder: vscode.Uri): Promise<vscode.Uri> {
    return remember(this.#roots, folder.toString(), async () => {
      let parent = folder;
      for (let step = 0; step < mostParents; step += 1) {
        if (await exists(vscode.Uri.joinPath(parent, ".git"))) return parent;
        const next = vscode.Uri.joinPath(parent, "..");
        if (next.path === parent.path) break;
        parent = next;
      }
      return folder;
    });
  }
}

/** Files of this machine are read here: the editor would ask its window for each, and wait for what starts there. */
function readBytes(uri: vscode.Uri): Thenable<Uint8Array> {
  return uri.scheme === "file" ? readFile(uri.fsPath) : vscode.workspace.fs.readFile(uri);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await (uri.scheme === "file" ? stat(uri.fsPath) : vscode.workspace.fs.stat(uri));
    return true;
  } catch {
    return false;
  }
}

function remember<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const present = known.get(key);
  if (present !== undefined) return present;
  const found = find();
  known.set(key, found);
  return found;
}
