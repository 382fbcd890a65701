import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { HandledList } from "./handledList.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";
import { withScreen } from "./withScreen.ts";

const opening = commandIds.showHistory;

describe("the list of chats", () => {
  const connection = withConnection();
  const test = withChat(connection);
  const screen = withScreen(test);
  const owned: { readonly dispose: () => void }[] = [];
  let undo: PromiseWithResolvers<void>;

  beforeEach(() => {
    undo = Promise.withResolvers();
    owned.push(
      new ShownDialogues(async ({ buttons }) => {
        if (!buttons.includes("Undo")) return undefined;
        await undo.promise;
        return "Undo";
      }),
    );
  });
  afterEach(() => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
  });

  async function openList(): Promise<HandledList> {
    const list = await HandledList.openedBy(() => void screen.run(opening));
    owned.push({ dispose: () => list.hide() });
    return list;
  }

  /** Resolves when the view shows this chat. */
  function shown(chatId: string | null): Promise<unknown> {
    return screen.page.next("snapshot", ({ snapshot }) => snapshot.chatId === chatId);
  }

  /** Asks in a new chat in the view, and resolves with the chat's ID. */
  async function askAnew(question: string): Promise<string> {
    await screen.run(commandIds.newChat);
    await screen.page.ask(question);
    return screen.page.chatId ?? assert.fail();
  }

  it("finds a chat by a word of its answer, and opens it at that answer", async () => {
    const id = await askAnew("about lighthouses /long 200");
    await askAnew("about windmills");
    const list = await openList();
    await list.row("about windmills");
    await list.type("paragraph even pace");
    await list.without("about windmills");
    await list.row("at an even pace");
    const opened = shown(id);
    const turn = screen.page.next("show-turn");
    await list.accept("at an even pace");
    await opened;
    assert.equal((await turn).turnId, (await screen.view.current()).session.transcript.turns[1]?.id);
  });

  it("returns after a rename with its filter, at the renamed chat", async () => {
    await askAnew("about sailing boats");
    await askAnew("about windmills");
    const list = await openList();
    await list.type("about");
    const inputs = new AnsweredInputs([
      "Leave empty to use the first question",
      `all about ${connection.key}`,
    ]);
    owned.push(inputs);
    await list.press("Rename", "about sailing boats");
    await list.row("all about [API key]");
    assert.equal(list.value, "about");
    assert.match(list.active, /^all about \[API key\]/);
    // Canceling the rename also returns to the list.
    inputs.expect(["Leave empty to use the first question", undefined]);
    await list.press("Rename", "about windmills");
    await list.press("Pin", "all about [API key]");
    await list.row("Pinned");
  });

  it("restores a deleted chat in the view, with the unsent edit of its question", async () => {
    const id = await askAnew("about harbours");
    const turnId = (await screen.view.current()).session.transcript.turns[0]?.id ?? assert.fail();
    screen.page.say({ type: "draft", chatId: id, turnId, text: "about harbours in winter" });
    const list = await openList();
    const left = screen.page.next("snapshot");
    await list.press("Delete", "about harbours");
    await list.without("about harbours");
    list.hide();
    assert.notEqual((await left).snapshot.chatId, id);
    const back = screen.page.next("snapshot");
    undo.resolve();
    const { snapshot } = await back;
    assert.equal(snapshot.chatId, id);
    assert.deepEqual(snapshot.edits, { [turnId]: "about harbours in winter" });
    assert.equal(snapshot.transcript.turns.length, 2);
  });

  it("restores a deleted chat in its tab", async () => {
    await askAnew("about beacons");
    await screen.run(commandIds.openChatInEditor);
    await untilTabs(() => tabs().includes("about beacons"));
    const list = await openList();
    await list.press("Delete", "about beacons");
    await list.without("about beacons");
    list.hide();
    await untilTabs(() => !tabs().includes("about beacons"));
    undo.resolve();
    await untilTabs(() => tabs().includes("about beacons"));
  });

  it("stops the answer of a deleted chat, and leaves other chats unchanged", async () => {
    await askAnew("about ferries");
    await screen.run(commandIds.newChat);
    await screen.page.begun({ type: "send", text: "about mills /long 20000 /pace 50" });
    connection.service.journal.clear();
    const list = await openList();
    await list.press("Delete", "about mills");
    await connection.service.journal.next(({ state }) => state === "aborted", soon());
    await list.without("about mills");
    await list.row("about ferries");
  });

  it("restores a deleted draft with its attachments", async () => {
    await screen.run(commandIds.newChat);
    const id = screen.page.chatId ?? assert.fail();
    screen.page.say({ type: "draft", chatId: id, text: "not sent" });
    await screen.page.attached({ type: "attach-text", text: "A long text.\n" });
    await screen.run(commandIds.newChat);
    const list = await openList();
    await list.row("not sent · Draft");
    await list.press("Delete Draft", "not sent");
    await list.without("not sent");
    list.hide();
    undo.resolve();
    const again = await openList();
    const opened = screen.page.next("snapshot");
    await again.accept("not sent · Draft");
    const { snapshot } = await opened;
    assert.deepEqual(
      [snapshot.chatId, snapshot.draft, snapshot.attachments.map(({ name }) => name)],
      [id, "not sent", ["Pasted text"]],
    );
  });

  it("does not delete a draft that has become a chat since the list was shown", async () => {
    await screen.run(commandIds.newChat);
    const id = screen.page.chatId ?? assert.fail();
    screen.page.say({ type: "draft", chatId: id, text: "about lagoons" });
    const list = await openList();
    await list.row("about lagoons · Draft");
    // The list stays open while the chat continues.
    await screen.page.ask("about lagoons");
    await list.press("Delete Draft", "about lagoons · Draft");
    await list.without("about lagoons · Draft");
    await list.row("about lagoons");
    assert.equal((await screen.view.current()).id, id);
  });

  describe("export and import", () => {
    let folder: string;

    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "exported-"));
    });
    afterEach(() => rm(folder, { recursive: true }));

    const fileOf = (name: string): string => path.join(folder, name);

    /** Exports the chat of the view. */
    async function exportTo(name: string, format: string): Promise<void> {
      const inputs = new AnsweredInputs(
        ["Export Chat", format],
        ["Export Chat", vscode.Uri.file(fileOf(name))],
      );
      await screen.run(commandIds.exportChat);
      inputs.dispose();
    }

    async function importFrom(name: string): Promise<void> {
      const inputs = new AnsweredInputs(["Import Chat", vscode.Uri.file(fileOf(name))]);
      await screen.run(commandIds.importChat);
      inputs.dispose();
    }

    it("imports JSON with all versions, and Markdown that was edited, as new chats", async () => {
      await askAnew("about lighthouses /rich");
      const exported = await screen.view.current();
      await screen.page.ended({
        type: "retry",
        turnId: exported.session.transcript.turns.at(-1)?.id ?? assert.fail(),
      });
      await exportTo("chat.json", "All versions of the chat.");
      await exportTo("chat.md", "Only the version of the chat that is shown");
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, fileOf("chat.md"));
      await importFrom("chat.json");
      const whole = await screen.view.current();
      assert.notEqual(whole.id, exported.id);
      const texts = (chat: typeof whole): readonly string[] =>
        chat.session.transcript.turns.map(({ text }) => text);
      assert.deepEqual(texts(whole), texts(exported));
      const text = await readFile(fileOf("chat.md"), "utf8");
      await writeFile(fileOf("chat.md"), text.replaceAll("about lighthouses", "about old lighthouses"));
      await importFrom("chat.md");
      const changed = await screen.view.current();
      assert.equal(texts(changed).length, 2, "the branch on the screen alone");
      assert.match(texts(changed)[0] ?? "", /about old lighthouses/);
      await screen.page.ask("and windmills");
      assert.equal((await test.loaded.store.list()).length, 3);
    });

    it("rejects a file that is not a chat, and keeps the chat on the screen", async () => {
      const id = await askAnew("and windmills");
      const dialogues = new ShownDialogues(() => undefined);
      owned.push(dialogues);
      await writeFile(fileOf("other.json"), '{ "name": "something else" }');
      await importFrom("other.json");
      assert.match(
        dialogues.messages.join("\n"),
        /Nothing was imported because this file is not a chat exported from Inference Chat/,
      );
      assert.equal((await screen.view.current()).id, id);
      assert.equal((await test.loaded.store.list()).length, 1);
    });
  });
});

function tabs(): readonly string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
}

async function untilTabs(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise<void>((resolve) => {
      const listening = vscode.window.tabGroups.onDidChangeTabs(() => {
        listening.dispose();
        resolve();
      });
    });
  }
}
