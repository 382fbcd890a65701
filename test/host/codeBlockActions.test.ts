import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { CodeBlockText } from "../../src/text/markdown/codeBlockInfo.ts";
import { CodeBlockActions, CodeTerminal } from "../../src/editor/edits/codeBlockActions.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { ShownDialogues } from "./shownDialogues.ts";

const name = "src/never-made.ts";

describe("a code block saved as a new file", () => {
  let last: LastTextEditor;
  let actions: CodeBlockActions;

  beforeEach(() => {
    last = new LastTextEditor();
    actions = new CodeBlockActions(last);
  });
  afterEach(async () => {
    actions.dispose();
    last.dispose();
    // Closing an unsaved document in another way shows a question.
    for (const { isUntitled } of vscode.workspace.textDocuments)
      if (isUntitled) await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  /** Saves a block; resolves with the document that is shown then. */
  async function save(text: string, block: Partial<CodeBlockText> = {}): Promise<vscode.TextDocument> {
    const saved = { text, info: `ts title="${name}"`, language: "ts", above: "", ...block };
    await actions.run("save", saved, () => assert.fail("the file has the focus"));
    return vscode.window.activeTextEditor?.document ?? assert.fail("nothing is shown");
  }

  it("opens under its name, and only once", async () => {
    const document = await save("let a = 1;\n");
    assert.equal(document.uri.scheme, "untitled");
    assert.ok(document.uri.path.endsWith(`/${name}`));
    assert.equal(await save("let a = 1;\n"), document);
    assert.equal(document.getText(), "let a = 1;\n");
  });

  it("opens in a second document if a document of its name has other text, and keeps that text", async () => {
    const first = await save("let a = 1;\n");
    const edit = new vscode.WorkspaceEdit();
    edit.insert(first.uri, new vscode.Position(1, 0), "// typed\n");
    assert.ok(await vscode.workspace.applyEdit(edit));
    const second = await save("let a = 2;\n");
    assert.equal(second.getText(), "let a = 2;\n");
    assert.deepEqual([second.uri.scheme, second.languageId], ["untitled", "typescript"]);
    assert.notEqual(second.uri.toString(), first.uri.toString());
    assert.equal(first.getText(), "let a = 1;\n// typed\n");
    const third = await save("let a = 3;\n", { info: name, language: name });
    assert.deepEqual([third.getText(), third.languageId], ["let a = 3;\n", "typescript"]);
  });
});

/** Resolves with the terminal of the next command that starts or ends. */
function execution(
  event: "onDidStartTerminalShellExecution" | "onDidEndTerminalShellExecution",
): Promise<vscode.Terminal> {
  return new Promise((resolve) => {
    const subscription = vscode.window[event]((told) => {
      subscription.dispose();
      resolve(told.terminal);
    });
  });
}

async function closed(terminal: vscode.Terminal): Promise<void> {
  await new Promise<void>((resolve) => {
    const subscription = vscode.window.onDidCloseTerminal((each) => {
      if (each !== terminal) return;
      subscription.dispose();
      resolve();
    });
    terminal.dispose();
  });
}

describe("a command of an answer", () => {
  const terminalName = "Inference Chat";
  let dialogues: ShownDialogues;

  const ours = (): readonly vscode.Terminal[] =>
    vscode.window.terminals.filter((terminal) => terminal.name === terminalName);

  beforeEach(() => {
    dialogues = new ShownDialogues();
  });
  afterEach(async () => {
    dialogues.dispose();
    for (const terminal of ours()) await closed(terminal);
  });

  it("runs in a second terminal while a program runs in the first, and afterwards in the first", async () => {
    const terminal = new CodeTerminal();
    const run = (text: string): Promise<void> =>
      terminal.run({ text, info: "sh", language: "sh", above: "" });
    const started = execution("onDidStartTerminalShellExecution");
    await run("cat");
    const first = await started;
    const ended = execution("onDidEndTerminalShellExecution");
    await run("true");
    assert.equal(ours().length, 2);
    assert.notEqual(await ended, first);
    const over = execution("onDidEndTerminalShellExecution");
    first.sendText("\u0004", false);
    assert.equal(await over, first);
    await run("true");
    assert.equal(ours().length, 2);
    terminal.dispose();
  });
});
