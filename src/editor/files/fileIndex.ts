import * as vscode from "vscode";
import { FileMatches } from "../../files/fileMatches.ts";
import { isOverWithin } from "../shared/abort.ts";
import { Exclusions } from "./exclusions.ts";
import { pathInWorkspace, resolvePath, labelledFolders, pathsInWorkspace } from "./workspacePaths.ts";
import { compileExcludes, type ExcludePattern, walkFolder } from "../../files/folderWalk.ts";
import { compileFaultyGlob } from "../../files/globPattern.ts";
import { readExcludePatterns } from "../workspace/settings.ts";

/** Candidates that are tried against `.gitignore` for one answer. */
const maxTried = 1000;
/** Milliseconds between two listings, however often files change. */
const listingPause = 2000;
/** Milliseconds until what is listed so far is told; twice as many each further time. */
const firstPause = 400;

interface FoundFiles {
  readonly paths: readonly string[];
  /** False while the workspace's files are still being listed: more, and better ones, may come. */
  readonly isWhole: boolean;
}

/** A listing that is whole, to be searched. */
interface Listed {
  readonly listing: FileListing;
  readonly matches: FileMatches;
  readonly known: ReadonlySet<string>;
}

/**
 * The files of the workspace, listed when first asked for and watched from then on. What `.gitignore`
 * names is left out of answers, not of the list, so that a large workspace is quick.
 */
export class FileIndex implements vscode.Disposable {
  readonly #ending = new AbortController();
  #listed: Listed | undefined;
  #arriving: { readonly listing: FileListing; readonly listed: Promise<Listed> } | undefined;
  #isStale = false;
  #watching: vscode.Disposable | undefined;

  /**
   * At most so many paths that match, the best first; with nothing typed, open files come first. While
   * there is no list, open files at once, then what is listed by then. Again where files have changed.
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

  /** At most so many paths that match, once all are listed. */
  async findAll(typed: string, limit: number): Promise<readonly string[]> {
    let last: readonly string[] = [];
    for await (const { paths } of this.find(typed, limit, this.#ending.signal)) last = paths;
    return last;
  }

  dispose(): void {
    this.#ending.abort();
    this.#watching?.dispose();
  }

  /** The list of before stays until the new one is whole. */
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
    // Whoever waits hears of it; where nobody does any more, the next one lists anew.
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

/** Open files that match, at once; then what is listed by then, each time after twice as long. */
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

/** The first ones that nothing keeps out. */
async function offered(
  found: Iterable<string>,
  limit: number,
  exclusions: Exclusions,
): Promise<readonly string[]> {
  const tried = [...take(found, maxTried)];
  const paths: string[] = [];
  // Together, since each may lie in a folder whose rules are still to be read.
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

/** The workspace's files in tabs, those that are seen first, then those that were closed a moment ago. */
function openFiles(): readonly string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = tabs
    .toSorted((one, other) => Number(other.isActive) - Number(one.isActive))
    .map(({ input }) => (input instanceof vscode.TabInputText ? input.uri : undefined));
  // The editor keeps the text of a file for a while after its tab was closed.
  const recent = vscode.workspace.textDocuments.map(({ uri }) => uri);
  const schemes = new Set(vscode.workspace.workspaceFolders?.map(({ uri }) => uri.scheme));
  const files = [...uris, ...recent]
    .filter((each) => each !== undefined)
    .filter(({ scheme }) => schemes.has(scheme));
  return [...new Set(files.map((uri) => pathInWorkspace(uri)).filter((each) => each !== undefined))];
}

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
  readonly #maxPaths: number;

  /** @param maxPaths files after which no further folder is read */
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
      // A folder of the workspace in another one is listed by itself.
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
    const stopping = new vscode.CancellationTokenSource();
    const stop = (): void => stopping.cancel();
    signal.addEventListener("abort", stop);
    try {
      const all = new vscode.RelativePattern(folder, "**/*");
      const left = this.#maxPaths - this.paths.length;
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
