import * as vscode from "vscode";
import type { TextChange } from "../../text/lineChanges.ts";

interface LineEdit {
  readonly range: vscode.Range;
  readonly text: string;
}

/**
 * Makes changes, which are in lines of the document as it is, in one edit. `joinsLast` makes it one step
 * of undo with the edit before. False where nothing could be written, also where the document changes in
 * the same moment.
 */
export async function writeChanges(
  document: vscode.TextDocument,
  changes: readonly TextChange[],
  joinsLast: boolean,
): Promise<boolean> {
  const edits = changes.map((change) => convertChange(document, change));
  const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
  if (editor !== undefined) {
    return editor.edit(
      (edit) => {
        for (const { range, text } of edits) edit.replace(range, text);
      },
      { undoStopBefore: !joinsLast, undoStopAfter: false },
    );
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { range, text } of edits) edit.replace(document.uri, range, text);
  return vscode.workspace.applyEdit(edit);
}

function convertChange(document: vscode.TextDocument, { start, removed, added }: TextChange): LineEdit {
  if (start + removed < document.lineCount) {
    const text = added.map((line) => `${line}\n`).join("");
    return { range: new vscode.Range(start, 0, start + removed, 0), text };
  }
  // Up to the end: the line break is ahead of what comes in, not behind it.
  const from = start === 0 ? new vscode.Position(0, 0) : document.lineAt(start - 1).range.end;
  const lead = start === 0 || added.length === 0 ? "" : "\n";
  const end = document.lineAt(document.lineCount - 1).range.end;
  return { range: new vscode.Range(from, end), text: lead + added.join("\n") };
}
