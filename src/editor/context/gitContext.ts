import * as vscode from "vscode";
import { type FileDiff, splitDiff } from "../../chat/splitDiff.ts";
import { isSensitiveName } from "../../chat/sensitiveName.ts";
import { withLateProgress } from "../lateProgress.ts";
import { askFaulty, askSensitive } from "./consent.ts";
import { Exclusions } from "./exclusions.ts";
import { type Gathered, nothing, refused } from "./gathered.ts";
import { findRepositories, type GitCommit, type GitRepository } from "./gitRepositories.ts";
import { isDefined } from "./isDefined.ts";
import { placesIn } from "./realPlaces.ts";
import { createTextAttachment } from "./textAttachment.ts";
import { nameOf, shownPath } from "./workspacePaths.ts";

const listedCommits = 100;
const mostChanges = 200;

export type DiffSource = "staged" | "unstaged" | "commit";

/** A diff of one repository, without the files that are excluded. */
export async function gatherDiff(source: DiffSource): Promise<Gathered> {
  const repositories = await findRepositories();
  if (repositories === undefined) {
    return refused(vscode.l10n.t("The editor's git extension is not available, so there is no diff."));
  }
  const repository = await chooseRepository(repositories);
  if (repository === undefined) {
    return repositories.length === 0
      ? refused(vscode.l10n.t("No git repository is open in this workspace."))
      : nothing;
  }
  // Of several, each has its own: the one is not to take the other's place.
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
  const diff = await withLateProgress(vscode.l10n.t("Reading {0}", name), () =>
    repository.diff(source === "staged"),
  );
  if (diff === undefined) return nothing;
  if (diff.trim() === "") {
    return refused(
      source === "staged"
        ? vscode.l10n.t("No changes are staged.")
        : vscode.l10n.t("There are no unstaged changes in files that git knows."),
    );
  }
  return diffAttachment(repository, diff, marked(name, mark));
}

async function gatherCommit(repository: GitRepository, mark: string | undefined): Promise<Gathered> {
  const commits = await repository.log({ maxEntries: listedCommits });
  // The extension compares commits with commits, and a first one with none.
  const comparable = commits.filter(({ parents }) => parents.length > 0);
  if (comparable.length === 0) {
    return refused(vscode.l10n.t("There is no commit with one before it to compare it with."));
  }
  const commit = await chooseCommit(comparable);
  const parent = commit?.parents[0];
  if (commit === undefined || parent === undefined) return nothing;
  const name = marked(vscode.l10n.t("Commit {0}", commit.hash.slice(0, 8)), mark);
  const read = await withLateProgress(vscode.l10n.t("Reading {0}", name), (signal) =>
    readCommit(repository, parent, commit, signal),
  );
  return read === undefined ? nothing : diffAttachment(repository, read.diff, name, read.head);
}

/** @throws where nobody waits for it any more */
async function readCommit(
  repository: GitRepository,
  parent: string,
  { hash, message }: GitCommit,
  signal: AbortSignal,
): Promise<{ readonly head: string; readonly diff: string }> {
  const changes = await repository.diffBetween(parent, hash);
  const diffs: string[] = [];
  for (const { uri } of changes.slice(0, mostChanges)) {
    signal.throwIfAborted();
    const diff = await repository.diffBetween(parent, hash, uri.fsPath);
    // The extension takes the last line's end away; without it two files would pass for one.
    diffs.push(`${diff.trimEnd()}\n`);
  }
  const left = changes.length - mostChanges;
  const more = left > 0 ? `[${left} more files left out]\n\n` : "";
  return { head: `commit ${hash}\n\n${message}\n\n${more}`, diff: diffs.join("") };
}

/** Drops what is excluded, and asks about files that usually hold keys. */
async function diffAttachment(
  repository: GitRepository,
  diff: string,
  name: string,
  head = "",
): Promise<Gathered> {
  const exclusions = new Exclusions();
  const placeOf = await placesIn(repository.rootUri);
  const isExcluded = (path: string): boolean => exclusions.isNameExcluded(placeOf(path), "chat.exclude");
  const pieces = splitDiff(diff);
  // What cannot be told apart from an excluded file is none to be sent.
  const files = pieces.filter(({ paths }) => paths.length > 0 && !paths.some(isExcluded));
  const refusals = pieces.some(({ paths }) => paths.length === 0) ? [unnamedText(name)] : [];
  const sensitive = files.filter(({ paths }) => paths.some(isSensitiveName));
  const mayAll =
    sensitive.length === 0 || (await askSensitive(sensitive.map(({ paths }) => paths[0] ?? name)));
  const agreed = mayAll ? files : files.filter((file) => !sensitive.includes(file));
  const faultOf = ({ paths }: FileDiff): string | undefined =>
    paths.map((path) => exclusions.faultyPatternOfName(placeOf(path), ["chat.exclude"])).find(isDefined);
  const faulty = agreed.filter((file) => faultOf(file) !== undefined);
  const pattern = faulty.map(faultOf).find(isDefined);
  const mayFaulty =
    pattern === undefined ||
    (await askFaulty(
      faulty.map(({ paths }) => paths[0] ?? name),
      pattern,
    ));
  const kept = mayFaulty ? agreed : agreed.filter((file) => !faulty.includes(file));
  if (kept.length === 0) {
    return refused(...refusals, vscode.l10n.t("{0}: nothing that may be attached.", name));
  }
  const attachment = createTextAttachment({
    kind: "diff",
    name,
    text: head + kept.map(({ text }) => text).join(""),
    language: "diff",
    detail:
      kept.length === 1
        ? vscode.l10n.t("git diff of {0}: 1 file", nameOf(repository.rootUri))
        : vscode.l10n.t("git diff of {0}: {1} files", nameOf(repository.rootUri), kept.length),
  });
  return { attachments: [attachment], refusals };
}

/** As the user's settings have another program write it, or mark it. */
function unnamedText(name: string): string {
  return vscode.l10n.t("{0}: a part without a file's name was not attached.", name);
}

/** The only one, or the one the user picks; undefined where there is none, or on Escape. */
export async function chooseRepository<Repository extends GitRepository>(
  repositories: readonly Repository[],
): Promise<Repository | undefined> {
  if (repositories.length < 2) return repositories[0];
  const items = repositories.map((repository) => ({ label: nameOf(repository.rootUri), repository }));
  const title = vscode.l10n.t("Which Repository?");
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
    placeHolder: vscode.l10n.t("Choose the commit whose diff is attached"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.commit;
}
