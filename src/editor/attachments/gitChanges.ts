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

/** Number of files read at once. Reading a version of a file starts a git process. */
const readAtOnce = 6;
/** Status of an untracked file in the Git extension's `Status` enum. */
const untracked = 7;

/** Maximum number of status reads. If another status read replaces ours, ours ends without a change event. */
const maxAttempts = 3;

/**
 * Makes the Git extension read the repository's state again.
 * @throws the error that git reports
 */
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

/** Returns the staged changes, unresolved merge changes included. Empty if nothing is staged. */
export function stagedChanges({ rootUri, state }: GitRepository): readonly GitChange[] {
  if (state.indexChanges.length === 0) return [];
  return [...state.indexChanges, ...state.mergeChanges].map((change) => changeOf(rootUri, change));
}

/** Returns the unstaged changes of tracked files, unresolved merge changes included. */
export function unstagedChanges({ rootUri, state }: GitRepository): readonly GitChange[] {
  const known = state.workingTreeChanges.filter(({ status }) => status !== untracked);
  return [...state.mergeChanges, ...known].map((change) => changeOf(rootUri, change));
}

/** Returns the paths of untracked files, relative to the repository. */
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

/** Rules for repository files that must not be sent, by name and link target. Tested before files are read. */
export interface RepositoryRules {
  /** Whether `inference.chat.exclude` matches the path. */
  readonly isExcluded: (path: string) => Promise<boolean>;
  /** Whether files with this name usually hold keys. */
  readonly isSensitive: (path: string) => Promise<boolean>;
  /** Returns an unreadable pattern of `inference.chat.exclude` that might match the path. */
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

/** Splits changes into those with a name that passes `test`, and the rest. */
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
 * Reads the diffs of these changes in order, a few ahead of the consumer.
 * @throws the signal's reason if it is aborted
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
