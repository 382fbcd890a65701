import * as vscode from "vscode";
import { fitCommitDiff } from "../../chat/commitDiff.ts";
import type { CommitFacts } from "../../chat/commitRequest.ts";
import {
  type CommitConvention,
  conventionFiles,
  guideFiles,
  readCommitHistory,
  readConvention,
} from "../../chat/commitStyle.ts";
import { type ModelRoom, roomForInput } from "../../chat/contextWindow.ts";
import { isSensitiveName } from "../../chat/sensitiveName.ts";
import { type FileDiff, splitDiff } from "../../chat/splitDiff.ts";
import { Exclusions } from "../context/exclusions.ts";
import { placesIn } from "../context/realPlaces.ts";
import { decodeFile } from "../readTextFile.ts";
import { type CommitRepository, untrackedUris } from "./commitRepository.ts";

/** Characters of a diff that are sent at most. */
const mostCharacters = 40_000;
/** Part of the model's window that the diff may fill; the rest is for the style and the answer. */
const shareOfWindow = 0.7;
/** Commits that are read, some of which are merges. */
const readCommits = 30;
/** A larger file is no list of rules. */
const mostBytes = 200_000;

export interface GatheredCommit extends CommitFacts {
  /** Changed files whose names or folders keep them out; told to the user alone. */
  readonly withheldPaths: readonly string[];
}

/**
 * The staged changes, else the unstaged ones with the names of new files; undefined where there are none.
 * @throws what git says where it fails
 */
export async function gatherCommit(
  repository: CommitRepository,
  room: ModelRoom,
): Promise<GatheredCommit | undefined> {
  const staged = await repository.diff(true);
  const source = staged.trim() === "" ? "unstaged" : "staged";
  const isKept = await keeperOf(repository);
  const files = splitDiff(source === "staged" ? staged : await repository.diff(false));
  const fresh = source === "staged" ? [] : untrackedUris(repository).map((uri) => pathIn(repository, uri));
  if (files.length + fresh.length === 0) return undefined;
  // What cannot be told apart from a file that is kept out is none to be sent.
  const shown = files.filter(({ paths }) => paths.length > 0 && paths.every(isKept));
  const untracked = fresh.filter(isKept);
  const withheldPaths = [
    ...files.filter((file) => !shown.includes(file)).map(nameOfDiff),
    ...fresh.filter((path) => !untracked.includes(path)),
  ];
  return {
    source,
    diff: fitCommitDiff(shown, charactersFor(room)),
    untracked,
    withheld: withheldPaths.length,
    withheldPaths,
    history: readCommitHistory(await lastMessages(repository)),
    conventions: await readConventions(repository, isKept),
  };
}

async function keeperOf({ rootUri }: CommitRepository): Promise<(path: string) => boolean> {
  const exclusions = new Exclusions();
  const placeOf = await placesIn(rootUri);
  return (path) =>
    !isSensitiveName(path) &&
    !exclusions.isNameExcluded(placeOf(path), "chat.exclude") &&
    exclusions.faultyPatternOfName(placeOf(path), ["chat.exclude"]) === undefined;
}

function charactersFor(room: ModelRoom): number {
  const tokens = roomForInput(room);
  if (tokens === undefined) return mostCharacters;
  return Math.min(mostCharacters, Math.floor(tokens * room.charactersPerToken * shareOfWindow));
}

function nameOfDiff({ paths }: FileDiff): string {
  return paths[0] ?? vscode.l10n.t("a file whose name could not be read");
}

function pathIn({ rootUri }: CommitRepository, uri: vscode.Uri): string {
  return uri.path.slice(rootUri.path.length).replace(/^\/+/, "");
}

/** None in a repository without a commit. */
async function lastMessages(repository: CommitRepository): Promise<readonly string[]> {
  try {
    return (await repository.log({ maxEntries: readCommits })).map(({ message }) => message);
  } catch {
    return [];
  }
}

async function readConventions(
  { rootUri }: CommitRepository,
  isKept: (path: string) => boolean,
): Promise<readonly CommitConvention[]> {
  const found = await Promise.all(
    [...conventionFiles, ...guideFiles].filter(isKept).map(async (path) => {
      const text = await readSmall(vscode.Uri.joinPath(rootUri, path));
      return text === undefined ? undefined : readConvention(path, text);
    }),
  );
  return found.filter((convention) => convention !== undefined);
}

/** Undefined where there is no such file, or none of a usual size. */
async function readSmall(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    // A link could lead out of the repository.
    if (size > mostBytes || type !== vscode.FileType.File) return undefined;
    const decoded = await decodeFile(await vscode.workspace.fs.readFile(uri), uri);
    return decoded.kind === "text" ? decoded.text : undefined;
  } catch {
    return undefined;
  }
}
