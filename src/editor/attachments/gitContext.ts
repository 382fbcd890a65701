import * as vscode from "vscode";
import { attachmentLimits } from "../../chat/transcript/attachments.ts";
import type { FileDiff } from "../../files/fileDiff.ts";
import {
  type ComparedStates,
  type GitChange,
  namesOf,
  stagedStates,
  unstagedStates,
} from "../../chat/commit/gitChange.ts";
import { withDelayedProgress } from "../shared/delayedProgress.ts";
import { confirmFaultyPattern, confirmSensitiveFiles } from "./consent.ts";
import { type Gathered, nothing, refused } from "./gathered.ts";
import {
  changesBetween,
  partChanges,
  readDiffs,
  refreshState,
  type RepositoryRules,
  rulesOf,
  stagedChanges,
  unstagedChanges,
} from "./gitChanges.ts";
import {
  findRepositories,
  type GitCommit,
  type GitRepository,
  missingGitText,
} from "../files/gitRepositories.ts";
import { createTextAttachment } from "./textAttachment.ts";
import { nameOf, shownPath } from "../files/workspacePaths.ts";

const listedCommits = 100;
const maxChanges = 400;
/** Maximum number of files that a notice names. */
const maxNamed = 5;

export type DiffSource = "staged" | "unstaged" | "commit";

/** Gathers a diff of one repository, without excluded files. */
export async function gatherDiff(source: DiffSource): Promise<Gathered> {
  const repositories = await findRepositories();
  if (repositories === undefined) {
    return refused(missingGitText());
  }
  const repository = await chooseRepository(repositories);
  if (repository === undefined) {
    return repositories.length === 0
      ? refused(vscode.l10n.t("No git repository is open in this workspace."))
      : nothing;
  }
  // With several repositories, name each one, so that one diff does not replace another repository's diff.
  const mark = repositories.length > 1 ? shownPath(repository.rootUri) : undefined;
  return source === "commit" ? gatherCommit(repository, mark) : gatherChanges(repository, source, mark);
}

function marked(name: string, mark: string | undefined): string {
  return mark === undefined ? name : vscode.l10n.t("{0} · {1}", name, mark);
}

async function gatherChanges(
  repository: GitRepository,
  source: "staged" | "unstaged",
  mark: string | undefined,
): Promise<Gathered> {
  const name = source === "staged" ? vscode.l10n.t("Staged changes") : vscode.l10n.t("Unstaged changes");
  const changes = await withDelayedProgress(vscode.l10n.t("Reading {0}", name), async () => {
    await refreshState(repository);
    return source === "staged" ? stagedChanges(repository) : unstagedChanges(repository);
  });
  if (changes === undefined) return nothing;
  if (changes.length === 0) {
    return refused(
      source === "staged"
        ? vscode.l10n.t("No staged changes.")
        : vscode.l10n.t("There are no unstaged changes in tracked files."),
    );
  }
  const states = source === "staged" ? stagedStates : unstagedStates;
  return attachDiffs({ repository, changes, states, name: marked(name, mark) });
}

async function gatherCommit(repository: GitRepository, mark: string | undefined): Promise<Gathered> {
  const commits = await repository.log({ maxEntries: listedCommits });
  // The Git extension only compares two commits, and the first commit has no parent.
  const comparable = commits.filter(({ parents }) => parents.length > 0);
  if (comparable.length === 0) {
    return refused(
      vscode.l10n.t("No commit can be attached because there is no earlier commit to compare with."),
    );
  }
  const commit = await chooseCommit(comparable);
  const parent = commit?.parents[0];
  if (commit === undefined || parent === undefined) return nothing;
  const { hash, message } = commit;
  const name = marked(vscode.l10n.t("Commit {0}", hash.slice(0, 8)), mark);
  const changes = await withDelayedProgress(vscode.l10n.t("Reading {0}", name), () =>
    changesBetween(repository, parent, hash),
  );
  if (changes === undefined) return nothing;
  const states = { before: parent, after: hash };
  return attachDiffs({ repository, changes, states, name, head: `commit ${hash}\n\n${message}\n\n` });
}

interface AttachedDiffs {
  readonly repository: GitRepository;
  readonly changes: readonly GitChange[];
  readonly states: ComparedStates;
  readonly name: string;
  readonly head?: string;
}

/** Drops excluded files, asks about files that might be excluded or usually hold keys, and reads the rest. */
async function attachDiffs({
  repository,
  changes,
  states,
  name,
  head = "",
}: AttachedDiffs): Promise<Gathered> {
  const rules = await rulesOf(repository);
  const { rest: allowed } = await partChanges(changes, rules.isExcluded);
  const { matching: sensitive, rest } = await partChanges(allowed, rules.isSensitive);
  const mayAll =
    sensitive.length === 0 ||
    (await confirmSensitiveFiles(sensitive.map((change) => namesOf(change).join(" → "))));
  const kept = await withoutFaulty(mayAll ? allowed : rest, rules);
  if (kept.length === 0) return refused(vscode.l10n.t("{0}: nothing to attach.", name));
  const read = await withDelayedProgress(vscode.l10n.t("Reading {0}", name), (signal) =>
    readAll(repository, kept, states, signal),
  );
  if (read === undefined) return nothing;
  const left = kept.length - read.length;
  const more = left > 0 ? `[${left} more files left out]\n\n` : "";
  const attachment = createTextAttachment({
    kind: "diff",
    name,
    text: head + more + read.map(({ text }) => text).join(""),
    language: "diff",
    detail:
      read.length === 1
        ? vscode.l10n.t("git diff of {0}: 1 file", nameOf(repository.rootUri))
        : vscode.l10n.t("git diff of {0}: {1} files", nameOf(repository.rootUri), read.length),
  });
  return { attachments: [attachment], refusals: unreadRefusals(name, read) };
}

/** Asks about files that an unreadable exclude pattern might match. */
async function withoutFaulty(
  changes: readonly GitChange[],
  rules: RepositoryRules,
): Promise<readonly GitChange[]> {
  const patterns = await Promise.all(
    changes.map(async (change) =>
      (await Promise.all(namesOf(change).map(rules.faultyPatternOf))).find((each) => each !== undefined),
    ),
  );
  const pattern = patterns.find((each) => each !== undefined);
  if (pattern === undefined) return changes;
  const faulty = changes.filter((_, index) => patterns[index] !== undefined);
  const names = faulty.map((change) => namesOf(change).join(" → "));
  return (await confirmFaultyPattern(names, pattern))
    ? changes
    : changes.filter((change) => !faulty.includes(change));
}

/** Returns a notice about files attached without their lines. Images and other binary files have no lines. */
function unreadRefusals(name: string, diffs: readonly FileDiff[]): readonly string[] {
  const unread = diffs.filter(
    ({ withoutLines }) => withoutLines === "too-large" || withoutLines === "unread",
  );
  if (unread.length === 0) return [];
  const paths = unread.slice(0, maxNamed).map(({ paths: names }) => names.at(-1) ?? "");
  const names = [...paths, ...(unread.length > maxNamed ? ["…"] : [])].join(", ");
  return [
    vscode.l10n.t(
      "{0}: these files are too large or couldn't be read, so only their names were attached: {1}.",
      name,
      names,
    ),
  ];
}

/** Reads as many diffs as fit into one attachment, and at least one. */
async function readAll(
  repository: GitRepository,
  changes: readonly GitChange[],
  states: ComparedStates,
  signal: AbortSignal,
): Promise<readonly FileDiff[]> {
  const diffs: FileDiff[] = [];
  let characters = 0;
  for await (const diff of readDiffs(repository, changes.slice(0, maxChanges), states, signal)) {
    characters += diff.text.length;
    if (characters > attachmentLimits.characters && diffs.length > 0) break;
    diffs.push(diff);
  }
  return diffs;
}

/** Returns the only repository or the user's selection. Undefined if none exists or the user cancels. */
export async function chooseRepository<Repository extends GitRepository>(
  repositories: readonly Repository[],
): Promise<Repository | undefined> {
  if (repositories.length < 2) return repositories[0];
  const items = repositories.map((repository) => ({ label: nameOf(repository.rootUri), repository }));
  const title = vscode.l10n.t("Select a repository");
  return (await vscode.window.showQuickPick(items, { title }))?.repository;
}

async function chooseCommit(commits: readonly GitCommit[]): Promise<GitCommit | undefined> {
  const items = commits.map((commit) => {
    const date = commit.commitDate?.toLocaleString(vscode.env.language);
    return {
      label: commit.message.split("\n", 1)[0] ?? "",
      description: commit.hash.slice(0, 8),
      detail: [commit.authorName, date].filter(Boolean).join(", "),
      commit,
    };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Attach a Commit"),
    placeHolder: vscode.l10n.t("Select a commit to attach its diff"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.commit;
}
