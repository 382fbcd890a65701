import assert from "node:assert/strict";
import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { ChatSession } from "../../src/chat/session/chatSession.ts";
import type { AnswerCall } from "../../src/chat/transcript/steps.ts";
import type { AnswerTurn, QuestionTurn, TranscriptEvent } from "../../src/chat/transcript/transcript.ts";
import type { ChangedChat } from "../../src/editor/agent/answerChanges.ts";
import { FileCopies } from "../../src/editor/agent/fileCopies.ts";
import { readToolArguments } from "../../src/protocol/conversation/toolCalls.ts";
import { legacyBytes } from "../support/legacyBytes.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { withAgentEdits } from "./withAgentEdits.ts";
import { replaceFileSystem } from "./withAgentTools.ts";
import { writeSetting } from "./writeSetting.ts";

const at = "2026-01-02T03:04:05Z";
const question: QuestionTurn = { kind: "question", id: "question", parentId: null, text: "Change it", at };

describe("the changes of an answer", () => {
  const files = withAgentEdits();
  let dialogues: ShownDialogues;
  /** The calls of the answer so far. */
  let calls: AnswerCall[] = [];
  let chat: ChangedChat;
  let events: TranscriptEvent[] = [];

  beforeEach(() => {
    dialogues = new ShownDialogues(() => undefined);
    calls = [];
  });
  afterEach(() => dialogues.dispose());

  async function call(name: string, given: object): Promise<void> {
    const result = await files.agent.call(name, given);
    assert.equal(result.outcome, "done", result.text);
    calls.push({ id: "c", name, arguments: readToolArguments(given), state: { kind: "settled", result } });
  }
  async function edit(name: string, oldText: string, newText: string): Promise<void> {
    await files.read(name);
    await call("edit_file", { path: files.named(name), oldText, newText });
  }
  const create = (name: string, content: string): Promise<void> =>
    call("create_file", { path: files.named(name), content });

  const answer = (): AnswerTurn => ({
    kind: "answer",
    id: files.agent.answerId,
    parentId: question.id,
    text: "Done.",
    reasoning: "",
    state: { kind: "complete", reason: "stop" },
    connection: "Agent",
    model: "m",
    clientStyle: "messages",
    at,
    steps: [{ textEnd: 0, reasoningEnd: 0, outline: [], calls }],
  });

  /** Ends the answer. Its chat has no target, so it sends nothing. */
  function endAnswer(changes: Partial<AnswerTurn> = {}, isArriving = false): void {
    events = [];
    const turn = { ...answer(), ...changes };
    chat = {
      id: "chat",
      session: new ChatSession({
        transcript: {
          turns: isArriving ? [question] : [question, turn],
          arriving: isArriving ? turn : null,
          leafId: turn.id,
        },
        target: () => undefined,
        onEvents: (all) => events.push(...all),
        now: () => new Date(at),
        newId: () => crypto.randomUUID(),
      }),
    };
  }

  const run = (action: "review" | "keep" | "undo", file?: string): Promise<void> =>
    files.agent.services.changes.run(action, chat, files.agent.answerId, file);
  const copied = async (): Promise<readonly string[]> =>
    (await files.agent.services.copies.filesOf({ chatId: "chat", answerId: files.agent.answerId })).map(
      ({ uri }) => path.basename(uri),
    );
  /** The records of the chat. */
  const settled = (): readonly string[] =>
    events.map((event) => (event.type === "changes-settled" ? event.state : event.type));

  async function undo(...messages: readonly string[]): Promise<void> {
    endAnswer();
    await run("undo");
    assert.deepEqual(dialogues.messages, messages);
  }

  it("are undone to the byte, also after a reload, and the copies go", async () => {
    const mixed = Buffer.from("one\r\ntwo\nthree");
    await files.write("mixed.txt", mixed);
    await writeSetting("files.encoding", "shiftjis");
    try {
      const japanese = Buffer.from(legacyBytes("shift_jis", "設定 one\n"));
      await files.write("japanese.txt", japanese);
      await edit("japanese.txt", "one", "two");
      await edit("mixed.txt", "two", "2");
      await edit("mixed.txt", "three", "3");
      await create("new/deep/new.txt", "new\n");
      assert.notDeepEqual(await readFile(files.pathOf("mixed.txt")), mixed);
      await files.agent.load();
      await undo("Undid the changes to 3 files.");
      assert.deepEqual(await readFile(files.pathOf("mixed.txt")), mixed);
      assert.deepEqual(await readFile(files.pathOf("japanese.txt")), japanese);
    } finally {
      await writeSetting("files.encoding", undefined);
    }
    await assert.rejects(stat(files.pathOf("new")));
    assert.deepEqual(settled(), ["undone"]);
    assert.deepEqual(await copied(), []);
  });

  it("are undone without what the user changed later", async () => {
    await files.write("a.ts", "one\ntwo\nthree\nfour\nfive\n");
    await edit("a.ts", "two", "2\n2b");
    await edit("a.ts", "five", "5");
    await files.change("a.ts", (await files.textIn("a.ts")).replace("four", "four of the user"));
    await undo("Undid the changes to 1 file.");
    assert.equal(await files.textIn("a.ts"), "one\ntwo\nthree\nfour of the user\nfive\n");
  });

  it("are undone without what the user changed between two edits", async () => {
    await files.write("a.ts", "one\ntwo\nthree\nfour\nfive\n");
    await edit("a.ts", "one", "1");
    await files.change("a.ts", (await files.textIn("a.ts")).replace("three", "three of the user"));
    await files.agent.textOf("read_file", { path: files.named("a.ts") });
    await edit("a.ts", "five", "5");
    await undo("Undid the changes to 1 file.");
    assert.equal(await files.textIn("a.ts"), "one\ntwo\nthree of the user\nfour\nfive\n");
  });

  it("are undone by cell in a notebook, whatever the user did to its cells, and compared as text", async () => {
    const output = { output_type: "stream", name: "stdout", text: ["kept\n"] };
    const cells = ["one\ntwo", "three"].map((source, index) => ({
      cell_type: "code",
      id: `cell-${index}`,
      metadata: {},
      execution_count: 1,
      outputs: [output],
      source: [source],
    }));
    const metadata = { language_info: { name: "python" } };
    const before = JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
    await files.write("a.ipynb", before);
    await edit("a.ipynb", "two", "2");
    await edit("a.ipynb", "three", "3");
    const notebook = await vscode.workspace.openNotebookDocument(files.uriOf("a.ipynb"));
    const texts = (): readonly string[] => notebook.getCells().map(({ document }) => document.getText());
    const users = new vscode.WorkspaceEdit();
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "mine", "python");
    users.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [added])]);
    users.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 3), " of the user");
    assert.ok(await vscode.workspace.applyEdit(users));
    assert.ok(await notebook.save());
    assert.deepEqual(texts(), ["mine", "one of the user\n2", "3"]);
    endAnswer();
    await run("review");
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? assert.fail();
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const [left, right] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.equal(left?.getText(), "--- Cell 1 (python) ---\none\ntwo\n\n--- Cell 2 (python) ---\nthree\n");
    assert.ok(right?.getText().startsWith("--- Cell 1 (python) ---\nmine\n"));
    await undo("Undid the changes to 1 file.");
    assert.deepEqual(texts(), ["mine", "one of the user\ntwo", "three"]);
    assert.deepEqual([notebook.isDirty, notebook.cellAt(2).outputs.length], [false, 1]);
  });

  /** Writes a notebook of one cell, and lets the model change its source from `one` to `1`. */
  async function editNotebook(): Promise<vscode.NotebookDocument> {
    const cell = {
      cell_type: "code",
      id: "a",
      metadata: {},
      execution_count: null,
      outputs: [],
      source: ["one"],
    };
    await files.write(
      "a.ipynb",
      JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
    await edit("a.ipynb", "one", "1");
    return await vscode.workspace.openNotebookDocument(files.uriOf("a.ipynb"));
  }

  it("count as undone in a notebook when the user has already changed the cell back", async () => {
    const notebook = await editNotebook();
    const users = new vscode.WorkspaceEdit();
    users.replace(notebook.cellAt(0).document.uri, new vscode.Range(0, 0, 0, 1), "one");
    assert.ok(await vscode.workspace.applyEdit(users));
    assert.ok(await notebook.save());
    await undo("Undid the changes to 1 file.");
  });

  it("are undone in a notebook beside a cell that the user inserted with the earlier text", async () => {
    const notebook = await editNotebook();
    const users = new vscode.WorkspaceEdit();
    const inserted = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "one", "python");
    users.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [inserted])]);
    assert.ok(await vscode.workspace.applyEdit(users));
    assert.ok(await notebook.save());
    await undo("Undid the changes to 1 file.");
    assert.deepEqual(
      notebook.getCells().map(({ document }) => document.getText()),
      ["one", "one"],
    );
  });

  it("are left where the user changed the same lines, with a button that compares", async () => {
    await files.write("a.ts", "one\ntwo\n");
    await files.write("b.ts", "one\n");
    await edit("a.ts", "two", "2");
    await edit("b.ts", "one", "1");
    await files.change("a.ts", "one\n2 of the user\n");
    dialogues.dispose();
    dialogues = new ShownDialogues(({ buttons }) => buttons[0]);
    const opened = new Promise<vscode.Tab>((resolve) => {
      const subscription = vscode.window.tabGroups.onDidChangeTabs(({ opened: [tab] }) => {
        if (tab === undefined) return;
        subscription.dispose();
        resolve(tab);
      });
    });
    endAnswer();
    await run("undo");
    assert.deepEqual(dialogues.messages, [
      `Undid the changes to 1 file. '${files.named("a.ts")}' was not undone because the same lines were changed later.`,
    ]);
    assert.deepEqual(dialogues.all[0]?.buttons, ["Show Changes"]);
    assert.equal(await files.textIn("a.ts"), "one\n2 of the user\n");
    assert.equal(await files.textIn("b.ts"), "one\n");
    const { input } = await opened;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.modified.fsPath, files.pathOf("a.ts"));
    const before = await vscode.workspace.openTextDocument(input.original);
    assert.equal(before.getText(), "one\ntwo\n");
    assert.deepEqual(await copied(), ["a.ts"]);
    assert.deepEqual(settled(), []);
    // The rest can be undone later.
    await files.change("a.ts", "one\n2\n");
    await run("undo");
    assert.equal(dialogues.messages.at(-1), "Undid the changes to 1 file.");
    assert.equal(await files.textIn("a.ts"), "one\ntwo\n");
    assert.deepEqual(settled(), ["undone"]);
  });

  it("are undone of an answer whose results were lost when the window closed", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    calls = [];
    endAnswer({ state: { kind: "interrupted" } });
    await files.agent.services.changes.undoNewest(chat);
    assert.deepEqual(dialogues.messages, ["Undid the changes to 1 file."]);
    assert.equal(await files.textIn("a.ts"), "one\n");
  });

  it("move a new file to the trash, or delete it if there is none, whatever becomes of its folder", async () => {
    await create("made/a.ts", "one\n");
    const deleted: unknown[] = [];
    const { fs } = vscode.workspace;
    using _ = replaceFileSystem({
      delete: async (uri, options) => {
        deleted.push([path.basename(uri.fsPath), options?.useTrash === true]);
        if (options?.useTrash === true || path.basename(uri.fsPath) === "made")
          throw new Error("It cannot be deleted.");
        await fs.delete(uri, options);
      },
    });
    await undo("Undid the changes to 1 file.");
    assert.deepEqual(deleted, [
      ["a.ts", true],
      ["a.ts", false],
      ["made", false],
    ]);
  });

  it("are not undone in Restricted Mode", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    const trust = Object.getOwnPropertyDescriptor(vscode.workspace, "isTrusted");
    assert.ok(trust);
    Object.defineProperty(vscode.workspace, "isTrusted", { configurable: true, get: () => false });
    try {
      await undo("Changes can't be undone in Restricted Mode.");
    } finally {
      Object.defineProperty(vscode.workspace, "isTrusted", trust);
    }
    assert.equal(await files.textIn("a.ts"), "1\n");
  });

  it("stay open if nothing could be undone", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    await rm(files.pathOf("a.ts"));
    await undo(`Nothing was undone. '${files.named("a.ts")}' was not undone because it was deleted later.`);
    assert.deepEqual(settled(), []);
    assert.deepEqual(await copied(), ["a.ts"]);
  });

  it("are undone beside unsaved text, which stays unsaved", async () => {
    await files.write("a.ts", "one\ntwo\nthree\n");
    await edit("a.ts", "three", "3");
    const document = await files.type("a.ts", 0, "typed\n");
    await undo(
      `Undid the changes to 1 file. '${files.named("a.ts")}' also has unsaved text. Save the file to finish the undo.`,
    );
    assert.equal(document.getText(), "typed\none\ntwo\nthree\n");
    assert.ok(document.isDirty);
    assert.equal(await files.textIn("a.ts"), "one\ntwo\n3\n");
  });

  it("keep unsaved text that an edit has saved", async () => {
    await files.write("a.ts", "one\ntwo\n");
    await files.type("a.ts", 0, "typed\n");
    await edit("a.ts", "two", "2");
    assert.equal(await files.textIn("a.ts"), "typed\none\n2\n");
    await undo("Undid the changes to 1 file.");
    assert.equal(await files.textIn("a.ts"), "typed\none\ntwo\n");
  });

  it("keep a new file that was changed later, or is being changed", async () => {
    await create("a.ts", "one\n");
    await create("b.ts", "one\n");
    await files.write("a.ts", "one and more\n");
    await files.type("b.ts", 0, "typed\n");
    await undo(
      `Nothing was undone. '${files.named("a.ts")}' was not deleted because it was changed later. '${files.named("b.ts")}' was not deleted because it was changed later.`,
    );
    assert.equal(await files.textIn("a.ts"), "one and more\n");
    assert.equal(await files.textIn("b.ts"), "one\n");
  });

  it("delete a folder that was made only if it is empty", async () => {
    await create("made/a.ts", "one\n");
    await files.write("made/of-the-user.ts", "x");
    await undo("Undid the changes to 1 file.");
    await assert.rejects(stat(files.pathOf("made/a.ts")));
    assert.equal(await files.textIn("made/of-the-user.ts"), "x");
  });

  it("name files without a copy, and commands, which are not undone", async () => {
    await files.write("a.ts", "one\n");
    await files.write("large.ts", "more than ten bytes\n");
    Object.assign(files.agent.services, {
      copies: new FileCopies({ folder: files.agent.copiesFolder, maxBytes: 10 }),
    });
    await edit("a.ts", "one", "1");
    await edit("large.ts", "ten", "10");
    const ran = { command: "make" };
    const result = { outcome: "done", text: "" } as const;
    calls.push({
      id: "r",
      name: "run_command",
      arguments: readToolArguments(ran),
      state: { kind: "settled", result },
    });
    await undo(
      `Undid the changes to 1 file. Commands that ran were not undone. '${files.named("large.ts")}' was not undone because no copy of it was kept.`,
    );
  });

  it("cannot be kept or undone while the answer arrives, or a second time", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    endAnswer({ state: { kind: "working" } }, true);
    await run("undo");
    // Another window may write the answer.
    endAnswer({ state: { kind: "streaming" } });
    await run("keep");
    endAnswer({ changes: "kept" });
    await run("undo");
    endAnswer({ changes: "undone" });
    await run("keep");
    const arriving = "The answer is still arriving. Stop it, or wait until it is complete.";
    assert.deepEqual(dialogues.messages, [
      arriving,
      arriving,
      "The changes of this answer were already kept.",
      "The changes of this answer were already undone.",
    ]);
    assert.equal(await files.textIn("a.ts"), "1\n");
    assert.deepEqual(await copied(), ["a.ts"]);
  });

  it("are undone once if the user asks twice at once", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    endAnswer();
    await Promise.all([run("undo"), run("undo")]);
    assert.deepEqual(dialogues.messages, ["Undid the changes to 1 file."]);
    assert.deepEqual(settled(), ["undone"]);
  });

  it("are kept without a question, and the copies go", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    endAnswer();
    await run("keep");
    assert.deepEqual(settled(), ["kept"]);
    assert.deepEqual(await copied(), []);
    await run("review");
    assert.deepEqual(dialogues.messages, [
      "There is nothing to compare because no copies of the files are kept.",
    ]);
  });

  it("must be read again by the model after an undo", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    await undo("Undid the changes to 1 file.");
    const { text } = await files.agent.call("edit_file", {
      path: files.named("a.ts"),
      oldText: "one",
      newText: "2",
    });
    assert.match(text, /has changed since you read it\. Read it again\./);
  });

  it("can be made and undone again in a resumed answer", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    await undo("Undid the changes to 1 file.");
    await edit("a.ts", "one", "2");
    await create("b.ts", "new\n");
    endAnswer();
    await files.agent.services.changes.undoNewest(chat);
    assert.equal(dialogues.messages.at(-1), "Undid the changes to 2 files.");
    assert.equal(await files.textIn("a.ts"), "one\n");
  });

  it("are undone of the newest answer with open changes, if there is one", async () => {
    endAnswer();
    await files.agent.services.changes.undoNewest(chat);
    assert.deepEqual(dialogues.messages, ["No answer in this chat has changes that can be undone."]);
  });

  it("are reviewed in one tab, or for one file", async () => {
    await files.write("a.ts", "one\n");
    await edit("a.ts", "one", "1");
    await create("b.ts", "new\n");
    endAnswer();
    await run("review");
    assert.equal(
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith("Changes made by the answer"),
      true,
    );
    await run("review", files.named("b.ts"));
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.modified.fsPath, files.pathOf("b.ts"));
    assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), "");
    await run("review", "another.ts");
    assert.deepEqual(dialogues.messages, [
      "There is nothing to compare because no copy of 'another.ts' is kept.",
    ]);
  });
});
