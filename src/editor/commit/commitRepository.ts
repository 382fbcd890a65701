import * as vscode from "vscode";
import { chooseRepository } from "../attachments/gitContext.ts";
import { findRepositories, type GitRepository } from "../files/gitRepositories.ts";
import { showInformation } from "../shared/notices.ts";

/** A repository of the git extension whose commit message can be written. */
export interface CommitRepository extends GitRepository {
  /** The box above the changes. */
  readonly inputBox: { value: string };
}

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

/** An extension may change its interface; what is not as it should be is not used. */
function hasBox(repository: GitRepository): repository is CommitRepository {
  const { inputBox, state }: Partial<CommitRepository> = repository;
  const lists = [state?.indexChanges, state?.workingTreeChanges, state?.mergeChanges];
  return typeof inputBox?.value === "string" && lists.every((list) => Array.isArray(list));
}

function rootOf(pressed: unknown): string | undefined {
  const isObject = typeof pressed === "object" && pressed !== null;
  const root = isObject && "rootUri" in pressed ? pressed.rootUri : undefined;
  return root instanceof vscode.Uri ? root.toString() : undefined;
}
