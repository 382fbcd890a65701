import * as vscode from "vscode";
import { matchFiles } from "../../chat/fileMatches.ts";
import { excludeGlob } from "./excludeGlob.ts";
import { Exclusions } from "./exclusions.ts";
import { isDefined } from "./isDefined.ts";
import { pathInWorkspace, pathsInWorkspace, resolvePath } from "./workspacePaths.ts";

const mostFiles = 200_000;
/** Candidates that are tried against `.gitignore` for one answer. */
const mostTried = 1000;
/** Milliseconds between two listings, however often files change. */
const listingPause = 2000;

/**
 * The files of the workspace, listed when first asked for and watched from then on. What `.gitignore`
 * names is left out of answers, not of the list, so that a large workspace is quick.
 */
export class FileIndex implements vscode.Disposable {
  #paths: Promise<ReadonlySet<string>> | undefined;
  #exclusions = new Exclusions();
  #isStale = false;
  #listedAt = Number.NEGATIVE_INFINITY;
  #watching: vscode.Disposable | undefined;

  /** At most so many paths that match, the best first. With nothing typed, open files come first. */
  async find(typed: string, most: number): Promise<readonly string[]> {
    return this.#match(await this.#current(), typed, most);
  }

  /** Lists anew where files have come or gone since; false where they have not, or a moment ago only. */
  async refresh(): Promise<boolean> {
    if (!this.#isStale || performance.now() - this.#listedAt < listingPause) return false;
    this.#paths = undefined;
    await this.#current();
    return true;
  }

  dispose(): void {
    this.#watching?.dispose();
  }

  #current(): Promise<ReadonlySet<string>> {
    this.#watching ??= this.#watch();
    this.#paths ??= this.#list();
    return this.#paths;
  }

  async #list(): Promise<ReadonlySet<string>> {
    this.#isStale = false;
    this.#listedAt = performance.now();
    this.#exclusions = new Exclusions();
    try {
      const found = await vscode.workspace.findFiles("**/*", excludeGlob(), mostFiles);
      return new Set(pathsInWorkspace(found));
    } catch (error) {
      this.#paths = undefined;
      throw error;
    }
  }

  async #match(paths: ReadonlySet<string>, typed: string, most: number): Promise<readonly string[]> {
    const open = typed === "" ? openFiles().filter((path) => paths.has(path)) : [];
    const tried = [...new Set([...open, ...take(matchFiles(paths, typed), mostTried)])].slice(0, mostTried);
    const found: string[] = [];
    // Together, since each may lie in a folder whose rules are still to be read.
    for (let at = 0; at < tried.length && found.length < most; at += most) {
      const batch = tried.slice(at, at + most);
      const areOffered = await Promise.all(batch.map((path) => this.#isOffered(path)));
      found.push(...batch.filter((_, index) => areOffered[index] === true));
    }
    return found.slice(0, most);
  }

  async #isOffered(path: string): Promise<boolean> {
    const uri = resolvePath(path);
    return uri !== undefined && (await this.#exclusions.exclusionOf(uri)) === undefined;
  }

  #watch(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
    const gitignores = vscode.workspace.createFileSystemWatcher("**/.gitignore");
    const stale = (): void => {
      this.#isStale = true;
    };
    return vscode.Disposable.from(
      watcher,
      gitignores,
      watcher.onDidCreate(stale),
      watcher.onDidDelete(stale),
      gitignores.onDidChange(stale),
      vscode.workspace.onDidChangeWorkspaceFolders(stale),
      vscode.workspace.onDidChangeConfiguration(stale),
    );
  }
}

function openFiles(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs
    .map(({ input }) => (input instanceof vscode.TabInputText ? pathInWorkspace(input.uri) : undefined))
    .filter(isDefined);
}

function* take<T>(values: Iterable<T>, most: number): Generator<T, void, undefined> {
  let count = 0;
  for (const value of values) {
    if (count === most) return;
    count += 1;
    yield value;
  }
}
