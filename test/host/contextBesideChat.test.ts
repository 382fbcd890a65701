import assert from "node:assert/strict";
import * as vscode from "vscode";
import { gatherFileProblems } from "../../src/editor/attachments/problemsContext.ts";
import { gatherSelection, mayShow } from "../../src/editor/attachments/selectionContext.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { workspaceFolder } from "./withConnection.ts";

describe("attachments while a chat in a tab has the focus", () => {
  let last: LastTextEditor;
  let panel: vscode.WebviewPanel | undefined;
  let editor: vscode.TextEditor;
  const problems = vscode.languages.createDiagnosticCollection("beside");

  before(async () => {
    const folder = workspaceFolder();
    last = new LastTextEditor();
    const uri = vscode.Uri.joinPath(folder.uri, "summary.ts");
    editor = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    problems.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), "Not so good")]);
    panel = vscode.window.createWebviewPanel("beside", "Chat", vscode.ViewColumn.Two);
    while (vscode.window.activeTextEditor !== undefined) {
      await new Promise<void>((resolve) => {
        const listening = vscode.window.onDidChangeActiveTextEditor(() => {
          listening.dispose();
          resolve();
        });
      });
    }
  });
  after(async () => {
    panel?.dispose();
    problems.dispose();
    last.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("include the selection of the file that was used last", async () => {
    const { attachments } = await gatherSelection(last.current);
    assert.deepEqual(
      attachments.map(({ kind, place }) => [kind, place?.path]),
      [["selection", "summary.ts"]],
    );
  });

  it("include the problems of that file", async () => {
    const { attachments } = await gatherFileProblems(last.current?.document.uri);
    assert.match(JSON.stringify(attachments), /Not so good/);
  });

  it("include nothing of a file that the chat's exclude setting matches", async () => {
    const settings = vscode.workspace.getConfiguration("inference.chat");
    await settings.update("exclude", ["**/summary.ts"], vscode.ConfigurationTarget.Global);
    try {
      assert.deepEqual((await gatherFileProblems(last.current?.document.uri)).attachments, []);
      assert.deepEqual((await gatherSelection(last.current)).attachments, []);
    } finally {
      await settings.update("exclude", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("leave out other versions of an excluded file, even if the pattern starts at the root", async () => {
    const version = editor.document.uri.with({ scheme: "git", query: "{}" });
    assert.equal(await mayShow(version), true);
    const settings = vscode.workspace.getConfiguration("inference.chat");
    await settings.update("exclude", ["/summary.ts"], vscode.ConfigurationTarget.Global);
    try {
      assert.equal(await mayShow(version), false);
    } finally {
      await settings.update("exclude", undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
