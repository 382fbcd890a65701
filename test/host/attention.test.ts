import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import type { Chat } from "../../src/editor/chat/chat.ts";
import { Attention } from "../../src/editor/page/attention.ts";
import type { ScriptPart } from "../service/script.ts";
import { withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";
import { withScreen } from "./withScreen.ts";
import { writeSetting } from "./writeSetting.ts";

const question: ScriptPart = { call: "ask_user", arguments: { question: "Which one?" } };

const seenIn = (place: { readonly onDidChangeSeen: vscode.Event<void> }): Promise<void> =>
  new Promise((resolve) => {
    const listening = place.onDidChangeSeen(() => {
      listening.dispose();
      resolve();
    });
  });

describe("a chat that waits for a decision", () => {
  const connection = withConnection({ name: "Waited" });
  const chats = withChat(connection);
  const screen = withScreen(chats);
  const { createStatusBarItem } = vscode.window;
  let attention: Attention;
  let item: vscode.StatusBarItem | undefined;
  let isShown: boolean;

  before(() => writeSetting("inference.chat.modelCapabilities", { "service-core": { toolCalling: true } }));
  after(() => writeSetting("inference.chat.modelCapabilities", undefined));
  beforeEach(() => {
    [item, isShown] = [undefined, false];
    const create = (id: string, alignment: vscode.StatusBarAlignment, priority: number) => {
      const made = createStatusBarItem(`test.${id}`, alignment, priority);
      const [show, hide] = [made.show.bind(made), made.hide.bind(made)];
      item = Object.assign(made, {
        show: () => {
          isShown = true;
          show();
        },
        hide: () => {
          isShown = false;
          hide();
        },
      });
      return item;
    };
    Object.assign(vscode.window, { createStatusBarItem: create });
    attention = new Attention(screen);
    chats.loaded.chats.listen((chat, events) => attention.note(chat, events));
  });
  afterEach(() => {
    attention.dispose();
    Object.assign(vscode.window, { createStatusBarItem });
  });

  /** Asks in this chat. Resolves when the answer waits; the returned function lets it end. */
  async function wait(chat: Chat): Promise<() => Promise<void>> {
    connection.service.script.add([{ send: [question] }]);
    chat.mode = "plan";
    const waits = new Promise<void>((resolve) => {
      const leave = chat.listen({
        onEvents: (events) => {
          if (!events.some(({ type }) => type === "call-asks")) return;
          leave();
          resolve();
        },
      });
    });
    const ended = chat.session.send("Explain");
    await waits;
    const { id = "" } = chat.session.transcript.arriving ?? {};
    return async () => {
      connection.service.script.add([{ send: [{ text: "That one." }] }]);
      chat.session.replyToCall(id, 0, { type: "answer", text: "The first" });
      await ended;
    };
  }

  it("is told in the status bar while its tab is covered, and opened from there", async () => {
    const chat = chats.loaded.chats.create();
    await screen.editors.open(chat);
    const goOn = await wait(chat);
    assert.ok(!isShown);
    const covered = seenIn(screen.editors);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: "In front" }));
    await covered;
    assert.ok(isShown);
    assert.equal(item?.text, "$(bell-dot) Chat waits for you");
    assert.equal(screen.badge?.value, 1);
    const { command } = item ?? {};
    assert.ok(typeof command === "object" && command.command === commandIds.openChat);
    const revealed = seenIn(screen.editors);
    await screen.run(commandIds.openChat, ...(command.arguments ?? []));
    await revealed;
    assert.ok(!isShown);
    assert.equal(screen.badge, undefined);
    await goOn();
  });

  it("is told with a badge if no page shows it, until it is in the view", async () => {
    const [first, second] = [chats.loaded.chats.create(), chats.loaded.chats.create()];
    const [endFirst, endSecond] = [await wait(first), await wait(second)];
    assert.deepEqual(screen.badge, { value: 2, tooltip: "2 chats wait for your decision." });
    assert.equal(item?.text, "$(bell-dot) 2 chats wait for you");
    screen.view.show(second);
    assert.deepEqual(screen.badge, { value: 1, tooltip: "The chat waits for your decision." });
    assert.ok(isShown);
    await endFirst();
    assert.equal(screen.badge, undefined);
    assert.ok(!isShown);
    await endSecond();
  });
});
