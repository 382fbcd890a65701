import * as vscode from "vscode";

/** The document of a file; undefined if the file is not open. */
export function openDocumentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
