import * as vscode from "vscode";
import { mayShow } from "../attachments/selectionContext.ts";
import { nameOf, shownPath } from "../files/workspacePaths.ts";

const selectionNames: readonly string[] = ["selection", "selectedText"];
const fileNames: readonly string[] = ["file", "fileBasename", "fileDirname", "fileBasenameNoExtension"];

/** What the editor's variables stand for, or the sentence that says what is missing; undefined after a "no". */
export type PromptValues =
  | { readonly kind: "values"; readonly values: ReadonlyMap<string, string> }
  | { readonly kind: "problem"; readonly sentence: string }
  | undefined;

/** Fills in the variables of the convention. Paths are the workspace's: none of the machine's is sent. */
export async function readPromptValues(
  names: ReadonlySet<string>,
  editor: vscode.TextEditor | undefined,
): Promise<PromptValues> {
  const values = new Map(workspaceValues(editor));
  if (fileNames.some((name) => names.has(name))) {
    if (editor === undefined) {
      return problem(vscode.l10n.t("This prompt is about a file. Open the file that is meant first."));
    }
    for (const [name, value] of fileValues(editor.document.uri)) values.set(name, value);
  }
  if (selectionNames.some((name) => names.has(name))) {
    if (editor === undefined || editor.selection.isEmpty) {
      return problem(vscode.l10n.t("This prompt is about a selection. Select some text in an editor first."));
    }
    if (!(await mayShow(editor.document.uri))) return undefined;
    const selected = editor.selections.map((selection) => editor.document.getText(selection)).join("\n");
    for (const name of selectionNames) values.set(name, selected);
  }
  return { kind: "values", values };
}

/** Whether a prompt with these variables is about the active file as a whole. */
export function isAboutFile(names: ReadonlySet<string>): boolean {
  return names.has("file");
}

function workspaceValues(editor: vscode.TextEditor | undefined): readonly (readonly [string, string])[] {
  const own = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
  const folder = own ?? vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return [];
  return [
    ["workspaceFolder", folder.name],
    ["workspaceFolderBasename", nameOf(folder.uri)],
  ];
}

function fileValues(uri: vscode.Uri): readonly (readonly [string, string])[] {
  const path = shownPath(uri);
  const name = nameOf(uri);
  return [
    ["file", path],
    ["fileBasename", name],
    ["fileDirname", path.slice(0, Math.max(0, path.lastIndexOf("/"))) || "."],
    ["fileBasenameNoExtension", name.replace(/(?<=.)\.[^.]*$/, "")],
  ];
}

function problem(sentence: string): PromptValues {
  return { kind: "problem", sentence };
}
