import assert from "node:assert/strict";
import * as vscode from "vscode";
import { workspaceFolder } from "./withConnection.ts";

/** An open file of the workspace, in its own folder. */
export interface OpenFile {
  readonly folder: vscode.Uri;
  readonly uri: vscode.Uri;
  readonly document: vscode.TextDocument;
  /** The text of the document, saved or not. */
  readonly text: string;
  /** Inserts text as an edit from elsewhere, without moving the cursor. */
  readonly type: (line: number, character: number, text: string) => Promise<void>;
  /** Writes another file to the folder. */
  readonly write: (name: string, text: string) => Promise<vscode.Uri>;
}

/** Adds hooks to the surrounding `describe`: each test has a new file, and leaves no editor open. */
export function withOpenFile(name: string, content: string): OpenFile {
  let folder: vscode.Uri | undefined;
  let opened: vscode.TextDocument | undefined;
  const document = (): vscode.TextDocument => opened ?? assert.fail("No file is open before a test.");

  async function write(other: string, text: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(folder ?? assert.fail(), other);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    return uri;
  }

  beforeEach(async () => {
    // A new folder for each test, because VS Code may still have the text of an earlier file.
    folder = vscode.Uri.joinPath(workspaceFolder().uri, `opened-${crypto.randomUUID()}`);
    opened = await vscode.workspace.openTextDocument(await write(name, content));
    await vscode.window.showTextDocument(opened, { preview: false });
  });
  afterEach(async () => {
    for (const each of vscode.workspace.textDocuments)
      if (each.isDirty && !each.isUntitled) await each.save();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    if (folder !== undefined) await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  return {
    get folder() {
      return folder ?? assert.fail("There is no folder before a test.");
    },
    get uri() {
      return document().uri;
    },
    get document() {
      return document();
    },
    get text() {
      return document().getText();
    },
    write,
    type: async (line, character, text) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document().uri, new vscode.Position(line, character), text);
      assert.ok(await vscode.workspace.applyEdit(edit));
    },
  };
}
