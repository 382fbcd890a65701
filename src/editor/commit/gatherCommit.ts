import * as vscode from "vscode";
import {
  fitCommitDiff,
  type CommitFacts,
  type CommitConvention,
  conventionFiles,
  guideFiles,
  readCommitHistory,
  readConvention,
} from "../../chat/commit/commitRequest.ts";
import { type ModelLimits, roomForInput } from "../../chat/session/contextWindow.ts";
import type { FileDiff } from "../../files/fileDiff.ts";
import { namesOf, stagedStates, unstagedStates } from "../../chat/commit/gitChange.ts";
import {
  partChanges,
  readDiffs,
  refreshState,
  type RepositoryRules,
  rulesOf,
  stagedChanges,
  unstagedChanges,
  untrackedPaths,
} from "../attachments/gitChanges.ts";
import { readSmallText } from "../shared/readTextFile.ts";
import type { CommitRepository } from "./commitBox.ts";

/** Maximum number of characters of a diff that are sent. */
const maxCharacters = 40_000;
/**
 * The diff's share of the input that fits the context window. The rest is for instructions, history and conventions.
 */
const shareOfWindow = 0.7;
/** Maximum number of files to read. A prompt has no room for lines of more files. */
const maxFiles = 200;
/** Number of commits to read. Merges, reverts and fixups among them are not used. */
const readCommits = 30;
/** Maximum size of a conventions file, in bytes. Larger files are not lists of rules. */
const maxBytes = 200_000;

export interface GatheredCommit extends CommitFacts {
  /** Changed files that are never sent because of their paths. Only the user sees these paths. */
  readonly withheldPaths: readonly string[];
}

/**
 * Gathers the staged changes. If nothing is staged, gathers the unstaged changes and the names of new files.
 * Undefined if nothing has changed.
 * @throws the error that git reports, or the abort reason of `signal`
 */
export async function gatherCommit(
  repository: CommitRepository,
  room: ModelLimits,
  signal: AbortSignal = new AbortController().signal,
): Promise<GatheredCommit | undefined> {
  await refreshState(repository);
  const staged = stagedChanges(repository);
  const source = staged.length === 0 ? "unstaged" : "staged";
  const changes = source === "staged" ? staged : unstagedChanges(repository);
  const fresh = source === "staged" ? [] : untrackedPaths(repository);
  if (changes.length + fresh.length === 0) return undefined;
  const isWithheld = withholderOf(await rulesOf(repository));
  const { matching, rest } = await partChanges(changes, isWithheld);
  const withheldFresh = await Promise.all(fresh.map(isWithheld));
  const withheldPaths = [
    ...matching.map((change) => namesOf(change).join(" → ")),
    ...fresh.filter((_, index) => withheldFresh[index]),
  ];
  const states = source === "staged" ? stagedStates : unstagedStates;
  const files: FileDiff[] = [];
  for await (const file of readDiffs(repository, rest.slice(0, maxFiles), states, signal)) files.push(file);
  return {
    source,
    diff: fitCommitDiff(files, charactersFor(room), rest.slice(maxFiles)),
    untracked: fresh.filter((_, index) => withheldFresh[index] !== true),
    withheld: withheldPaths.length,
    withheldPaths,
    history: readCommitHistory(await lastMessages(repository)),
    conventions: await readConventions(repository, isWithheld),
  };
}

/** Returns a test for paths whose content and name are never sent. */
function withholderOf(rules: RepositoryRules): (path: string) => Promise<boolean> {
  return async (path) =>
    (await rules.isSensitive(path)) ||
    (await rules.isExcluded(path)) ||
    (await rules.faultyPatternOf(path)) !== undefined;
}

function charactersFor(room: ModelLimits): number {
  const tokens = roomForInput(room);
  if (tokens === undefined) return maxCharacters;
  return Math.min(maxCharacters, Math.floor(tokens * room.charactersPerToken * shareOfWindow));
}

/** Returns recent commit messages. Empty in a repository without commits. */
async function lastMessages(repository: CommitRepository): Promise<readonly string[]> {
  try {
    return (await repository.log({ maxEntries: readCommits })).map(({ message }) => message);
  } catch {
    return [];
  }
}

async function readConventions(
  { rootUri }: CommitRepository,
  isWithheld: (path: string) => Promise<boolean>,
): Promise<readonly CommitConvention[]> {
  const found = await Promise.all(
    [...conventionFiles, ...guideFiles].map(async (path) => {
      if (await isWithheld(path)) return undefined;
      // Do not follow links, which could lead out of the repository.
      const text = await readSmallText(vscode.Uri.joinPath(rootUri, path), { maxBytes, mayBeLink: false });
      return text === undefined ? undefined : readConvention(path, text);
    }),
  );
  return found.filter((convention) => convention !== undefined);
}
