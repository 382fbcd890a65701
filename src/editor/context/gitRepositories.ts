import * as vscode from "vscode";

/** The part of the git extension's interface, version 1, that is used here. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  diff(cached?: boolean): Promise<string>;
  diffBetween(from: string, to: string): Promise<readonly GitChange[]>;
  diffBetween(from: string, to: string, path: string): Promise<string>;
  log(options?: { readonly maxEntries?: number }): Promise<readonly GitCommit[]>;
}

interface GitChange {
  readonly uri: vscode.Uri;
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
