import * as vscode from "vscode";
import { chooseRepository } from "../context/gitContext.ts";
import { findRepositories, type GitRepository } from "../context/gitRepositories.ts";
import { showInformation } from "../notices.ts";

/** What a commit's message needs of the git extension's repository beyond its diffs. */
export interface CommitRepository extends GitRepository {
  /** The box above the changes. */
  readonly inputBox: { value: string };
  readonly state: {
    readonly workingTreeChanges: readonly Change[];
    /** Only where the user has them listed apart. */
    readonly untrackedChanges?: readonly Change[];
  };
}

interface Change {
  readonly uri: vscode.Uri;
  /** A number of the extension's own list. */
  readonly status: number;
}

/** Of the extension's list of states: a file that git does not know yet. */
const untracked = 7;

/**
 * The repository whose button was pressed, which the editor names by its source control; else the only
 * one, or the one the user picks. Undefined where that was said to the user, or on Escape.
 */
export async function findCommitRepository(pressed: unknown): Promise<CommitRepository | undefined> {
  const repositories = (await findRepositories())?.filter(hasBox);
  if (repositories === undefined || repositories.length === 0) {
    const message =
      repositories === undefined
        ? vscode.l10n.t("The editor's git extension is not available, so there is no diff.")
        : vscode.l10n.t("No git repository is open in this workspace.");
    void showInformation(message);
    return undefined;
  }
  const root = rootOf(pressed);
  if (root === undefined) return chooseRepository(repositories);
  const found = repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (found === undefined) {
    void showInformation(
      vscode.l10n.t("The editor's git extension does not know this repository (any more)."),
    );
  }
  return found;
}

/** New files, which no diff shows. */
export function untrackedUris({ state }: CommitRepository): readonly vscode.Uri[] {
  const changes = [...state.workingTreeChanges, ...(state.untrackedChanges ?? [])];
  return changes.filter(({ status }) => status === untracked).map(({ uri }) => uri);
}

/** An extension may change its interface; what is not as it should be is not used. */
function hasBox(repository: GitRepository): repository is CommitRepository {
  const { inputBox, state }: Partial<CommitRepository> = repository;
  return typeof inputBox?.value === "string" && Array.isArray(state?.workingTreeChanges);
}

function rootOf(pressed: unknown): string | undefined {
  const isObject = typeof pressed === "object" && pressed !== null;
  const root = isObject && "rootUri" in pressed ? pressed.rootUri : undefined;
  return root instanceof vscode.Uri ? root.toString() : undefined;
}
