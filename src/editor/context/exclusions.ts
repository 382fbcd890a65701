import * as vscode from "vscode";
import { compileGlob } from "../../chat/globPattern.ts";
import { readExcludePatterns } from "../settings.ts";
import { GitignoreRules } from "./gitignoreRules.ts";
import { realPlaceOf } from "./realPlaces.ts";

/** What keeps a file out of the chat. */
export type Exclusion = "chat.exclude" | "files.exclude" | "gitignore";

type ExcludingSetting = Exclude<Exclusion, "gitignore">;

/** Where file systems usually take upper and lower case for the same. */
const ignoreCase = process.platform === "win32" || process.platform === "darwin";

/** What is not to be attached. Made for one piece of work: the rules are read once. */
export class Exclusions {
  readonly #gitignore: GitignoreRules;
  readonly #tests = new Map<string, (path: string) => boolean>();

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
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const base = folder?.uri.path ?? "";
    const path = uri.path.slice(base.length).replace(/^\/+/, "");
    return this.#testOf(setting, folder)(path);
  }

  #testOf(setting: ExcludingSetting, folder: vscode.WorkspaceFolder | undefined): (path: string) => boolean {
    const key = `${setting} ${folder?.uri.toString() ?? ""}`;
    const known = this.#tests.get(key);
    if (known !== undefined) return known;
    const patterns = setting === "chat.exclude" ? readExcludePatterns(folder?.uri) : readHidden(folder?.uri);
    const tests = patterns.flatMap((pattern) => compileGlob(pattern, { ignoreCase }) ?? []);
    const test = (path: string): boolean => tests.some((matches) => matches(path));
    this.#tests.set(key, test);
    return test;
  }
}

function readHidden(uri: vscode.Uri | undefined): readonly string[] {
  const value = vscode.workspace.getConfiguration("files", uri ?? null).get<unknown>("exclude");
  return typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}
