import * as vscode from "vscode";
import type { CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";
import { showInformation, showWarning, reportError } from "../shared/notices.ts";
import type { Proposal } from "./proposal.ts";
import { placeCode, type Proposals, withoutFileComment } from "./proposals.ts";
import { isNotebook } from "../shared/notebooks.ts";
import { nameOf } from "./proposalView.ts";
import { namedTarget } from "./proposalTarget.ts";

interface FileItem extends vscode.QuickPickItem {
  readonly proposal: Proposal;
}

/**
 * Shows the changes that code blocks make to the files they name. Each file is one undo step.
 * The user can apply a file's changes, review them one by one in a diff, or skip the file.
 */
export async function reviewFiles(blocks: readonly CodeBlockText[], proposals: Proposals): Promise<void> {
  const { found, unnamed, unsure, refused } = await proposeFiles(blocks, proposals);
  if (unsure.length > 0) showUnsure(unsure);
  const changed = found.filter((proposal) => proposal.hunks.length > 0);
  for (const same of found) if (!changed.includes(same)) proposals.drop(same);
  if (changed.length === 0 && unsure.length > 0) return;
  if (changed.length === 0) {
    // The user has already seen why files were refused.
    if (refused > 0) return;
    showMessage(
      vscode.l10n.t("Nothing to apply: the files already contain this code, or the answer names no files."),
    );
    return;
  }
  const { taken, shown } = await pickFiles(changed, unnamed, proposals);
  for (const proposal of taken) {
    await proposals.make(proposal, (hunks) => hunks.filter(({ kind }) => kind === "clean"));
  }
  const left: Proposal[] = [];
  for (const proposal of changed) {
    if (taken.includes(proposal) && proposal.hunks.length > 0) left.push(proposal);
    else if (!shown.has(proposal)) proposals.drop(proposal);
    else if (proposal.hunks.length === 0) await proposals.close(proposal);
  }
  await showSkipped(left, proposals);
}

/** Shows the changes that were not applied, such as conflicts with the user's edits. The user decides on them. */
async function showSkipped(left: readonly Proposal[], proposals: Proposals): Promise<void> {
  if (left.length === 0) return;
  void showWarning(
    vscode.l10n.t(
      "Some changes were not applied. Review the remaining changes in: {0}.",
      left.map(({ target }) => nameOf(target.uri)).join(", "),
    ),
  );
  for (const proposal of left) await proposals.show(proposal);
}

/** Creates one proposal per file from all of its blocks. */
async function proposeFiles(
  blocks: readonly CodeBlockText[],
  proposals: Proposals,
): Promise<{
  readonly found: readonly Proposal[];
  readonly unnamed: number;
  /** Files with a block that leaves code out and has no clear place. */
  readonly unsure: readonly vscode.Uri[];
  /** Number of files that saving would damage, and of notebooks. The user was told. */
  readonly refused: number;
}> {
  const byFile = new Map<string, { readonly proposal: Proposal; text: string }>();
  const unsure = new Map<string, vscode.Uri>();
  const notebooks = new Map<string, vscode.Uri>();
  let unnamed = 0;
  for (const block of blocks) {
    const target = await namedTarget(block);
    if (target === undefined) {
      unnamed += 1;
      continue;
    }
    if (target.exists && isNotebook(target.uri)) {
      notebooks.set(target.uri.toString(), target.uri);
      continue;
    }
    const key = target.uri.toString();
    const known = byFile.get(key);
    const proposal = known?.proposal ?? (await proposals.create(target));
    const before = known?.text ?? proposal.now;
    const text = placeCode(before, withoutFileComment(block.text), target);
    if (text === undefined) unsure.set(key, target.uri);
    byFile.set(key, { proposal, text: text ?? before });
  }
  const found: Proposal[] = [];
  for (const { proposal, text } of byFile.values()) {
    proposal.edit.propose(text);
    if (await proposals.mayWrite(proposal)) found.push(proposal);
    else proposals.drop(proposal);
  }
  if (notebooks.size > 0) showNotebooks([...notebooks.values()]);
  const refused = byFile.size - found.length + notebooks.size;
  return { found, unnamed, unsure: [...unsure.values()], refused };
}

async function pickFiles(
  changed: readonly Proposal[],
  unnamed: number,
  proposals: Proposals,
): Promise<{ readonly taken: readonly Proposal[]; readonly shown: ReadonlySet<Proposal> }> {
  const shown = new Set<Proposal>();
  const button = {
    iconPath: new vscode.ThemeIcon("diff"),
    tooltip: vscode.l10n.t("Review Each Change"),
  };
  const items = changed.map((proposal): FileItem => ({
    label: nameOf(proposal.target.uri),
    description: countText(proposal),
    buttons: [button],
    proposal,
  }));
  const pick = vscode.window.createQuickPick<FileItem>();
  pick.title = vscode.l10n.t("Apply to Files");
  pick.placeholder = tickedText(unnamed);
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.items = items;
  pick.selectedItems = items;
  try {
    const taken = await new Promise<readonly FileItem[]>((resolve) => {
      pick.onDidTriggerItemButton(({ item }) => {
        shown.add(item.proposal);
        pick.selectedItems = pick.selectedItems.filter((each) => each !== item);
        reportError(proposals.show(item.proposal));
      });
      pick.onDidAccept(() => resolve(pick.selectedItems));
      pick.onDidHide(() => resolve([]));
      pick.show();
    });
    return { taken: taken.map(({ proposal }) => proposal), shown };
  } finally {
    pick.dispose();
  }
}

function tickedText(unnamed: number): string {
  if (unnamed === 0) return vscode.l10n.t("The files you select will be changed");
  return unnamed === 1
    ? vscode.l10n.t(
        "The files you select will be changed. 1 code block is skipped because it names no workspace file.",
      )
    : vscode.l10n.t(
        "The files you select will be changed. {0} code blocks are skipped because they name no workspace file.",
        unnamed,
      );
}

function countText({ hunks, target }: Proposal): string {
  const added = hunks.reduce((sum, hunk) => sum + hunk.added.length, 0);
  if (!target.exists) return vscode.l10n.t("new file, +{0}", added);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed, 0);
  return hunks.length === 1
    ? vscode.l10n.t("1 change, -{0} +{1}", removed, added)
    : vscode.l10n.t("{0} changes, -{1} +{2}", hunks.length, removed, added);
}

function showUnsure(files: readonly vscode.Uri[]): void {
  void showWarning(
    vscode.l10n.t(
      "Some code leaves parts out, so its place in the file is unclear. This code was not applied to: {0}.",
      files.map((uri) => nameOf(uri)).join(", "),
    ),
  );
}

function showNotebooks(notebooks: readonly vscode.Uri[]): void {
  void showWarning(
    vscode.l10n.t(
      "Code was not applied to: {0}. Open the notebook, select a cell, and apply each code block on its own.",
      notebooks.map((uri) => nameOf(uri)).join(", "),
    ),
  );
}

function showMessage(message: string): void {
  void showInformation(message);
}
