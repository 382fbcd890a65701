import * as vscode from "vscode";
import type { GitObjects } from "../../chat/commit/gitChange.ts";

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
