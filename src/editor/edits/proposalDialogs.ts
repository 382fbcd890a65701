import * as vscode from "vscode";
import { showDocument } from "../shared/notebooks.ts";
import { showWarning } from "../shared/notices.ts";
import type { ProposalTarget } from "./proposalTarget.ts";
import { nameOf } from "./proposalView.ts";
import type { Hunk } from "../../chat/edits/proposedEdit.ts";

/** Asks before an answer's text is written into a file that can run programs or change settings. */
export async function confirmActing(uri: vscode.Uri): Promise<boolean> {
  const change = vscode.l10n.t("Make This Change");
  const message = vscode.l10n.t(
    "Change '{0}'? This file can run programs or change settings automatically.",
    nameOf(uri),
  );
  const detail = vscode.l10n.t("An answer proposed this change. Read every line before you accept it.");
  return (await showWarning(message, { modal: true, detail }, change)) === change;
}

/** Asks what to do with code that leaves out parts of a file, if its place is unclear. */
export async function promptForUnsurePlace({ uri, exists }: ProposalTarget, code: string): Promise<void> {
  const copy = vscode.l10n.t("Copy Code");
  const open = vscode.l10n.t("Open File");
  const message = vscode.l10n.t(
    "Inference Chat can't tell where this code belongs in '{0}'. Nothing was changed.",
    nameOf(uri),
  );
  const detail = vscode.l10n.t(
    'The code has placeholders such as "// ... existing code ..." in place of some parts. If you apply the code, these parts of your file could be deleted. Ask for the whole function or file, or copy the code and insert it yourself.',
  );
  const buttons = exists ? [copy, open] : [copy];
  const chosen = await showWarning(message, { modal: true, detail }, ...buttons);
  if (chosen === copy) await vscode.env.clipboard.writeText(code);
  if (chosen === open) await showDocument(uri);
}

interface CellItem extends vscode.QuickPickItem {
  readonly choice: "add" | "replace";
}

/** Asks where code belongs that has nothing in common with the active cell. Undefined if the user cancels. */
export async function promptForCell({
  notebook,
  index,
}: vscode.NotebookCell): Promise<CellItem["choice"] | undefined> {
  const items: readonly CellItem[] = [
    { label: vscode.l10n.t("$(add) Add Cell Below Cell {0}", index + 1), choice: "add" },
    {
      label: vscode.l10n.t("$(replace) Replace Cell {0}", index + 1),
      description: vscode.l10n.t("You review the changes first"),
      choice: "replace",
    },
  ];
  const title = vscode.l10n.t("Apply in Editor");
  const placeHolder = vscode.l10n.t("Where does this code belong in '{0}'?", nameOf(notebook.uri));
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.choice;
}

interface HunkItem extends vscode.QuickPickItem {
  readonly hunk: Hunk;
}

/** Asks which changes to apply. Undefined if the user cancels. */
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
      label: shown === "" ? vscode.l10n.t("(empty lines)") : shown,
      description: vscode.l10n.t("line {0}, -{1} +{2}", start + 1, removed, added.length),
      picked: true,
      hunk,
    };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Select Changes"),
    placeHolder: vscode.l10n.t("The changes you select will be applied"),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ hunk }) => hunk);
}
