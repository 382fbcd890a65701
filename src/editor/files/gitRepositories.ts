import * as vscode from "vscode";
import type { GitObjects } from "../../chat/commit/gitChange.ts";

/** The part of the git extension's interface, version 1, that is used here. */
export interface GitRepository extends GitObjects {
  readonly rootUri: vscode.Uri;
  readonly state: GitState;
  /** Has the state read anew. */
  status(): Promise<void>;
  diffBetween(from: string, to: string): Promise<readonly ListedChange[]>;
  log(options?: { readonly maxEntries?: number }): Promise<readonly GitCommit[]>;
}

interface GitState {
  readonly indexChanges: readonly ListedChange[];
  readonly workingTreeChanges: readonly ListedChange[];
  readonly mergeChanges: readonly ListedChange[];
  /** Only where the user has them listed apart. */
  readonly untrackedChanges?: readonly ListedChange[];
  /** Fires when the state was read. */
  readonly onDidChange: vscode.Event<void>;
}

/** A changed file as the git extension lists it. */
export interface ListedChange {
  readonly uri: vscode.Uri;
  /** Where it was before a rename; else the same. */
  readonly originalUri: vscode.Uri;
  readonly renameUri?: vscode.Uri | undefined;
  /** A number of the extension's own list. */
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

/** The repositories of the workspace; undefined where the git extension is missing or switched off. */
export async function findRepositories(): Promise<readonly GitRepository[] | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return undefined;
  try {
    const git = await extension.activate();
    return git.getAPI(1).repositories;
  } catch {
    // The extension's own switch, `git.enabled`, or no git on the machine.
    return undefined;
  }
}
