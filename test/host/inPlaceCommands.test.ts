import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { inPlaceCommands } from "../../src/editor/inPlace/inPlaceCommands.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { workspaceFolder } from "./withConnection.ts";

const scheme = "inference-old-version";

describe("code actions from the menu of a read-only version", () => {
  let last: LastTextEditor;
  let provided: vscode.Disposable;
  let old: vscode.Uri;

  before(async () => {
    const folder = workspaceFolder();
    last = new LastTextEditor();
    provided = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => "const before = 1;\n",
    });
    const file = vscode.Uri.joinPath(folder.uri, "summary.ts");
    old = file.with({ scheme });
    await vscode.window.showTextDocument(old, { viewColumn: vscode.ViewColumn.One, preview: false });
    await vscode.window.showTextDocument(file, { viewColumn: vscode.ViewColumn.Two, preview: false });
  });
  after(async () => {
    provided.dispose();
    last.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  /** Commands that reject with this error have found their subject. */
  const notThere = new Error("the code actions were requested");
  const commands = () => inPlaceCommands(() => Promise.reject(notThere), last);

  it("do nothing if they would change code, even if the file itself is open beside the version", async () => {
    assert.equal(last.current?.document.uri.scheme, "file");
    for (const id of [commandIds.editSelection, commandIds.fix, commandIds.generateDocs])
      await commands()[id](old);
  });

  it("use the version if they change nothing", async () => {
    for (const id of [commandIds.explain, commandIds.review, commandIds.generateTests])
      await assert.rejects(Promise.resolve(commands()[id](old)), notThere);
  });
});
