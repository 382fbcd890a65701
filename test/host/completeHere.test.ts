import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { type ClientStyle, clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { soon } from "../unit/service/fixture.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeDailyCap } from "./testConnections.ts";
import { untilFound } from "./untilFound.ts";
import { withConnection } from "./withConnection.ts";
import { withOpenFile } from "./withOpenFile.ts";
import { writeSetting } from "./writeSetting.ts";

const { executeCommand } = vscode.commands;
const trigger = "editor.action.inlineSuggest.trigger";
const editor = (): vscode.TextEditor => vscode.window.activeTextEditor ?? assert.fail("There is no editor.");
/** Accepts the ghost text, if there is any. */
const accept = (): Thenable<unknown> => executeCommand("editor.action.inlineSuggest.commit");

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

/** Adds hooks to the surrounding `describe`: a service that answers, and a file with the cursor at its gap. */
function withGap(clientStyle: ClientStyle) {
  let answer = "";
  let dialogues: ShownDialogues | undefined;
  /** The button to press if it is offered. */
  let pressed: string | undefined;
  const connection = withConnection({
    name: `Completing over ${clientStyle}`,
    entry: { clientStyle },
    service: { answers: () => answer },
  });
  const file = withOpenFile("sum.txt", "function sum(a, b) {\r\n  return \r\n}\r\n");
  beforeEach(async () => {
    answer = "Here it is:\n\n```js\n  return a + b;\n}\n```";
    pressed = undefined;
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
    await select(1, 9);
  });
  afterEach(async () => {
    dialogues?.dispose();
    connection.service.pace = 0;
    await writeDailyCap(undefined);
    for (const name of [
      "inference.completeHere.model",
      "inference.chat.exclude",
      "inference.chat.requestFields",
      "editor.inlineSuggest.enabled",
    ])
      await writeSetting(name, undefined);
  });
  return {
    connection,
    file,
    /** The last message of each request. */
    prompts: () => connection.asks.map(({ messages }) => messages.at(-1)?.text ?? ""),
    get dialogues() {
      return dialogues ?? assert.fail("There are no dialogues before a test.");
    },
    answerWith: (text: string) => {
      answer = text;
    },
    press: (button: string | undefined) => {
      pressed = button;
    },
  };
}

for (const clientStyle of clientStyles) {
  describe(`Complete Here over ${clientStyle}`, () => {
    const gap = withGap(clientStyle);
    const { connection, file } = gap;

    it("shows the answer as ghost text, and inserts it when it is accepted", async () => {
      const before = file.text;
      await executeCommand(commandIds.completeHere);
      assert.equal(file.text, before);
      await accept();
      assert.equal(file.text, before.replace("return ", "return a + b;"));
      assert.deepEqual(
        connection.asks.map(({ maxTokens, model }) => [maxTokens, model]),
        [[128, "service-core"]],
      );
      assert.match(gap.prompts().join(), /sum\.txt [^]*\nfunction sum\(a, b\) \{\n {2}return <CURSOR>\n\}\n/);
      assert.ok(!JSON.stringify(connection.asks).includes(file.folder.fsPath));
      assert.deepEqual(gap.dialogues.all, []);
    });

    it("shows a cut answer up to its last whole line", async () => {
      gap.answerWith(Array.from({ length: 100 }, (_, line) => `a${line} = ${line};`).join("\n"));
      await executeCommand(commandIds.completeHere);
      await accept();
      assert.match(file.text, /return a0 = 0;\r\n(?:a(\d+) = \1;\r\n)+\}\r\n$/);
    });

    it("says that there is no completion if the answer is empty, only reasons, or is filtered", async () => {
      gap.answerWith("");
      await executeCommand(commandIds.completeHere);
      assert.match(gap.dialogues.messages.at(-1) ?? "", /^No completion: service-core returned no text/);
      const fields = { reasoning_effort: "low", thinking: { type: "enabled", budget_tokens: 1024 } };
      const field = clientStyle === "messages" ? "thinking" : "reasoning_effort";
      await writeSetting("inference.chat.requestFields", { "service-core": { [field]: fields[field] } });
      await executeCommand(commandIds.completeHere);
      // A thinking budget needs more tokens than a completion has, so it is not sent.
      const said = clientStyle === "messages" ? /returned no text/ : /used its tokens to reason/;
      assert.match(gap.dialogues.messages.at(-1) ?? "", said);
      await file.type(0, 0, "/filter ");
      await executeCommand(commandIds.completeHere);
      assert.match((await gap.dialogues.until(/^Completing over /)).message, /filter/);
    });
  });
}

describe("Complete Here", () => {
  const gap = withGap("chat-completions");
  const { connection, file } = gap;
  const { asks } = connection;

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
    assert.match(file.text, /return a \+ b;\r\n/);
  });

  it("completes the cell of a notebook", async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "print(", "python");
    const notebook = await vscode.workspace.openNotebookDocument(
      "jupyter-notebook",
      new vscode.NotebookData([cell]),
    );
    await vscode.window.showNotebookDocument(notebook);
    await executeCommand("notebook.cell.edit");
    const { document } = notebook.cellAt(0);
    const isActive = (): true | undefined =>
      vscode.window.activeTextEditor?.document === document || undefined;
    await untilFound(isActive, vscode.window.onDidChangeActiveTextEditor);
    await select(0, 6);
    gap.answerWith("```python\nprint(1)\n```");
    await executeCommand(commandIds.completeHere);
    await accept();
    assert.equal(document.getText(), "print(1)");
    await executeCommand("workbench.action.revertAndCloseActiveEditor");
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
      assert.deepEqual(gap.dialogues.all, []);
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
    assert.match(gap.dialogues.messages.join(), /would exceed your daily token cap of 1\.$/);
    assert.deepEqual(asks, []);
  });

  it("explains a failure, and sends the request again on Retry", async () => {
    connection.service.failNext({ status: 500, times: 3, headers: { "retry-after": "0" } });
    gap.press("Retry");
    await executeCommand(commandIds.completeHere);
    await gap.dialogues.until(/^Completing over /);
    await connection.service.journal.next(({ status }) => status === 200, soon());
    assert.equal(asks.length, 1);
  });

  describe("retried after the user has gone on", () => {
    let goOn: () => Promise<unknown>;
    let dialogues: ShownDialogues;

    beforeEach(() => {
      connection.service.failNext({ status: 500, times: 3, headers: { "retry-after": "0" } });
      dialogues = new ShownDialogues(async ({ buttons }) => {
        if (!buttons.includes("Retry")) return undefined;
        await goOn();
        return "Retry";
      });
    });
    afterEach(() => dialogues.dispose());

    it("sends the text that the file has by then", async () => {
      goOn = () => file.type(0, 0, "later ");
      await executeCommand(commandIds.completeHere);
      await connection.service.journal.next(({ status }) => status === 200, soon());
      assert.match(gap.prompts().join(), /\nlater function sum/);
    });

    it("sends nothing of another file, and asks for the file", async () => {
      const other = await file.write("other.txt", "another file");
      goOn = async () => vscode.window.showTextDocument(other);
      await executeCommand(commandIds.completeHere);
      await dialogues.until("Open the file first");
      assert.deepEqual(asks, []);
    });
  });

  it("uses its own model, and leads to its setting if the service does not have it", async () => {
    await writeSetting("inference.completeHere.model", "service-mini");
    await executeCommand(commandIds.completeHere);
    assert.equal(asks[0]?.model, "service-mini");
    await writeSetting("inference.completeHere.model", "service-gone");
    gap.press("Select Model");
    await executeCommand(commandIds.completeHere);
    assert.match((await gap.dialogues.until(/^Completing over /)).message, /service-gone/);
    const { tabGroups } = vscode.window;
    await untilFound(
      () => tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label === "Settings"),
      tabGroups.onDidChangeTabs,
    );
  });

  it("asks for consent to files that usually contain keys, refuses excluded files, and removes a key", async () => {
    await vscode.window.showTextDocument(await file.write(".env", `A=${connection.key}\nB=`));
    await select(1, 2);
    await executeCommand(commandIds.completeHere);
    const [asked, ...more] = gap.dialogues.all;
    assert.match(asked?.message ?? "", /\.env' might contain keys or passwords\. Send text of this file\?$/);
    assert.equal(asked?.detail, "The text is sent to the service with this request.");
    assert.deepEqual([asked.buttons, more], [["Send"], []]);
    assert.deepEqual(asks, []);
    gap.press("Send");
    await executeCommand(commandIds.completeHere);
    assert.match(gap.prompts().join(), /A=\[API key\]\nB=<CURSOR>/);
    const { length } = connection.key;
    for (const column of [2, 2 + length / 2, 2 + length]) {
      await select(0, Math.floor(column));
      await executeCommand(commandIds.completeHere);
    }
    assert.equal(asks.length, 1, "no part of the key is sent when the cursor is in its line");
    await select(1, 2);
    await writeSetting("inference.chat.exclude", { "**/.env": true });
    await executeCommand(commandIds.completeHere);
    assert.equal(
      gap.dialogues.messages.at(-1),
      "Nothing was sent because inference.chat.exclude excludes '.env'.",
    );
    assert.equal(asks.length, 1);
  });

  it("asks for another file if none is open, or if saving would damage it", async () => {
    await executeCommand("workbench.action.closeAllEditors");
    await executeCommand(commandIds.completeHere);
    const binary = await file.write("binary.txt", "");
    await vscode.workspace.fs.writeFile(binary, Uint8Array.of(65, 0xff, 0xfe, 66));
    await vscode.window.showTextDocument(binary);
    await executeCommand(commandIds.completeHere);
    assert.deepEqual(
      gap.dialogues.messages.map((message) => /^Open the file first|different encoding/.exec(message)?.[0]),
      ["Open the file first", "different encoding"],
    );
    assert.deepEqual(asks, []);
  });
});
