import * as vscode from "vscode";
import { applyChanges, type TextChange } from "../chat/textChanges.ts";
import type { ProposalTarget } from "./proposalTarget.ts";
import { isInWorkspace } from "./workspaceFiles.ts";

interface ChangeItem extends vscode.QuickPickItem {
  readonly change: TextChange;
}

/** Asks which changes to make; undefined where the user does not say. */
export async function chooseChanges(
  changes: readonly TextChange[],
  before: string,
): Promise<readonly TextChange[] | undefined> {
  const lines = before.split("\n");
  const items = changes.map((change): ChangeItem => {
    const old = lines.slice(change.start, change.start + change.removed);
    const shown = [...change.added, ...old].find((line) => line.trim() !== "")?.trim() ?? "";
    return {
      label: shown === "" ? vscode.l10n.t("(blank lines)") : shown,
      description: vscode.l10n.t(
        "line {0}, -{1} +{2}",
        change.start + 1,
        change.removed,
        change.added.length,
      ),
      picked: true,
      change,
    };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Choose Changes"),
    placeHolder: vscode.l10n.t("The changes that are ticked are made"),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ change }) => change);
}

/** All in one edit, so that one undo takes all of it back. False where nothing could be written. */
export async function writeChanges(
  { uri, exists: isThere }: ProposalTarget,
  before: string,
  changes: readonly TextChange[],
): Promise<boolean> {
  if (uri.scheme !== "untitled" && !(await isInWorkspace(uri))) return false;
  const edit = new vscode.WorkspaceEdit();
  if (!isThere) {
    edit.createFile(uri, { contents: new TextEncoder().encode(applyChanges(before, changes)) });
    return vscode.workspace.applyEdit(edit);
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  for (const { start, removed, added } of changes) {
    const text = added.map((line) => `${line}\n`).join("");
    const range = new vscode.Range(start, 0, start + removed, 0);
    if (range.end.line < document.lineCount) {
      edit.replace(uri, range, text);
    } else {
      // Up to the end: the line break is ahead of what comes in, not behind it.
      const from = start === 0 ? range.start : document.lineAt(start - 1).range.end;
      const lead = start === 0 || added.length === 0 ? "" : "\n";
      edit.replace(uri, new vscode.Range(from, whole.end), lead + added.join("\n"));
    }
  }
  return vscode.workspace.applyEdit(edit);
}
