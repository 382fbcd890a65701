import assert from "node:assert/strict";
import * as vscode from "vscode";
import { CodeBlockActions } from "../../src/editor/edits/codeBlockActions.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { targetNow, wholeFile } from "../../src/editor/inPlace/editTarget.ts";
import type { Proposal, ProposalOrigin } from "../../src/editor/edits/proposal.ts";
import { Proposals } from "../../src/editor/edits/proposals.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { proposedText } from "./shownProposals.ts";
import { workspaceFolder } from "./withConnection.ts";
import { withOpenFile } from "./withOpenFile.ts";

describe("proposed changes", () => {
  let last: LastTextEditor;
  let proposals: Proposals;
  let stopped: number;
  const origin: ProposalOrigin = { stop: () => void (stopped += 1), refine: () => Promise.resolve() };

  beforeEach(() => {
    stopped = 0;
    last = new LastTextEditor();
    proposals = new Proposals(last);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    proposals.dispose();
    last.dispose();
  });

  async function propose(name: string, exists: boolean): Promise<Proposal> {
    const uri = vscode.Uri.joinPath(workspaceFolder().uri, name);
    const proposal = await proposals.create({ uri, exists, cursor: 0 }, origin);
    proposal.edit.propose("proposed\n");
    await proposals.show(proposal);
    return proposal;
  }

  it("for a new file are rejected and closed without creating the file", async () => {
    const proposal = await propose("never-made.ts", false);
    await proposals.rejectOne(proposal.uri, 0);
    assert.equal(proposals.isShown(proposal), false);
    await assert.rejects(async () => vscode.workspace.fs.stat(proposal.target.uri));
  });

  it("have other URIs than those of an earlier extension host, whose tabs may still be open", async () => {
    const uri = vscode.Uri.joinPath(workspaceFolder().uri, "summary.ts");
    const target = { uri, exists: true, cursor: 0 };
    const earlier = await proposals.create(target);
    const restarted = new Proposals(last);
    const later = await restarted.create(target);
    restarted.dispose();
    assert.notEqual(later.uri.toString(), earlier.uri.toString());
  });

  it("stay when their tab is moved or split, and end with the last tab", async () => {
    const proposal = await propose("summary.ts", true);
    await vscode.commands.executeCommand("workbench.action.moveEditorToNextGroup");
    await vscode.commands.executeCommand("workbench.action.splitEditor");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    assert.deepEqual([proposals.isShown(proposal), stopped], [true, 0]);
    await proposals.close(proposal);
    assert.deepEqual([proposals.isShown(proposal), stopped], [false, 1]);
  });
});

describe("lines to change", () => {
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("are found again after edits above and inside them", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "one\ntwo\nthree\n" });
    const target = { ...wholeFile(document), start: 1, end: 2 };
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "above\n");
    edit.insert(document.uri, new vscode.Position(1, 1), "x\n");
    assert.ok(await vscode.workspace.applyEdit(edit));
    const { start, end, text } = targetNow(target);
    assert.deepEqual(text.split("\n").slice(start, end), ["tx", "wo"]);
  });
});

describe("code of an answer that omits parts of a file", () => {
  const text = 'function one() {\n  return 1;\n}\n\nfunction two() {\n  log("two");\n  return 2;\n}\n';
  const file = withOpenFile("abridged.js", text);
  let last: LastTextEditor;
  let actions: CodeBlockActions;
  let dialogues: ShownDialogues;

  beforeEach(() => {
    last = new LastTextEditor();
    actions = new CodeBlockActions(last);
    dialogues = new ShownDialogues();
  });
  afterEach(() => {
    dialogues.dispose();
    actions.dispose();
    last.dispose();
  });

  const apply = (code: string): Promise<void> =>
    actions.run("apply", { text: code, info: "js", language: "js", above: "" }, () => undefined);

  it("is not applied if its place is unclear, and can be copied instead", async () => {
    const code = "doFirst();\n// ... existing code ...\ndoLast();";
    await apply(code);
    const [asked, ...others] = dialogues.all;
    assert.match(
      asked?.message ?? "",
      /^Inference Chat can't tell where this code belongs in '.*'\. Nothing was changed\.$/,
    );
    assert.deepEqual([asked?.buttons, others], [["Copy Code", "Open File"], []]);
    assert.equal(await vscode.env.clipboard.readText(), code);
    assert.equal(file.text, text);
    assert.equal(vscode.window.activeTextEditor?.document, file.document);
  });

  it("does not replace the selection, and keeps the omitted parts", async () => {
    const editor = await vscode.window.showTextDocument(file.document);
    editor.selection = new vscode.Selection(4, 0, 8, 0);
    await apply("function two(a) {\n  // ... existing code ...\n  return a;\n}");
    assert.deepEqual(dialogues.messages, []);
    const expected = text.replace("two() {", "two(a) {").replace("return 2;", "return a;");
    assert.equal(await proposedText(/two\(a\)/), expected);
  });

  it("is reported when an answer is applied to several files", async () => {
    const name = vscode.workspace.asRelativePath(file.uri);
    const block = "   ```js\n   first();\n   // ...\n   last();\n   ```\n";
    await actions.applyAnswer(`1. In \`${name}\`:\n\n${block}`);
    assert.deepEqual(dialogues.messages, [
      `Some code leaves parts out, so its place in the file is unclear. This code was not applied to: ${name}.`,
    ]);
    assert.equal(file.text, text);
  });
});
