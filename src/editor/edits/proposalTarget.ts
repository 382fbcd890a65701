import * as vscode from "vscode";
import { type CodeBlockText, namedFiles } from "../../text/markdown/codeBlockInfo.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { showInformation } from "../shared/notices.ts";
import { findByBaseName, findWorkspaceFile, isInWorkspace, placesToCreate } from "../files/workspaceFiles.ts";

/** The file that a block is to be applied to. */
export interface ProposalTarget {
  readonly uri: vscode.Uri;
  /** False for a file that is to be made. */
  readonly exists: boolean;
  /** Line from 0 behind which new code comes in. */
  readonly cursor: number;
  /** What is selected in it gives way to the block. */
  readonly selection?: vscode.Range;
  /** The user chose the file itself: it may lie outside of the workspace. */
  readonly isUsersChoice?: true;
}

interface TargetItem extends vscode.QuickPickItem {
  readonly target: ProposalTarget;
}

/**
 * A file that the block names, if the workspace has it; else, where it names none, the file that was
 * used last. Where it names one that does not exist, or there is no file, the user is asked. Undefined
 * where the user says none.
 */
export async function chooseTarget(
  block: CodeBlockText,
  lastEditor: LastTextEditor,
): Promise<ProposalTarget | undefined> {
  const names = namedFiles(block);
  const editor = await editableOf(lastEditor.current);
  for (const name of names) {
    const uri = (await findWorkspaceFile(name))?.uri ?? (await findByBaseName(name));
    if (uri !== undefined && (await isInWorkspace(uri))) return targetOf(uri, editor);
  }
  if (names.length === 0 && editor !== undefined) return targetOf(editor.document.uri, editor);
  return promptForTarget(names, editor);
}

/** The file that a block names: one of the workspace's, else one that is to be made in it. */
export async function namedTarget(block: CodeBlockText): Promise<ProposalTarget | undefined> {
  const [name] = namedFiles(block);
  if (name === undefined) return undefined;
  const uri = (await findWorkspaceFile(name))?.uri ?? (await findByBaseName(name));
  if (uri !== undefined && (await isInWorkspace(uri))) return targetOf(uri, undefined);
  const [place] = placesToCreate(name);
  return place !== undefined && (await isInWorkspace(place))
    ? { uri: place, exists: false, cursor: 0 }
    : undefined;
}

async function promptForTarget(
  names: readonly string[],
  editor: vscode.TextEditor | undefined,
): Promise<ProposalTarget | undefined> {
  const open = vscode.workspace.textDocuments.filter((document) => document !== editor?.document);
  const items: TargetItem[] = [];
  for (const name of names.slice(0, 3)) {
    for (const uri of placesToCreate(name)) {
      if (!(await isInWorkspace(uri))) continue;
      const label = vscode.l10n.t("$(new-file) Create {0}", vscode.workspace.asRelativePath(uri));
      items.push({ label, target: { uri, exists: false, cursor: 0 } });
    }
  }
  if (editor !== undefined) items.push(itemOf(editor.document.uri, editor, vscode.l10n.t("used last")));
  for (const { uri } of open) if (await isInWorkspace(uri)) items.push(itemOf(uri, undefined));
  if (items.length === 0) {
    void showInformation(vscode.l10n.t("Open the file this code belongs to, and then apply it again."));
    return undefined;
  }
  const title = vscode.l10n.t("Apply in Editor");
  const placeHolder = vscode.l10n.t(
    "Which file is this code for? You review the changes before they are applied.",
  );
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.target;
}

function itemOf(uri: vscode.Uri, editor: vscode.TextEditor | undefined, description = ""): TargetItem {
  return { label: vscode.workspace.asRelativePath(uri), description, target: targetOf(uri, editor) };
}

function targetOf(uri: vscode.Uri, editor: vscode.TextEditor | undefined): ProposalTarget {
  if (editor?.document.uri.toString() !== uri.toString()) {
    return { uri, exists: true, cursor: Number.MAX_SAFE_INTEGER };
  }
  const { selection } = editor;
  const cursor = selection.active.line;
  return { uri, exists: true, cursor, ...(selection.isEmpty ? {} : { selection }) };
}

/** A file of the workspace, or one that has no place yet. */
async function editableOf(editor: vscode.TextEditor | undefined): Promise<vscode.TextEditor | undefined> {
  if (editor === undefined) return undefined;
  const { uri, isUntitled } = editor.document;
  return isUntitled || (await isInWorkspace(uri)) ? editor : undefined;
}
