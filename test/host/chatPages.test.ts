import assert from "node:assert/strict";
import { once } from "node:events";
import * as vscode from "vscode";
import type { ToWebview } from "../../src/chat/page/protocol.ts";
import type { ChatTarget } from "../../src/chat/session/chatTarget.ts";
import { Chat } from "../../src/editor/chat/chat.ts";
import { createChatPage, revealTurn } from "../../src/editor/page/chatPage.ts";
import { writeConversation } from "../unit/chat/history/sampleConversation.ts";
import { exchange, reduce } from "../unit/chat/transcript/sampleEvents.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";

describe("the page of a chat", () => {
  const test = withChat(withConnection());
  const owned: vscode.Disposable[] = [];

  afterEach(() => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
  });

  it("starts a new chat when the user presses the New Chat button of a failure", () => {
    const page = test.openPage();
    const { chat } = page;
    page.say({ type: "action", action: "new-chat" });
    assert.notEqual(page.chat, chat);
    assert.ok(page.chat.empty);
  });

  it("opens the setting of the token limit when the page asks for it", async () => {
    const page = test.openPage();
    const { tabGroups } = vscode.window;
    const opened = new Promise<void>((resolve) => {
      owned.push(tabGroups.onDidChangeTabs(() => resolve()));
    });
    page.say({ type: "open-limit" });
    await opened;
    assert.equal(tabGroups.activeTabGroup.activeTab?.label, "Settings");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("focuses its composer when the page is ready, and after a list opened from it", async () => {
    const { chats } = test.loaded;
    const chat = chats.create();
    const posted: ToWebview["type"][] = [];
    const attached = Promise.withResolvers<void>();
    const page = createChatPage(
      chats,
      chat,
      ({ type }) => {
        posted.push(type);
        if (posted.filter((each) => each === "focus-composer").length === 2) attached.resolve();
      },
      () => undefined,
    );
    owned.push(page);
    page.focus();
    assert.deepEqual(posted, []);
    page.receive({ chatId: null, message: { type: "ready" } });
    assert.deepEqual(
      posted.filter((type) => type === "snapshot" || type === "focus-composer"),
      ["snapshot", "focus-composer"],
    );
    const request = { type: "attach", offerId: "no such offer" };
    page.receive({ chatId: chat.id, message: { type: "context", request } });
    await attached.promise;
  });

  it("when it gets the focus, shows what another window has written to its chat", async () => {
    const { chats, store } = test.loaded;
    const id = await writeConversation(store, exchange("1", null));
    const chat = (await chats.find(id)) ?? assert.fail();
    const page = test.openPage(chat);
    const other = await test.loadAgain();
    other.store.log(id).append(exchange("2", "a1"));
    assert.equal(await other.store.log(id).flush(), true);
    await page.answered({ type: "focused" }, "snapshot");
    const lengths = page.posted.flatMap((message) =>
      message.type === "snapshot" ? [message.snapshot.transcript.turns.length] : [],
    );
    assert.deepEqual(lengths, [2, 4]);
    await Promise.all([store.close(), other.store.close()]);
  });

  it("when its chat is found, reads what another window has written to it", async () => {
    const { chats, store } = test.loaded;
    const chat = chats.create();
    const other = await test.loadAgain();
    other.store.log(chat.id).append(exchange("1", null));
    assert.equal(await other.store.log(chat.id).flush(), true);
    assert.equal(await chats.find(chat.id), chat);
    assert.equal(chat.session.transcript.turns.length, 2);
    await Promise.all([store.close(), other.store.close()]);
  });

  it("after a reload, does not attach again what the user has removed from a prompt", async () => {
    const { chats, drafts } = test.loaded;
    const chat = chats.create();
    drafts.saveDraft(chat.id, "/explain what a closure is");
    chat.preparedPrompt = "explain";
    await chats.close();
    const again = await test.loadAgain();
    const reloaded = (await again.chats.find(chat.id)) ?? assert.fail();
    assert.equal(reloaded.preparedPrompt, "explain");
    reloaded.consumeAttachments();
    assert.equal(again.drafts.preparedPromptOf(chat.id), undefined);
    await again.chats.close();
  });

  it("says why a turn is hidden while an answer arrives on another branch", async () => {
    const dialogues = new ShownDialogues();
    owned.push(dialogues);
    const chat = createAnsweredChat();
    const answered = chat.session.send("and then?");
    assert.equal(revealTurn(chat, "a1"), false);
    assert.equal(dialogues.messages.length, 1);
    assert.match(dialogues.messages.join(), /^The message you selected is in another version of this chat\./);
    assert.equal(revealTurn(chat, "a2"), true);
    chat.session.stop();
    await answered;
    assert.equal(revealTurn(chat, "a1"), true);
    assert.equal(dialogues.messages.length, 1);
  });
});

const answerUntilStopped: ChatTarget["answer"] = async (_messages, signal, { onParts }) => {
  onParts([{ type: "text-delta", text: "Half an" }]);
  if (!signal.aborted) await once(signal, "abort");
};

/** A chat of two branches that shows the second. Its answers go on until they are stopped. */
function createAnsweredChat(): Chat {
  let ids = 0;
  return new Chat({
    id: "chat",
    title: null,
    draft: "",
    transcript: reduce([...exchange("1", null), ...exchange("2", null)]),
    log: () => Promise.resolve(),
    now: () => new Date(),
    newId: () => `turn ${(ids += 1)}`,
    target: () => ({
      connection: "Acme",
      hasGiven: () => true,
      model: "service-core",
      clientStyle: "messages",
      taken: () => ({}),
      stallSeconds: 0,
      answer: answerUntilStopped,
      diagnose: () => Promise.reject(new Error("nothing should fail here")),
      onSettled: () => undefined,
    }),
  });
}
