import * as vscode from "vscode";
import type { FileDiff } from "../../files/fileDiff.ts";
import {
  type ComparedStates,
  type GitChange,
  kindOfStatus,
  namesOf,
  readFileDiff,
} from "../../chat/commit/gitChange.ts";
import { mapAhead } from "../../files/concurrency.ts";
import { decodeFile } from "../shared/readTextFile.ts";
import { Exclusions } from "../files/exclusions.ts";
import type { GitRepository, ListedChange } from "../files/gitRepositories.ts";
import { isSensitiveFile, placesIn } from "../files/realPlaces.ts";

/** Files that are read at once; git runs as a process for each of its versions. */
const readAtOnce = 6;
/** Of the git extension's list of states: a file that git does not know yet. */
const untracked = 7;

/** Another reading of the state takes the place of ours, which then ends without a result. */
const maxAttempts = 3;

/** Has the repository's state read anew. @throws what git says */
export async function refreshState(repository: GitRepository): Promise<void> {
  let readings = 0;
  const subscription = repository.state.onDidChange(() => {
    readings += 1;
  });
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      await repository.status();
      if (readings > 0) return;
    }
  } finally {
    subscription.dispose();
  }
}

/** What is staged; none if that is nothing but files whose merge is not settled. */
export function stagedChanges({ rootUri, state }: GitRepository): readonly GitChange[] {
  if (state.indexChanges.length === 0) return [];
  return [...state.indexChanges, ...state.mergeChanges].map((change) => changeOf(rootUri, change));
}

/** What differs from the index in files that git knows, and files whose merge is not settled. */
export function unstagedChanges({ rootUri, state }: GitRepository): readonly GitChange[] {
  const known = state.workingTreeChanges.filter(({ status }) => status !== untracked);
  return [...state.mergeChanges, ...known].map((change) => changeOf(rootUri, change));
}

/** Paths of files that git does not know yet. */
export function untrackedPaths({ rootUri, state }: GitRepository): readonly string[] {
  const changes = [...state.workingTreeChanges, ...(state.untrackedChanges ?? [])];
  return changes.filter(({ status }) => status === untracked).map(({ uri }) => pathIn(rootUri, uri));
}

export async function changesBetween(
  repository: GitRepository,
  from: string,
  to: string,
): Promise<readonly GitChange[]> {
  const changes = await repository.diffBetween(from, to);
  return changes.map((change) => changeOf(repository.rootUri, change));
}

function changeOf(root: vscode.Uri, { uri, originalUri, renameUri, status }: ListedChange): GitChange {
  const kind = kindOfStatus(status);
  const path = pathIn(root, renameUri ?? uri);
  return kind === "renamed" || kind === "copied"
    ? { path, from: pathIn(root, originalUri), kind }
    : { path, kind };
}

function pathIn(root: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.slice(root.path.length).replace(/^\/+/, "");
}

/** Whether files of a repository are kept out, by their names and by where links lead; asked before they are read. */
export interface RepositoryRules {
  /** Whether `inference.chat.exclude` names it. */
  readonly isExcluded: (path: string) => Promise<boolean>;
  /** Whether files of this name usually hold keys. */
  readonly isSensitive: (path: string) => Promise<boolean>;
  /** A pattern of `inference.chat.exclude` that cannot be read and may mean it. */
  readonly faultyPatternOf: (path: string) => Promise<string | undefined>;
}

export async function rulesOf({ rootUri }: GitRepository): Promise<RepositoryRules> {
  const exclusions = new Exclusions();
  const placeOf = await placesIn(rootUri);
  return {
    isExcluded: (path) => exclusions.isExcluded(placeOf(path), "chat.exclude"),
    isSensitive: (path) => isSensitiveFile(placeOf(path)),
    faultyPatternOf: (path) => exclusions.faultyPatternOf(placeOf(path), ["chat.exclude"]),
  };
}

/** The changes of which a test holds for one of their names, and all others. */
export async function partChanges(
  changes: readonly GitChange[],
  test: (path: string) => Promise<boolean>,
): Promise<{ readonly matching: readonly GitChange[]; readonly rest: readonly GitChange[] }> {
  const results = await Promise.all(
    changes.map(async (change) => (await Promise.all(namesOf(change).map(test))).includes(true)),
  );
  return {
    matching: changes.filter((_, index) => results[index]),
    rest: changes.filter((_, index) => !results[index]),
  };
}

/**
 * The diffs of these files, in their order, read while they are taken.
 * @throws when the signal is aborted
 */
export async function* readDiffs(
  repository: GitRepository,
  changes: readonly GitChange[],
  states: ComparedStates,
  signal: AbortSignal,
): AsyncGenerator<FileDiff> {
  const { rootUri } = repository;
  const decode = async (bytes: Uint8Array, name: string): Promise<string | undefined> => {
    const decoded = await decodeFile(bytes, vscode.Uri.joinPath(rootUri, name));
    return decoded.kind === "text" ? decoded.text : undefined;
  };
  const options = { git: repository, root: rootUri.fsPath, states, decode };
  for await (const diff of mapAhead(readAtOnce, changes, (change) => readFileDiff(change, options))) {
    signal.throwIfAborted();
    yield diff;
  }
}
