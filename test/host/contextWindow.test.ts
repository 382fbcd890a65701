import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ChatHeader } from "../../src/chat/page/protocol.ts";
import { commandIds } from "../../src/contributions.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";
import { withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { createChatPage } from "../../src/editor/page/chatPage.ts";

describe("the context window of a model whose models were never listed", () => {
  const connection = withConnection({ name: "Windowed", service: { contextWindow: 4000 } });
  const test = withChat(connection);

  it("is requested once, after the first answer, and the page gets it with the token length", async () => {
    const { chats } = test.loaded;
    const chat = chats.create();
    const rooms: ChatHeader["room"][] = [];
    const told = Promise.withResolvers<void>();
    const page = createChatPage(
      chats,
      chat,
      (message) => {
        if (message.type === "snapshot") rooms.push(message.snapshot.header.room);
        if (message.type !== "header") return;
        rooms.push(message.header.room);
        const { contextWindow, charactersPerToken } = message.header.room ?? {};
        if (contextWindow === 4000 && charactersPerToken !== 4) told.resolve();
      },
      () => undefined,
    );
    page.receive({ chatId: null, message: { type: "ready" } });
    assert.equal(rooms[0]?.isUnasked, true);
    assert.deepEqual(connection.service.journal.entries, [], "nothing is sent before a question");
    await chat.session.send("intelligible ".repeat(60));
    await told.promise;
    for (const question of ["and again", "and once more"]) await chat.session.send(question);
    assert.deepEqual(
      connection.service.journal.entries.map(({ method }) => method),
      ["POST", "GET", "POST", "POST"],
    );
    page.dispose();
  });
});

describe("the model list requested after an answer, in the extension", () => {
  const name = "Listed behind";
  let service: ReferenceService;
  let dialogues: ShownDialogues;

  before(async () => {
    service = await startReferenceService({ answers: () => "word ".repeat(500), pace: 150 });
    await writeConnections([{ name, baseUrl: service.origin }]);
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === "Remove"));
  });
  after(async () => {
    await vscode.commands.executeCommand(commandIds.removeApiKey);
    assert.match(dialogues.messages.at(-1) ?? "", /^Removed the API key for .* from this computer/);
    dialogues.dispose();
    await writeConnections(undefined);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await service.close();
  });

  async function setKey(key: string): Promise<void> {
    const inputs = new AnsweredInputs([`API key for '${name}'`, service.keys.add({}, key)]);
    await vscode.commands.executeCommand(commandIds.setApiKey);
    inputs.dispose();
  }

  /** Asks in the chat of the side bar; resolves with the request's number when the answer has begun. */
  async function explain(): Promise<number> {
    const before = service.journal.answers.at(-1)?.sequence ?? 0;
    const file = vscode.Uri.joinPath(workspaceFolder().uri, "summary.ts");
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand(commandIds.explain);
    const entry = await service.journal.next(
      ({ sequence, method, piecesSent }) => method === "POST" && sequence > before && piecesSent > 0,
      soon(),
    );
    return entry.sequence;
  }

  async function finish(sequence: number): Promise<void> {
    service.hurry();
    await service.journal.next((each) => each.sequence === sequence && each.state === "finished", soon());
  }

  it("is not requested with a new key until a question has used that key", async () => {
    const firstKey = fakeKey("behind-first");
    await setKey(firstKey);
    const first = await explain();
    // The service refuses requests with the old key.
    service.keys.revoke(firstKey);
    await setKey(fakeKey("behind-second"));
    await finish(first);
    const second = await explain();
    await finish(second);
    await service.journal.next(({ method, state }) => method === "GET" && state === "finished", soon());
    assert.deepEqual(
      service.journal.entries.map(({ method, refusal }) => [method, refusal]),
      [
        ["POST", undefined],
        ["POST", undefined],
        ["GET", undefined],
      ],
    );
  });
});
