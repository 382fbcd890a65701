import assert from "node:assert/strict";
import * as vscode from "vscode";
import { type AnswerTurn, visibleTurns } from "../../src/chat/transcript/transcript.ts";
import type { Chat } from "../../src/editor/chat/chat.ts";
import { createChatTarget } from "../../src/editor/chat/chatTarget.ts";
import { workspaceReceiver } from "../../src/editor/chat/receiver.ts";
import { ConnectionEditing } from "../../src/editor/connections/connectionEditing.ts";

import { startReferenceService } from "../service/serve.ts";
import { tellFigure } from "../support/figures.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { writeEntries } from "./testConnections.ts";
import { withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";
import { sealKey } from "../support/sealFor.ts";

const secondKey = fakeKey("amid-second");
/** The answer would take minutes, so a change comes while it arrives. */
const question = "about tides /long 6000 /pace 150";
/** A header that only VS Code's transport sends. */
const ofFetch = "sec-fetch-mode";

const network = vscode.workspace.getConfiguration("inference.network");
const http = vscode.workspace.getConfiguration("http");

describe("a chat whose model, key, base URL or connection changes during an answer", () => {
  const asked: string[] = [];
  const connection = withConnection({
    name: "Amid",
    entry: { keyVariable: undefined },
    service: { onAsk: ({ messages }) => asked.push(messages.at(-1)?.text ?? "") },
  });
  const { name } = connection;

  afterEach(async () => {
    await test.talking.keys.remove(name);
    await network.update("transport", undefined, vscode.ConfigurationTarget.Global);
    await http.update("proxyStrictSSL", undefined, vscode.ConfigurationTarget.Global);
    await writeEntries([{ name, baseUrl: connection.service.origin }]);
  });
  after(() =>
    tellFigure(
      "model, network's settings, key, connection and address changed or removed amid answers: 7 answers whole, 0 questions sent twice or elsewhere",
    ),
  );
  const test = withChat(connection);

  beforeEach(() => setKey(connection.key));

  async function setKey(key: string): Promise<void> {
    connection.service.keys.add({}, key);
    await test.talking.keys.store(name, sealKey(key, connection.service.origin));
  }

  const current = () => test.talking.connections.current ?? assert.fail("no connection");

  /** Asks in a chat, a new one by default, and makes the change while the answer arrives. The answer must complete. */
  async function askDuring(
    change: () => Promise<unknown>,
    chat: Chat = test.loaded.chats.create(),
  ): Promise<Chat> {
    const { service } = connection;
    const before = asked.length;
    const answered = chat.session.send(question);
    await service.journal.next(({ piecesSent }) => piecesSent > 0, soon());
    await change();
    assert.equal(service.journal.answers[0]?.state, "open", "the change came amid the answer");
    service.hurry();
    await answered;
    assert.equal(lastAnswer(chat).state.kind, "complete");
    assert.equal(lastAnswer(chat).text.length, 6000);
    assert.deepEqual(asked.slice(before), [question], "it was asked once");
    return chat;
  }

  it("finishes the answer when the model changes, and sends the next question to the new model", async () => {
    const chat = test.loaded.chats.create();
    await askDuring(async () => chat.select({ connection: name, model: "service-mini" }), chat);
    await askNext(chat);
    assert.deepEqual(
      connection.service.journal.answers.map(({ model }) => model),
      ["service-core", "service-mini"],
    );
  });

  it("keeps its model when the workspace selects another", async () => {
    const chat = await askDuring(() =>
      test.talking.connections.chooseModel(current(), "service-mini", "list"),
    );
    await askNext(chat);
    await askNext(test.loaded.chats.create());
    assert.deepEqual(
      connection.service.journal.answers.map(({ model }) => model),
      ["service-core", "service-core", "service-mini"],
    );
  });

  it("finishes the answer when the network settings change, and uses the new ones for the next question", async () => {
    const chat = await askDuring(async () => {
      await network.update("transport", "editor", vscode.ConfigurationTarget.Global);
      await http.update("proxyStrictSSL", false, vscode.ConfigurationTarget.Global);
    });
    await askNext(chat);
    assert.deepEqual(
      connection.service.journal.answers.map(({ headerNames }) => headerNames.includes(ofFetch)),
      [false, true],
    );
  });

  it("finishes the answer when the key changes and the old key is revoked", async () => {
    const chat = await askDuring(async () => {
      await setKey(secondKey);
      connection.service.keys.revoke(connection.key);
    });
    assert.equal((await askNext(chat)).state.kind, "complete");
  });

  it("finishes the answer when the key is removed, and sends nothing more", async () => {
    const chat = await askDuring(() => test.talking.keys.remove(name));
    assert.equal(causeOf(await askNext(chat)), "empty-key");
    assert.equal(connection.service.journal.answers.length, 1);
  });

  it("finishes the answer when the connection is removed, and sends nothing more", async () => {
    const chat = await askDuring(() => writeEntries([]));
    await assert.rejects(
      chat.session.send("and now?"),
      /The connection 'Amid' of this chat no longer exists/,
    );
    assert.equal(connection.service.journal.answers.length, 1);
  });

  it("asks again for the same answer when the connection is renamed, and never with the key of another", async () => {
    const { connections, keys } = test.talking;
    const receiver = workspaceReceiver(connections) ?? assert.fail();
    const target = createChatTarget(test.talking, { kind: "edit" }, receiver);
    const ask = () =>
      target.answer([{ role: "user", content: [{ type: "text", text: "Hello" }] }], soon(), {
        onParts: () => undefined,
        onActivity: () => undefined,
        onRefusedField: () => undefined,
      });
    await ask();
    await new ConnectionEditing(connections, keys).renameTo(current(), "Renamed amid");
    await ask();
    assert.equal(connection.service.journal.answers.length, 2);
    const { origin } = connection.service;
    await writeEntries([
      { name: "Renamed amid", baseUrl: origin },
      { name, baseUrl: origin },
    ]);
    await connections.added(name);
    await setKey(secondKey);
    await assert.rejects(ask(), { failure: { kind: "key", cause: "empty-key", replaced: name } });
    assert.equal(connection.service.journal.answers.length, 2);
    await keys.remove("Renamed amid");
  });

  it("finishes the answer when the base URL changes, and does not send the key there", async () => {
    await using other = await startReferenceService();
    const chat = await askDuring(() => writeEntries([{ name, baseUrl: other.origin }]));
    assert.equal(causeOf(await askNext(chat)), "key-origin-mismatch");
    assert.equal(connection.service.journal.answers.length, 1);
    assert.equal(other.journal.entries.length, 0);
  });
});

async function askNext(chat: Chat): Promise<AnswerTurn> {
  await chat.session.send("and now?");
  return lastAnswer(chat);
}

function lastAnswer({ session }: Chat): AnswerTurn {
  const turn = visibleTurns(session.transcript).at(-1);
  return turn?.kind === "answer" ? turn : assert.fail("no answer");
}

function causeOf({ state }: AnswerTurn): string | undefined {
  return state.kind === "failed" ? state.diagnosis.cause : undefined;
}
