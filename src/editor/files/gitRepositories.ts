import * as vscode from "vscode";
import type { GitObjects } from "../../chat/commit/gitChange.ts";
import { commandIds } from "../../contributions.ts";
import { showInformation } from "../shared/notices.ts";
import { readSide } from "../workspace/settings.ts";

/** The part of the Git extension's API, version 1, that is used here. */
export interface GitRepository extends GitObjects {
  readonly rootUri: vscode.Uri;
  readonly state: GitState;
  /** Reads the repository's state again. */
  status(): Promise<void>;
  diffBetween(from: string, to: string): Promise<readonly ListedChange[]>;
  log(options?: { readonly maxEntries?: number }): Promise<readonly GitCommit[]>;
}

interface GitState {
  readonly indexChanges: readonly ListedChange[];
  readonly workingTreeChanges: readonly ListedChange[];
  readonly mergeChanges: readonly ListedChange[];
  /** Only set if the user lists untracked changes separately. */
  readonly untrackedChanges?: readonly ListedChange[];
  /** Fires after the state was read. */
  readonly onDidChange: vscode.Event<void>;
}

/** A changed file as the Git extension lists it. */
export interface ListedChange {
  readonly uri: vscode.Uri;
  /** The path before a rename. Otherwise the same as `uri`. */
  readonly originalUri: vscode.Uri;
  readonly renameUri?: vscode.Uri | undefined;
  /** A value of the Git extension's `Status` enum. */
  readonly status: number;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly authorName?: string;
  readonly commitDate?: Date;
}

interface GitExtension {
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** Whether the Git extension is missing in this extension host. Another host's extensions cannot be reached. */
export function lacksGit(): boolean {
  return vscode.extensions.getExtension("vscode.git") === undefined;
}

/** Whether the Git extension is missing because it runs on the remote machine, and this extension does not. */
export function isGitOnOtherSide(): boolean {
  return lacksGit() && readSide() === "local";
}

/** Says why there are no repositories, after `findRepositories` found no Git extension. */
export function missingGitText(): string {
  return isGitOnOtherSide()
    ? vscode.l10n.t(
        "Inference Chat runs on your computer, but VS Code's Git extension runs on the remote machine. To use Git, run Inference Chat on the remote machine too.",
      )
    : vscode.l10n.t("VS Code's Git extension isn't available, so the diff can't be created.");
}

/** Shows a notice. If the Git extension is on the other side, a button leads to the choice of the side. */
export async function showGitNotice(message: string, show = showInformation): Promise<void> {
  const select = vscode.l10n.t("Run on the Remote Machine...");
  const buttons = isGitOnOtherSide() ? [select] : [];
  if ((await show(message, ...buttons)) === select)
    await vscode.commands.executeCommand(commandIds.selectSide);
}

/** Returns the workspace's repositories. Undefined if the Git extension is missing or disabled. */
export async function findRepositories(): Promise<readonly GitRepository[] | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return undefined;
  try {
    const git = await extension.activate();
    return git.getAPI(1).repositories;
  } catch {
    // Either `git.enabled` is off, or git is not installed.
    return undefined;
  }
}
