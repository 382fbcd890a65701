import * as vscode from "vscode";
import type { Hunk } from "../../chat/edits/proposedEdit.ts";

interface HunkItem extends vscode.QuickPickItem {
  readonly hunk: Hunk;
}

/** Asks which of the changes to make; undefined where the user does not say. */
export async function chooseHunks(
  hunks: readonly Hunk[],
  before: string,
): Promise<readonly Hunk[] | undefined> {
  const lines = before.split("\n");
  const items = hunks.map((hunk): HunkItem => {
    const { start, removed, added } = hunk;
    const old = lines.slice(start, start + removed);
    const shown = [...added, ...old].find((line) => line.trim() !== "")?.trim() ?? "";
    return {
      label: shown === "" ? vscode.l10n.t("(blank lines)") : shown,
      description: vscode.l10n.t("line {0}, -{1} +{2}", start + 1, removed, added.length),
      picked: true,
      hunk,
    };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Choose Changes"),
    placeHolder: vscode.l10n.t("The changes that are ticked are made"),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ hunk }) => hunk);
}
