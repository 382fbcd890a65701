import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { soon } from "../unit/service/fixture.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeDailyCap } from "./testConnections.ts";
import { withConnection } from "./withConnection.ts";
import { withOpenFile } from "./withOpenFile.ts";
import { writeSetting } from "./writeSetting.ts";

const { executeCommand } = vscode.commands;
const trigger = "editor.action.inlineSuggest.trigger";

for (const clientStyle of clientStyles) {
  describe(`Complete Here over ${clientStyle}`, () => {
    let answer: string;
    const connection = withConnection({
      name: `Completing over ${clientStyle}`,
      entry: { clientStyle },
      service: { answers: () => answer },
    });
    const { asks } = connection;
    const file = withOpenFile("sum.txt", "function sum(a, b) {\r\n  return \r\n}\r\n");
    let dialogues: ShownDialogues;
    /** The button to press if it is offered. */
    let pressed: string | undefined;

    beforeEach(async () => {
      answer = "Here it is:\n\n```js\n  return a + b;\n}\n```";
      pressed = undefined;
      dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
      await select(1, 9);
    });
    afterEach(async () => {
      dialogues.dispose();
      connection.service.pace = 0;
      await writeDailyCap(undefined);
      for (const name of ["inference.completeHere.model", "inference.chat.exclude", "inference.chat.requestFields"])
        await writeSetting(name, undefined);
    });

    const editor = (): vscode.TextEditor => vscode.window.activeTextEditor ?? assert.fail("There is no editor.");

    /** Sets the selection, and resolves when the editor has it. */
    async function select(line: number, character: number, from = character): Promise<void> {
      const selection = new vscode.Selection(line, from, line, character);
      if (editor().selection.isEqual(selection)) return;
      const moved = new Promise<void>((resolve) => {
        const subscription = vscode.window.onDidChangeTextEditorSelection(() => {
          subscription.dispose();
          resolve();
        });
      });
      editor().selection = selection;
      await moved;
    }

    /** Accepts the ghost text, if there is any. */
    const accept = (): Thenable<unknown> => executeCommand("editor.action.inlineSuggest.commit");

    it("shows the answer as ghost text, and inserts it when it is accepted", async () => {
      const before = file.text;
      await executeCommand(commandIds.completeHere);
      assert.equal(file.text, before);
      await accept();
      assert.equal(file.text, before.replace("return ", "return a + b;"));
      assert.equal(asks.length, 1);
      const [ask] = asks;
      assert.equal(ask?.maxTokens, 128);
      assert.equal(ask.model, "service-core");
      assert.match(ask.messages.at(-1)?.text ?? "", /sum\.txt [^]*\nfunction sum\(a, b\) \{\n {2}return <CURSOR>\n\}\n/);
      assert.ok(!JSON.stringify(asks).includes(file.folder.fsPath));
      assert.deepEqual(dialogues.all, []);
    });

    it("sends nothing while the user types, or when VS Code is asked for suggestions", async () => {
      await executeCommand("type", { text: "a" });
      await executeCommand(trigger);
      await executeCommand(commandIds.completeHere);
      await select(0, 3);
      await executeCommand(trigger);
      await executeCommand("type", { text: "c" });
      await executeCommand(trigger);
      await accept();
      assert.equal(asks.length, 1);
      assert.match(file.text, /^funcction sum[^]*return a\r\n/);
    });

    it("keeps the rest of the ghost text when the user types its start", async () => {
      await executeCommand(commandIds.completeHere);
      await executeCommand("type", { text: "a" });
      await executeCommand("type", { text: " " });
      await executeCommand(trigger);
      await accept();
      assert.match(file.text, /return a \+ b;\r\n/);
      assert.equal(asks.length, 1);
    });

    it("completes at the end of a selection, also if suggestions are off while typing", async () => {
      await writeSetting("editor.inlineSuggest.enabled", false);
      await select(1, 9, 2);
      await executeCommand(commandIds.completeHere);
      await accept();
      await writeSetting("editor.inlineSuggest.enabled", undefined);
      assert.match(file.text, /return a \+ b;\r\n/);
    });

    const cancellations: readonly (readonly [string, () => Thenable<unknown>])[] = [
      ["Escape is pressed", () => executeCommand(commandIds.stopCompletion)],
      ["the user types", () => executeCommand("type", { text: "x" })],
      ["the cursor moves", () => select(0, 0)],
      ["another file is shown", async () => vscode.window.showTextDocument(await file.write("b.txt", ""))],
    ];
    for (const [title, cancel] of cancellations) {
      it(`stops its request silently when ${title}`, async () => {
        connection.service.pace = 200;
        const completing = executeCommand(commandIds.completeHere);
        await connection.service.journal.next(({ piecesSent }) => piecesSent > 0, soon());
        await cancel();
        await connection.service.journal.next(({ state }) => state === "aborted", soon());
        await completing;
        await accept();
        assert.ok(!file.text.includes("a + b"), file.text);
        assert.deepEqual(dialogues.all, []);
      });
    }

    it("replaces a request that still runs", async () => {
      connection.service.pace = 200;
      const first = executeCommand(commandIds.completeHere);
      await connection.service.journal.next(({ piecesSent }) => piecesSent > 0, soon());
      connection.service.pace = 0;
      await executeCommand(commandIds.completeHere);
      await first;
      await accept();
      assert.match(file.text, /return a \+ b;\r\n/);
      assert.deepEqual(
        connection.service.journal.answers.map(({ state }) => state),
        ["aborted", "finished"],
      );
    });

    it("asks before the daily cap is exceeded, and sends nothing if the user declines", async () => {
      await writeDailyCap(1);
      await executeCommand(commandIds.completeHere);
      assert.match(dialogues.messages.join(), /would exceed your daily token cap of 1\.$/);
      assert.deepEqual(asks, []);
    });

    it("explains a failure, and completes when it is retried", async () => {
      connection.service.failNext({ status: 401 });
      await executeCommand(commandIds.completeHere);
      const { buttons } = await dialogues.until(/^Completing over /);
      assert.ok(buttons.includes("Set API Key"), buttons.join());
      connection.service.failNext({ status: 400, body: { error: { message: "Out of paper." } } });
      pressed = "Retry";
      await executeCommand(commandIds.completeHere);
    });

    it("uses its own model, and leads to its setting if the service does not have it", async () => {
      await writeSetting("inference.completeHere.model", "service-mini");
      await executeCommand(commandIds.completeHere);
      assert.equal(asks[0]?.model, "service-mini");
      await writeSetting("inference.completeHere.model", "service-gone");
      pressed = "Select Model";
      await executeCommand(commandIds.completeHere);
      const { message } = await dialogues.until(/^Completing over /);
      assert.match(message, /service-gone/);
    });

    it("says that there is no completion if the answer has no text, or is filtered", async () => {
      answer = "```\n```";
      await executeCommand(commandIds.completeHere);
      assert.equal(dialogues.messages.at(-1), "No completion: service-core returned no text for this place.");
      await file.type(0, 0, "/filter ");
      await executeCommand(commandIds.completeHere);
      assert.match((await dialogues.until(/^Completing over /)).message, /filter/);
    });

    it("says that the model has used its tokens if it only reasons", async () => {
      answer = "";
      await writeSetting("inference.chat.requestFields", { "*": { reasoning_effort: "low", thinking: { type: "enabled", budget_tokens: 1024 } } });
      await executeCommand(commandIds.completeHere);
      const fields = connection.service.journal.answers.at(-1)?.fields ?? [];
      // A thinking budget needs more tokens than a completion has.
      assert.ok(!fields.includes("thinking"), fields.join());
      assert.match(dialogues.messages.join(), clientStyle === "messages" ? /returned no text/ : /used its tokens to reason/);
    });

    it("shows a cut answer up to its last whole line", async () => {
      answer = Array.from({ length: 100 }, (_, line) => `a${line} = ${line};`).join("\n");
      await executeCommand(commandIds.completeHere);
      await accept();
      assert.match(file.text, /return a0 = 0;\r\n(?:a(\d+) = \1;\r\n)+\}\r\n$/);
    });

    it("asks for consent to files that usually contain keys, refuses excluded files, and removes a key", async () => {
      await vscode.window.showTextDocument(await file.write(".env", `A=${connection.key}\nB=`));
      await select(1, 2);
      await executeCommand(commandIds.completeHere);
      assert.equal(dialogues.all.length, 1);
      assert.deepEqual(asks, []);
      pressed = dialogues.all[0]?.buttons[0];
      await executeCommand(commandIds.completeHere);
      assert.match(asks[0]?.messages.at(-1)?.text ?? "", /A=\[API key\]\nB=<CURSOR>/);
      await writeSetting("inference.chat.exclude", { "**/.env": true });
      await executeCommand(commandIds.completeHere);
      assert.equal(asks.length, 1);
    });

    it("completes the cell of a notebook", async () => {
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "print(", "python");
      const data = new vscode.NotebookData([cell]);
      const notebook = await vscode.workspace.openNotebookDocument("jupyter-notebook", data);
      await vscode.window.showNotebookDocument(notebook);
      await executeCommand("notebook.cell.edit");
      await select(0, 6);
      answer = "```python\nprint(1)\n```";
      await executeCommand(commandIds.completeHere);
      await accept();
      assert.equal(notebook.cellAt(0).document.getText(), "print(1)");
      await executeCommand("workbench.action.revertAndCloseActiveEditor");
    });
  });
}
