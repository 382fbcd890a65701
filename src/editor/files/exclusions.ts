import { readFile, stat } from "node:fs/promises";
import * as vscode from "vscode";
import { readGitignore } from "../../files/gitignore.ts";
import { compileFaultyGlob, compileGlob } from "../../files/globPattern.ts";
import { readExcludePatterns, readHiddenPatterns } from "../workspace/settings.ts";
import { isOutside, isSensitiveFile, realPlaceOf } from "./realPlaces.ts";

/** What keeps a file out of the chat. */
export type Exclusion = "chat.exclude" | "files.exclude" | "gitignore";

type ExcludingSetting = Exclude<Exclusion, "gitignore">;

/** Where file systems usually take upper and lower case for the same. */
const ignoreCase = process.platform === "win32" || process.platform === "darwin";

/** A pattern that cannot be read, and a test for what it may mean. */
interface FaultyPattern {
  readonly pattern: string;
  readonly mayMean: (path: string) => boolean;
}

interface SettingRules {
  readonly excludes: (path: string) => boolean;
  readonly faulty: readonly FaultyPattern[];
}

/** What is not to be attached. Made for one piece of work: the rules are read once. */
export class Exclusions {
  readonly #gitignore = new GitignoreRules();
  readonly #rules = new Map<string, SettingRules>();

  /** The rule that names the file, or what a link of the file system leads to from there; to be asked before it is read. */
  async exclusionOf(uri: vscode.Uri, isFolder = false): Promise<Exclusion | undefined> {
    const named = await this.exclusionOfName(uri, isFolder);
    if (named !== undefined) return named;
    const real = await realPlaceOf(uri);
    return real.path === uri.path ? undefined : this.exclusionOfName(real, isFolder);
  }

  /** The rule that names the file; `inference.chat.exclude` before the others. */
  async exclusionOfName(uri: vscode.Uri, isFolder = false): Promise<Exclusion | undefined> {
    if (this.isNameExcluded(uri, "chat.exclude")) return "chat.exclude";
    if (this.isNameExcluded(uri, "files.exclude")) return "files.exclude";
    return (await this.#gitignore.ignores(uri, isFolder)) ? "gitignore" : undefined;
  }

  /** Whether a setting names the file, or what a link of the file system leads to from there. */
  async isExcluded(uri: vscode.Uri, setting: ExcludingSetting): Promise<boolean> {
    return this.isNameExcluded(uri, setting) || this.isNameExcluded(await realPlaceOf(uri), setting);
  }

  /** Whether a setting names the file. */
  isNameExcluded(uri: vscode.Uri, setting: ExcludingSetting): boolean {
    const { path, rules } = this.#rulesFor(uri, setting);
    return rules.excludes(path);
  }

  /**
   * The pattern of a setting that cannot be read and may mean the file, or what a link of the file system leads to
   * from there: before such a file is sent, the user is asked, or it is left out.
   */
  async faultyPatternOf(uri: vscode.Uri, settings = excludingSettings): Promise<string | undefined> {
    return (
      this.faultyPatternOfName(uri, settings) ?? this.faultyPatternOfName(await realPlaceOf(uri), settings)
    );
  }

  /** The same for the file's name alone. */
  faultyPatternOfName(uri: vscode.Uri, settings = excludingSettings): string | undefined {
    for (const setting of settings) {
      const { path, rules } = this.#rulesFor(uri, setting);
      const found = rules.faulty.find(({ mayMean }) => mayMean(path));
      if (found !== undefined) return found.pattern;
    }
    return undefined;
  }

  #rulesFor(
    uri: vscode.Uri,
    setting: ExcludingSetting,
  ): { readonly path: string; readonly rules: SettingRules } {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const path = uri.path.slice((folder?.uri.path ?? "").length).replace(/^\/+/, "");
    const key = `${setting} ${folder?.uri.toString() ?? ""}`;
    const rules = this.#rules.get(key) ?? readRules(setting, folder);
    this.#rules.set(key, rules);
    return { path, rules };
  }
}

/** Whether a file is left out where files are gathered that nobody named: then nothing is asked. */
export async function isWithheld(uri: vscode.Uri, exclusions: Exclusions): Promise<boolean> {
  return (
    (await isOutside(uri)) ||
    (await isSensitiveFile(uri)) ||
    (await exclusions.exclusionOf(uri)) !== undefined ||
    (await exclusions.faultyPatternOf(uri)) !== undefined
  );
}

const excludingSettings: readonly ExcludingSetting[] = ["chat.exclude", "files.exclude"];

function readRules(setting: ExcludingSetting, folder: vscode.WorkspaceFolder | undefined): SettingRules {
  const read = setting === "chat.exclude" ? readExcludePatterns : readHiddenPatterns;
  const patterns = read(folder?.uri);
  const tests = patterns.flatMap((pattern) => compileGlob(pattern, { ignoreCase }) ?? []);
  const faulty = patterns.flatMap((pattern) => {
    const mayMean = compileFaultyGlob(pattern, { ignoreCase });
    return mayMean === undefined ? [] : [{ pattern, mayMean }];
  });
  return { excludes: (path) => tests.some((matches) => matches(path)), faulty };
}

type GitignoreTest = ReturnType<typeof readGitignore>;

/** How far up a repository's root is looked for. */
const maxParents = 30;

/**
 * Whether `.gitignore` files name a file: those of its repository from the root down to its folder, the
 * nearer one having the last word. The global file and `.git/info/exclude` are not read.
 */
class GitignoreRules {
  readonly #roots = new Map<string, Promise<vscode.Uri>>();
  readonly #files = new Map<string, Promise<GitignoreTest | undefined>>();
  readonly #folders = new Map<string, Promise<boolean>>();

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

  #rulesOf(folder: vscode.Uri): Promise<GitignoreTest | undefined> {
    return remember(this.#files, folder.toString(), async () => {
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
      for (let step = 0; step < maxParents; step += 1) {
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
