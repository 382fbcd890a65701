import * as vscode from "vscode";
import { matchFiles } from "../../chat/fileMatches.ts";
import { containingGlob, scatteredGlob } from "../../chat/nameGlobs.ts";
import { excludeGlob } from "./excludeGlob.ts";
import { Exclusions } from "./exclusions.ts";
import { isDefined } from "./isDefined.ts";
import { pathInWorkspace, pathsInWorkspace, resolvePath } from "./workspacePaths.ts";

/** A workspace of more files is not listed: to hand its list over would keep the editor busy for seconds. */
const mostListed = 20_000;
/** Files that one look into such a workspace brings. */
const mostFound = 1000;
/** Candidates that are tried against `.gitignore` for one answer. */
const mostTried = 1000;
/** Milliseconds between two listings, however often files change. */
const listingPause = 2000;

interface Paths {
  readonly paths: ReadonlySet<string>;
  /** Whether these are all that there are. */
  readonly isWhole: boolean;
}

/** What a look into a large workspace brought. */
interface Found extends Paths {
  readonly typed: string;
}

/**
 * The files of the workspace, listed when first asked for and watched from then on; in a large one, those
 * whose names have what is typed are looked up. What `.gitignore` names is left out of answers, not of the
 * list, so that it is quick.
 */
export class FileIndex implements vscode.Disposable {
  #listing: Promise<Paths> | undefined;
  #found: Found | undefined;
  #exclusions = new Exclusions();
  #isStale = false;
  #listedAt = Number.NEGATIVE_INFINITY;
  #watching: vscode.Disposable | undefined;

  /** At most so many paths that match, the best first. With nothing typed, open files come first. */
  async find(typed: string, most: number): Promise<readonly string[]> {
    const listing = await this.#current();
    const { paths } = listing.isWhole || typed === "" ? listing : await this.#lookUp(typed.toLowerCase());
    return this.#match(paths, typed, most);
  }

  /** Lists anew where files have come or gone since; false where they have not, or a moment ago only. */
  async refresh(): Promise<boolean> {
    if (!this.#isStale || performance.now() - this.#listedAt < listingPause) return false;
    this.#listing = undefined;
    await this.#current();
    return true;
  }

  dispose(): void {
    this.#watching?.dispose();
  }

  #current(): Promise<Paths> {
    this.#watching ??= this.#watch();
    this.#listing ??= this.#list();
    return this.#listing;
  }

  async #list(): Promise<Paths> {
    this.#isStale = false;
    this.#listedAt = performance.now();
    this.#exclusions = new Exclusions();
    this.#found = undefined;
    try {
      return await findPaths("**/*", mostListed);
    } catch (error) {
      this.#listing = undefined;
      throw error;
    }
  }

  /** Those that have the letters one behind the other, or else in this order. */
  async #lookUp(typed: string): Promise<Paths> {
    const before = this.#found;
    if (before?.isWhole === true && typed.includes(before.typed)) return before;
    const found = await findPaths(containingGlob(typed), mostFound);
    if (found.paths.size === 0) return findPaths(scatteredGlob(typed), mostFound);
    this.#found = { ...found, typed };
    return found;
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

async function findPaths(glob: string, most: number): Promise<Paths> {
  const found = await vscode.workspace.findFiles(glob, excludeGlob(), most);
  return { paths: new Set(pathsInWorkspace(found)), isWhole: found.length < most };
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
