import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { AnswerTurn } from "../../src/chat/transcript/transcript.ts";
import type { ScriptPart } from "../service/script.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { type ChatsPage, withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const call = (name: string, given: Record<string, unknown>): ScriptPart => ({ call: name, arguments: given });

function fileOf(name: string): string {
  return path.join(workspaceFolder().uri.fsPath, name);
}

describe("an answer that edits files", () => {
  const connection = withConnection({ name: "Edited" });
  const chat = withChat(connection);
  let page: ChatsPage;
  let dialogues: ShownDialogues;

  before(() => writeSetting("inference.chat.modelCapabilities", { "service-core": { toolCalling: true } }));
  after(() => writeSetting("inference.chat.modelCapabilities", undefined));
  beforeEach(async () => {
    dialogues = new ShownDialogues(() => undefined);
    await writeFile(fileOf("edited.txt"), "one\ntwo\n");
    page = chat.openPage();
    page.chat.mode = "agent";
  });
  afterEach(async () => {
    dialogues.dispose();
    for (const name of ["edited.txt", "created.txt"]) await rm(fileOf(name), { force: true });
    assert.equal(connection.service.script.left, 0, "The script was not played to its end.");
  });

  const lastAnswer = (): AnswerTurn => {
    const last = page.chat.session.transcript.turns.at(-1);
    return last?.kind === "answer" ? last : assert.fail("There is no answer.");
  };
  /** Replies to the next card as the page does. */
  async function replyToCard(scope: "call" | "answer"): Promise<void> {
    await page.next("transcript-events", ({ events }) => events.some(({ type }) => type === "call-asks"));
    const turnId = page.chat.session.transcript.arriving?.id ?? "";
    page.say({ type: "reply-call", turnId, call: 0, reply: { type: "allow", scope } });
  }

  async function askForEdits(): Promise<void> {
    connection.service.script.add([
      { expect: { user: "Edit" }, send: [call("read_file", { path: "edited.txt" })] },
      {
        expect: { results: ["1\tone\n2\ttwo"] },
        send: [
          call("edit_file", { path: "edited.txt", oldText: "two", newText: "2" }),
          call("create_file", { path: "created.txt", content: "new\n" }),
        ],
      },
      {
        expect: { results: ["Edited and saved edited.txt.", "Created created.txt."] },
        send: [{ text: "Done." }],
      },
    ]);
    const replied = replyToCard("answer");
    await page.ask("Edit the file");
    await replied;
  }

  it("is undone by the page, and the model learns of it with the next question", async () => {
    await askForEdits();
    assert.equal(await readFile(fileOf("edited.txt"), "utf8"), "one\n2\n");
    const { id } = lastAnswer();
    page.say({ type: "changes", turnId: id, action: "undo" });
    assert.equal((await dialogues.until("Undid")).message, "Undid the changes to 2 files.");
    assert.equal(await readFile(fileOf("edited.txt"), "utf8"), "one\ntwo\n");
    assert.equal(lastAnswer().changes, "undone");
    connection.service.script.add([
      { expect: { user: "I have undone the changes that this answer made" }, send: [{ text: "I see." }] },
    ]);
    await page.ask("And now?");
    assert.equal(lastAnswer().text, "I see.");
  });

  it("is undone after a reload of the window", async () => {
    await askForEdits();
    const { id } = page.chat;
    await chat.loaded.store.log(id).flush();
    const loaded = await chat.loadAgain();
    const again = (await loaded.chats.find(id)) ?? assert.fail("The chat is gone.");
    await loaded.agent.changes.undoNewest(again);
    assert.deepEqual(dialogues.messages, ["Undid the changes to 2 files."]);
    assert.equal(await readFile(fileOf("edited.txt"), "utf8"), "one\ntwo\n");
  });

  it("keeps its copies while its chat is in the trash", async () => {
    await askForEdits();
    const { id } = page.chat;
    await chat.loaded.store.log(id).flush();
    const answer = { chatId: id, answerId: lastAnswer().id };
    const { copies } = chat.loaded.agent;
    const later = new Date(Date.now() + 2 * 24 * 60 * 60 * 1000);
    const restore = await chat.loaded.store.remove(id);
    await copies.clean(() => chat.loaded.store.existingIds(), later);
    assert.equal((await copies.filesOf(answer)).length, 2);
    await restore();
    await copies.clean(() => chat.loaded.store.existingIds(), later);
    assert.equal((await copies.filesOf(answer)).length, 2);
  });
});
