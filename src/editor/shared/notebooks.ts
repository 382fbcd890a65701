import * as vscode from "vscode";
import { isNotebookName } from "../../text/fileNames.ts";

const cellScheme = "vscode-notebook-cell";

/** The cell that a document is the text of. Undefined for other documents, and for cells that are gone. */
export function findCell(uri: vscode.Uri): vscode.NotebookCell | undefined {
  if (uri.scheme !== cellScheme) return undefined;
  const wanted = uri.toString();
  for (const notebook of vscode.workspace.notebookDocuments) {
    if (notebook.uri.path !== uri.path) continue;
    const cell = notebook.getCells().find(({ document }) => document.uri.toString() === wanted);
    if (cell !== undefined) return cell;
  }
  return undefined;
}

/** The file of a cell's notebook, whose rules apply to the cell. Returns other URIs unchanged. */
export function fileOf(uri: vscode.Uri): vscode.Uri {
  if (uri.scheme !== cellScheme) return uri;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const { scheme, authority } = folder?.uri ?? vscode.Uri.file(uri.path);
  return findCell(uri)?.notebook.uri ?? uri.with({ scheme, authority, fragment: "" });
}

/** The range that consists of one cell. */
export function rangeOf({ index }: vscode.NotebookCell): vscode.NotebookRange {
  return new vscode.NotebookRange(index, index + 1);
}

/** Shows a document or an open notebook and focuses it. A cell has no editor of its own and is shown in its notebook. */
export async function showDocument(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const cell = findCell(uri);
  const notebook = cell?.notebook ?? openNotebookOf(uri);
  if (notebook === undefined) await vscode.window.showTextDocument(uri, options);
  else {
    const { viewColumn, preview } = options;
    await vscode.window.showNotebookDocument(notebook, {
      ...(cell === undefined ? {} : { selections: [rangeOf(cell)] }),
      ...(viewColumn === undefined ? {} : { viewColumn }),
      ...(preview === undefined ? {} : { preview }),
    });
  }
}

/**
 * Adds a cell below the one with this index, or at the start for -1, and shows it. Code gets the language of the other
 * cells. Resolves to false if the notebook can't be changed.
 */
export async function addCell(
  notebook: vscode.NotebookDocument,
  { below, text, language }: { readonly below: number; readonly text: string; readonly language: string },
): Promise<boolean> {
  const { Code, Markup } = vscode.NotebookCellKind;
  const code = notebook.getCells().find(({ kind }) => kind === Code);
  const data = /^(?:markdown|md)$/iu.test(language)
    ? new vscode.NotebookCellData(Markup, text, "markdown")
    : new vscode.NotebookCellData(Code, text, code?.document.languageId ?? language.toLowerCase());
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(below + 1, [data])]);
  if (!(await vscode.workspace.applyEdit(edit))) return false;
  await showDocument(notebook.cellAt(below + 1).document.uri);
  return true;
}

/** Undefined unless the file is open as a notebook. */
export function openNotebookOf(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.notebookDocuments.find((notebook) => notebook.uri.toString() === wanted);
}

/** Whether the file is a Jupyter notebook by its name, or open as a notebook of any type. */
export function isNotebook(uri: vscode.Uri): boolean {
  return isNotebookName(uri.path) || openNotebookOf(uri) !== undefined;
}
