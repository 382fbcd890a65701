import * as vscode from "vscode";
import { FileMatches } from "../../files/fileMatches.ts";
import { isOverWithin } from "../shared/abort.ts";
import { toCancellationToken } from "../shared/cancellationToken.ts";
import { Exclusions } from "./exclusions.ts";
import { pathInWorkspace, resolvePath, labelledFolders, pathsInWorkspace } from "./workspacePaths.ts";
import { compileExcludes, type ExcludePattern, walkFolder } from "../../files/folderWalk.ts";
import { compileFaultyGlob } from "../../files/globPattern.ts";
import { readExcludePatterns } from "../workspace/settings.ts";

/** Maximum number of candidates tested against `.gitignore` for one answer. */
const maxTried = 1000;
/** Minimum time between two listings, in milliseconds. */
const listingPause = 2000;
/** Time before the first partial result, in milliseconds. Each further pause is twice as long. */
const firstPause = 400;

interface FoundFiles {
  readonly paths: readonly string[];
  /** False while files are still being listed. More and better matches can follow. */
  readonly isWhole: boolean;
}

/** A complete, searchable listing. */
interface Listed {
  readonly listing: FileListing;
  readonly matches: FileMatches;
  readonly known: ReadonlySet<string>;
}

/**
 * Finds files of the workspace. Lists files at the first search and watches for changes from then on.
 * Answers are filtered by `.gitignore`, but the list is not, so that large workspaces are fast.
 */
export class FileIndex implements vscode.Disposable {
  readonly #ending = new AbortController();
  #listed: Listed | undefined;
  #arriving: { readonly listing: FileListing; readonly listed: Promise<Listed> } | undefined;
  #isStale = false;
  #watching: vscode.Disposable | undefined;

  /**
   * Yields at most `limit` matching paths, best first. If nothing is typed, open files come first.
   * Until a listing is complete, yields open files at once, then partial results.
   * If files have changed, yields the old matches, then those of a new listing.
   */
  async *find(
    typed: string,
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<FoundFiles, void, undefined> {
    this.#watching ??= this.#watch();
    const present = this.#listed;
    if (present !== undefined) {
      yield { paths: await findIn(present, typed, limit), isWhole: true };
      const isFresh = !this.#isStale || performance.now() - present.listing.begunAt < listingPause;
      if (isFresh || signal.aborted) return;
    }
    const { listing, listed } = (this.#arriving ??= this.#list());
    if (present === undefined) yield* findWhile(listing, listed, typed, limit, signal);
    if (signal.aborted) return;
    const now = await listed;
    if (!signal.aborted) yield { paths: await findIn(now, typed, limit), isWhole: true };
  }

  /** Returns at most `limit` matching paths, after the listing is complete. */
  async findAll(typed: string, limit: number): Promise<readonly string[]> {
    let last: readonly string[] = [];
    for await (const { paths } of this.find(typed, limit, this.#ending.signal)) last = paths;
    return last;
  }

  dispose(): void {
    this.#ending.abort();
    this.#watching?.dispose();
  }

  /** Starts a listing. The previous one stays in use until the new one is complete. */
  #list(): { readonly listing: FileListing; readonly listed: Promise<Listed> } {
    this.#isStale = false;
    const listing = new FileListing(this.#ending.signal);
    const keep = async (): Promise<Listed> => {
      try {
        await listing.whole;
        const { paths } = listing;
        return (this.#listed = { listing, matches: new FileMatches(paths), known: new Set(paths) });
      } finally {
        this.#arriving = undefined;
      }
    };
    const listed = keep();
    // Waiting searches receive the rejection. If no search waits, the next search lists the files again.
    listed.catch(() => undefined);
    return { listing, listed };
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

/** Yields matching open files at once, then partial results. Each pause is twice as long as the last. */
async function* findWhile(
  { paths, exclusions }: FileListing,
  listed: Promise<Listed>,
  typed: string,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<FoundFiles, void, undefined> {
  const open = new FileMatches(openFiles());
  yield { paths: await offered(open.find(typed), limit, exclusions), isWhole: false };
  for (let pause = firstPause; !(await isOverWithin(listed, pause, signal)); pause *= 2) {
    const soFar = new FileMatches([...paths]);
    yield { paths: await offered(soFar.find(typed), limit, exclusions), isWhole: false };
  }
}

async function findIn(
  { listing, matches, known }: Listed,
  typed: string,
  limit: number,
): Promise<readonly string[]> {
  const open = typed === "" ? openFiles().filter((path) => known.has(path)) : [];
  const found = new Set([...open, ...take(matches.find(typed), maxTried)]);
  return offered(found, limit, listing.exclusions);
}

/** Returns the first paths that are not excluded. */
async function offered(
  found: Iterable<string>,
  limit: number,
  exclusions: Exclusions,
): Promise<readonly string[]> {
  const tried = [...take(found, maxTried)];
  const paths: string[] = [];
  // Test in parallel, because each path can need the rules of another folder.
  for (let at = 0; at < tried.length && paths.length < limit; at += limit) {
    const batch = tried.slice(at, at + limit);
    const areOffered = await Promise.all(batch.map((path) => isOffered(path, exclusions)));
    paths.push(...batch.filter((_, index) => areOffered[index] === true));
  }
  return paths.slice(0, limit);
}

async function isOffered(path: string, exclusions: Exclusions): Promise<boolean> {
  const uri = resolvePath(path);
  return uri !== undefined && (await exclusions.exclusionOfName(uri)) === undefined;
}

function* take<T>(values: Iterable<T>, limit: number): Generator<T, void, undefined> {
  let count = 0;
  for (const value of values) {
    if (count === limit) return;
    count += 1;
    yield value;
  }
}

/** Returns the workspace's open files: active tabs, then other tabs, then recently closed files. */
function openFiles(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = tabs
    .toSorted((one, other) => Number(other.isActive) - Number(one.isActive))
    .map(({ input }) => (input instanceof vscode.TabInputText ? input.uri : undefined));
  // VS Code holds a document in memory for a while after its tab was closed.
  const recent = vscode.workspace.textDocuments.map(({ uri }) => uri);
  const schemes = new Set(vscode.workspace.workspaceFolders?.map(({ uri }) => uri.scheme));
  const files = [...uris, ...recent]
    .filter((each) => each !== undefined)
    .filter(({ scheme }) => schemes.has(scheme));
  return [...new Set(files.map((uri) => pathInWorkspace(uri)).filter((each) => each !== undefined))];
}

/**
 * Lists the workspace's files. Reads local folders directly.
 * VS Code's search takes several times as long, and returns files only after all are found.
 */
export class FileListing {
  readonly begunAt = performance.now();
  /** Paths in the format of `pathInWorkspace`. More are added until `whole` resolves. */
  readonly paths: string[] = [];
  readonly exclusions = new Exclusions();
  readonly whole: Promise<void>;
  readonly #maxPaths: number;

  /** @param maxPaths number of files after which no further folder is read */
  constructor(signal: AbortSignal, maxPaths = 200_000) {
    this.#maxPaths = maxPaths;
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
      // A workspace folder inside another one is listed separately.
      isExcluded: (path: string, name: string, siblings: ReadonlySet<string>): boolean =>
        inner.has(path) || isExcluded(path, name, siblings),
    };
    for await (const { path, files } of walkFolder(uri.fsPath, options)) {
      if (signal.aborted || this.paths.length >= this.#maxPaths) return;
      const place = path === "" ? "" : `${path}/`;
      for (const name of files) this.paths.push(`${prefix}${place}${name}`);
    }
  }

  async #search(folder: vscode.WorkspaceFolder, signal: AbortSignal): Promise<void> {
    const { token, dispose } = toCancellationToken(signal);
    try {
      const all = new vscode.RelativePattern(folder, "**/*");
      const left = this.#maxPaths - this.paths.length;
      const found = await vscode.workspace.findFiles(all, excludeGlob(folder.uri), left, token);
      for (const path of pathsInWorkspace(found)) this.paths.push(path);
    } finally {
      dispose();
    }
  }
}

/** Returns the workspace folders inside this folder, as relative paths. */
function innerFolders({ scheme, path }: vscode.Uri): ReadonlySet<string> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const root = path.endsWith("/") ? path : `${path}/`;
  return new Set(
    folders.flatMap(({ uri }) =>
      uri.scheme === scheme && uri.path.startsWith(root) ? [uri.path.slice(root.length)] : [],
    ),
  );
}

/** Returns the excludes as a glob for VS Code's search. Undefined if nothing is excluded. */
export function excludeGlob(folder: vscode.Uri): string | undefined {
  // One unreadable pattern would make the whole glob unreadable.
  const whole = readExcludes(folder).filter(
    ({ pattern, when }) => when === undefined && compileFaultyGlob(pattern) === undefined,
  );
  return whole.length === 0 ? undefined : `{${whole.map(({ pattern }) => pattern).join(",")}}`;
}

/** Returns the excludes of VS Code's file lists and of `inference.chat.exclude`. */
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
