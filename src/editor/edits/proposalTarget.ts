import * as vscode from "vscode";
import { type CodeBlockText, namedFiles } from "../../text/markdown/codeBlockInfo.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { fileOf, findCell, isNotebook } from "../shared/notebooks.ts";
import { showInformation } from "../shared/notices.ts";
import { nameOf } from "./proposalView.ts";
import { findByBaseName, findWorkspaceFile, isInWorkspace, placesToCreate } from "../files/workspaceFiles.ts";

/** The file or the cell of a notebook that a code block is applied to. */
export interface ProposalTarget {
  readonly uri: vscode.Uri;
  /** False for a new file. */
  readonly exists: boolean;
  /** Zero-based line. New code is inserted after it. */
  readonly cursor: number;
  /** The selected range, which the block replaces. */
  readonly selection?: vscode.Range;
  /** Set if the user chose the file. Such a file can be outside the workspace. */
  readonly isUsersChoice?: true;
}

interface TargetItem extends vscode.QuickPickItem {
  readonly target: ProposalTarget;
}

/**
 * Returns the workspace file that the block names. If the block names none, returns the last used file. For a notebook,
 * returns its active cell. Asks the user if the named file does not exist or no file was used. Undefined if the user
 * cancels.
 */
export async function chooseTarget(
  block: CodeBlockText,
  lastEditor: LastTextEditor,
): Promise<ProposalTarget | undefined> {
  const names = namedFiles(block);
  const editor = await editableOf(lastEditor.current);
  const { cell } = lastEditor;
  for (const name of names) {
    const uri = (await findWorkspaceFile(name))?.uri ?? (await findByBaseName(name));
    if (uri === undefined || !(await isInWorkspace(uri))) continue;
    if (!isNotebook(uri)) return targetOf(uri, editor);
    if (cell !== undefined && cell.notebook.uri.toString() === uri.toString())
      return targetOf(cell.document.uri, editor);
    void showInformation(
      vscode.l10n.t("Open '{0}' and select the cell that this code belongs to. Then apply it again.", name),
    );
    return undefined;
  }
  if (names.length === 0 && cell !== undefined && (await isEditable(cell.document)))
    return targetOf(cell.document.uri, editor);
  if (names.length === 0 && editor !== undefined) return targetOf(editor.document.uri, editor);
  return promptForTarget(names, editor);
}

/**
 * Returns the workspace file that a block names, or the path to create it. Undefined if the block names no file in the
 * workspace.
 */
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
  const open = vscode.workspace.textDocuments.filter(
    (document) =>
      document !== editor?.document && findCell(document.uri) === undefined && !isNotebook(document.uri),
  );
  const items: TargetItem[] = [];
  for (const name of names.slice(0, 3)) {
    for (const uri of placesToCreate(name)) {
      if (!(await isInWorkspace(uri))) continue;
      const label = vscode.l10n.t("$(new-file) Create {0}", vscode.workspace.asRelativePath(uri));
      items.push({ label, target: { uri, exists: false, cursor: 0 } });
    }
  }
  if (editor !== undefined) items.push(itemOf(editor.document.uri, editor, vscode.l10n.t("last used")));
  for (const { uri } of open) if (await isInWorkspace(uri)) items.push(itemOf(uri, undefined));
  if (items.length === 0) {
    void showInformation(vscode.l10n.t("Open the file this code belongs to, and then apply the code again."));
    return undefined;
  }
  const title = vscode.l10n.t("Apply in Editor");
  const placeHolder = vscode.l10n.t(
    "Which file is this code for? You review the changes before they are applied.",
  );
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.target;
}

function itemOf(uri: vscode.Uri, editor: vscode.TextEditor | undefined, description = ""): TargetItem {
  return { label: nameOf(uri), description, target: targetOf(uri, editor) };
}

function targetOf(uri: vscode.Uri, editor: vscode.TextEditor | undefined): ProposalTarget {
  if (editor?.document.uri.toString() !== uri.toString()) {
    return { uri, exists: true, cursor: Number.MAX_SAFE_INTEGER };
  }
  const { selection } = editor;
  const cursor = selection.active.line;
  return { uri, exists: true, cursor, ...(selection.isEmpty ? {} : { selection }) };
}

/** Returns the editor only if its document is untitled or a workspace file. */
async function editableOf(editor: vscode.TextEditor | undefined): Promise<vscode.TextEditor | undefined> {
  return editor !== undefined && (await isEditable(editor.document)) ? editor : undefined;
}

async function isEditable({ uri }: vscode.TextDocument): Promise<boolean> {
  return fileOf(uri).scheme === "untitled" || isInWorkspace(uri);
}
