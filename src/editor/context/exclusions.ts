import * as vscode from "vscode";
import { compileFaultyGlob, compileGlob } from "../../chat/globPattern.ts";
import { readExcludePatterns } from "../settings.ts";
import { readHiddenPatterns } from "./hiddenPatterns.ts";
import { GitignoreRules } from "./gitignoreRules.ts";
import { realPlaceOf } from "./realPlaces.ts";

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
  readonly #gitignore: GitignoreRules;
  readonly #rules = new Map<string, SettingRules>();

  /** @param mayHaveGitignore false for a folder that is known to have none */
  constructor(mayHaveGitignore?: (folder: vscode.Uri) => boolean) {
    this.#gitignore = new GitignoreRules(mayHaveGitignore);
  }

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
