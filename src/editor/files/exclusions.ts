import * as vscode from "vscode";
import { readGitignore } from "../../files/gitignore.ts";
import { compileFaultyGlob, compileGlob } from "../../files/globPattern.ts";
import { usuallyIgnoresCase } from "../../files/plainPath.ts";
import { fileOf } from "../shared/notebooks.ts";
import { findFile, readBytes } from "../shared/readTextFile.ts";
import { readExcludePatterns, readHiddenPatterns } from "../workspace/settings.ts";
import { isOutside, isSensitiveFile, realPlaceOf } from "./realPlaces.ts";

/** The rule that excludes a file from the chat. */
export type Exclusion = "chat.exclude" | "files.exclude" | "gitignore";

type ExcludingSetting = Exclude<Exclusion, "gitignore">;

/** An unreadable pattern, and a test for paths that it might match. */
interface FaultyPattern {
  readonly pattern: string;
  readonly mayMean: (path: string) => boolean;
}

interface SettingRules {
  readonly excludes: (path: string) => boolean;
  readonly faulty: readonly FaultyPattern[];
}

/** Tests which files must not be attached. Create one instance per operation, because rules are read only once. */
export class Exclusions {
  readonly #gitignore = new GitignoreRules();
  readonly #rules = new Map<string, SettingRules>();

  /** Returns the rule that excludes the file or its link target. Call this before reading the file. */
  async exclusionOf(uri: vscode.Uri, isFolder = false): Promise<Exclusion | undefined> {
    const named = await this.exclusionOfName(uri, isFolder);
    if (named !== undefined) return named;
    const real = await realPlaceOf(uri);
    return real.path === uri.path ? undefined : this.exclusionOfName(real, isFolder);
  }

  /**
   * Returns the rule that matches the file's path, without resolving links. `inference.chat.exclude` takes precedence.
   */
  async exclusionOfName(given: vscode.Uri, isFolder = false): Promise<Exclusion | undefined> {
    const uri = fileOf(given);
    if (this.isNameExcluded(uri, "chat.exclude")) return "chat.exclude";
    if (this.isNameExcluded(uri, "files.exclude")) return "files.exclude";
    return (await this.#gitignore.ignores(uri, isFolder)) ? "gitignore" : undefined;
  }

  /** Whether a setting excludes the file or its link target. */
  async isExcluded(uri: vscode.Uri, setting: ExcludingSetting): Promise<boolean> {
    return this.isNameExcluded(uri, setting) || this.isNameExcluded(await realPlaceOf(uri), setting);
  }

  /** Whether a setting excludes the file by its path, without resolving links. */
  isNameExcluded(uri: vscode.Uri, setting: ExcludingSetting): boolean {
    const { path, rules } = this.#rulesFor(uri, setting);
    return rules.excludes(path);
  }

  /**
   * Returns an unreadable pattern that might match the file or its link target.
   * Before such a file is sent, ask the user, or skip the file.
   */
  async faultyPatternOf(uri: vscode.Uri, settings = excludingSettings): Promise<string | undefined> {
    return (
      this.faultyPatternOfName(uri, settings) ?? this.faultyPatternOfName(await realPlaceOf(uri), settings)
    );
  }

  /** Like `faultyPatternOf`, but without resolving links. */
  faultyPatternOfName(uri: vscode.Uri, settings = excludingSettings): string | undefined {
    for (const setting of settings) {
      const { path, rules } = this.#rulesFor(uri, setting);
      const found = rules.faulty.find(({ mayMean }) => mayMean(path));
      if (found !== undefined) return found.pattern;
    }
    return undefined;
  }

  #rulesFor(
    given: vscode.Uri,
    setting: ExcludingSetting,
  ): { readonly path: string; readonly rules: SettingRules } {
    const uri = fileOf(given);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const path = uri.path.slice((folder?.uri.path ?? "").length).replace(/^\/+/, "");
    const ignoreCase = usuallyIgnoresCase(process.platform, uri.scheme === "file");
    const key = `${setting} ${ignoreCase} ${folder?.uri.toString() ?? ""}`;
    const rules = this.#rules.get(key) ?? readRules(setting, folder, ignoreCase);
    this.#rules.set(key, rules);
    return { path, rules };
  }
}

/** Whether to skip a file that the user did not select. The user is not asked about such files. */
export async function isWithheld(uri: vscode.Uri, exclusions: Exclusions): Promise<boolean> {
  return (
    (await isOutside(uri)) ||
    (await isSensitiveFile(uri)) ||
    (await exclusions.exclusionOf(uri)) !== undefined ||
    (await exclusions.faultyPatternOf(uri)) !== undefined
  );
}

const excludingSettings: readonly ExcludingSetting[] = ["chat.exclude", "files.exclude"];

function readRules(
  setting: ExcludingSetting,
  folder: vscode.WorkspaceFolder | undefined,
  ignoreCase: boolean,
): SettingRules {
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

/** Maximum number of parent folders searched for a repository's root. */
const maxParents = 30;

/**
 * Tests files against `.gitignore` files, from the repository's root to the file's folder. The nearest match wins.
 * The global ignore file and `.git/info/exclude` are not read.
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

  /** Everything in an ignored folder is ignored too. */
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
        // Most folders have no `.gitignore`.
        return undefined;
      }
    });
  }

  #rootOf(folder: vscode.Uri): Promise<vscode.Uri> {
    return remember(this.#roots, folder.toString(), async () => {
      let parent = folder;
      for (let step = 0; step < maxParents; step += 1) {
        if ((await findFile(vscode.Uri.joinPath(parent, ".git"))) !== undefined) return parent;
        const next = vscode.Uri.joinPath(parent, "..");
        if (next.path === parent.path) break;
        parent = next;
      }
      return folder;
    });
  }
}

function remember<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const present = known.get(key);
  if (present !== undefined) return present;
  const found = find();
  known.set(key, found);
  return found;
}
