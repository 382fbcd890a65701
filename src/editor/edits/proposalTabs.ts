import * as vscode from "vscode";
import type { Hunk } from "../../chat/edits/proposedEdit.ts";
import { proposalScheme } from "../../contributions.ts";
import type { Proposal } from "./proposal.ts";

/** The proposal that the active tab shows. */
export function activeProposal(): vscode.Uri | undefined {
  return proposalIn(vscode.window.tabGroups.activeTabGroup.activeTab);
}

export function proposalIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === proposalScheme
    ? input.modified
    : undefined;
}

/** Shows a proposal beside its file. */
export async function openDiff({ uri, target }: Proposal, line: number): Promise<void> {
  const left = target.exists ? target.uri : uri.with({ fragment: "empty" });
  const title = vscode.l10n.t("{0} (proposed changes)", nameOf(target.uri));
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.commands.executeCommand("vscode.diff", left, uri, title, { preview: false, selection });
}

export async function closeDiff(uri: vscode.Uri): Promise<void> {
  await vscode.window.tabGroups.close(tabsOf(uri));
}

/** Those that show a proposal: a diff can be split. */
export function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter((tab) => proposalIn(tab)?.toString() === uri.toString());
}

/** The hunk that the caret is in, on either side; else the next one behind it, or the last. */
export function hunkAtCaret(proposal: Proposal, line?: number): Hunk | undefined {
  const editor = vscode.window.activeTextEditor;
  const isProposal = editor?.document.uri.toString() === proposal.uri.toString();
  const caret = line ?? editor?.selection.active.line ?? 0;
  const { hunks } = proposal;
  const found = hunks.find(({ start, removed, shownAt, added }) =>
    isProposal || line !== undefined
      ? caret < shownAt + Math.max(added.length, 1)
      : caret < start + Math.max(removed, 1),
  );
  return found ?? hunks.at(-1);
}

/** Puts the caret at a line of the proposal, where the diff is shown. */
export function revealLine({ uri }: Proposal, line: number): void {
  const shown = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.toString() === uri.toString(),
  );
  if (shown === undefined) return;
  const position = new vscode.Position(line, 0);
  shown.selection = new vscode.Selection(position, position);
  shown.revealRange(
    new vscode.Range(position, position),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

export function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri.with({ query: "" }));
}
