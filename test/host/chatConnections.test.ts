import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { ChatHeader } from "../../src/chat/page/protocol.ts";
import type { AnswerTurn, TranscriptEvent } from "../../src/chat/transcript/transcript.ts";
import { lastAnswerOf } from "../../src/chat/transcript/transcript.ts";
import type { Chat } from "../../src/editor/chat/chat.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import type { Ask } from "../service/generation.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { HandledList, rowOf } from "./handledList.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeCapabilities, writeEntries } from "./testConnections.ts";
import { type ChatsPage, withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const first = "First client";
const second = "Second client";
const secondVariable = "INFERENCE_SECOND_CLIENT_KEY";
const whichConnection = "Which connection should this chat use?";

describe("chats with connections of their own", () => {
  const connection = withConnection({ name: first });
  const test = withChat(connection);
  const secondAsks: Ask[] = [];
  let other: ReferenceService;
  let dialogues: ShownDialogues;
  /** The button that the user presses in a dialog; undefined for Escape. */
  let pressed: string | undefined;

  const entries = () => [
    { name: first, baseUrl: connection.service.origin, keyVariable: connection.variable },
    { name: second, baseUrl: other.origin, keyVariable: secondVariable, clientStyle: "messages" },
  ];

  before(async () => {
    other = await startReferenceService({ onAsk: (ask) => secondAsks.push(ask) });
    process.env[secondVariable] = other.keys.add({}, fakeKey("second-client"));
  });
  beforeEach(async () => {
    other.journal.clear();
    secondAsks.length = 0;
    pressed = undefined;
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
    await writeEntries(entries());
  });
  afterEach(async () => {
    dialogues.dispose();
    await writeEntries([entries()[0] ?? assert.fail()]);
  });
  after(async () => {
    delete process.env[secondVariable];
    await other.close();
  });

  it("answer side by side, and each service receives only its own key and questions", async () => {
    const [one, two] = [test.openPage(), test.openPage()];
    await choose(two, second);
    assert.deepEqual(targetOf(one), [first, "service-core", "chat-completions"]);
    assert.deepEqual(targetOf(two), [second, "service-core", "messages"]);
    const begun = [connection.service, other].map(({ journal }) =>
      journal.next(({ piecesSent }) => piecesSent > 0, soon()),
    );
    const ended = [
      one.ask("for the first /long 3000 /pace 100"),
      two.ask("for the second /long 3000 /pace 100"),
    ];
    await Promise.all(begun);
    assert.deepEqual(
      [connection.service, other].map(({ journal }) => journal.answers.map(({ state }) => state)),
      [["open"], ["open"]],
      "both answers arrive at once",
    );
    connection.service.hurry();
    other.hurry();
    await Promise.all(ended);
    // Each service refuses any key but its own.
    assert.deepEqual(asked(connection.service), [["/v1/chat/completions", "service-core", undefined]]);
    assert.deepEqual(asked(other), [["/v1/messages", "service-core", undefined]]);
    assert.match(textOf(connection.asks), /for the first/);
    assert.doesNotMatch(textOf(connection.asks), /for the second/);
    assert.doesNotMatch(textOf(secondAsks), /for the first/);
    assert.deepEqual(dialogues.messages, []);
    assert.ok(test.talking.spending.today(first) > 0, "the first client's tokens are counted for it");
    assert.ok(test.talking.spending.today(second) > 0);
  });

  it("go on with another model of the same connection without a question", async () => {
    const page = test.openPage();
    await page.ask("Hello");
    await chooseModel(page, "service-mini");
    assert.deepEqual(targetOf(page), [first, "service-mini", "chat-completions"]);
    await choose(page, `${first} · used in this chat`);
    assert.deepEqual(targetOf(page), [first, "service-mini", "chat-completions"], "it was selected already");
    await page.ask("And now?");
    assert.deepEqual(dialogues.messages, []);
    assert.deepEqual(
      connection.service.journal.answers.map(({ model }) => model),
      ["service-core", "service-mini"],
    );
    assert.equal(test.talking.connections.modelFor(named(first)), "service-core", "new chats keep theirs");
  });

  it("follow the workspace until they hold a question, and never after", async () => {
    const [old, empty] = [test.openPage(), test.openPage()];
    await old.ask("Hello");
    await chooseModel(empty, "service-large");
    assert.equal(targetOf(empty)[1], "service-large");
    await test.talking.connections.chooseModel(named(first), "service-mini", "list");
    assert.deepEqual(targetOf(empty), [first, "service-mini", "chat-completions"]);
    await test.talking.connections.use({ name: second });
    assert.equal(targetOf(empty)[0], second);
    assert.equal(targetOf(test.openPage())[0], second);
    assert.deepEqual(targetOf(old), [first, "service-core", "chat-completions"]);
    await old.ask("And now?");
    assert.equal(other.journal.answers.length, 0);
  });

  it("are opened again with what they use, with and without a question", async () => {
    const [talked, typed] = [test.openPage(), test.openPage()];
    await choose(talked, second);
    await chooseModel(talked, "service-mini");
    await talked.ask("Hello");
    await choose(typed, second);
    typed.say({ type: "draft", chatId: typed.chat.id, text: "not sent" });
    await test.loaded.chats.close();
    const again = await test.loadAgain();
    for (const [page, model] of [
      [talked, "service-mini"],
      [typed, "service-core"],
    ] as const) {
      const chat = (await again.chats.find(page.chat.id)) ?? assert.fail("lost");
      const opened = test.openPage(chat, again);
      assert.deepEqual(headerOf(opened).connection, second);
      assert.deepEqual(headerOf(opened).model, model);
    }
    const [summary] = await again.store.list();
    assert.deepEqual(summary?.target, { connection: second, model: "service-mini" });
  });

  it("keep what was selected in an empty tab until the user closes it, also after a reload", async () => {
    const [closed, reloaded] = [test.openPage(), test.openPage()];
    await choose(closed, second);
    await choose(reloaded, second);
    closed.dispose();
    await setImmediate();
    // VS Code disposes the pages while the extension closes the chats.
    const closing = Promise.resolve().then(() => test.loaded.chats.close());
    reloaded.dispose();
    await closing;
    const again = await test.loadAgain();
    assert.equal(await again.chats.find(closed.chat.id), undefined);
    const opened = test.openPage((await again.chats.find(reloaded.chat.id)) ?? assert.fail("lost"), again);
    assert.equal(headerOf(opened).connection, second);
  });

  it("ask again with another connection only after a question that names both, and keep their own", async () => {
    const page = test.openPage();
    await page.ask("a secret of the first client");
    const turnId = answerOf(page.chat).id;
    let inputs = new AnsweredInputs(["Ask Again With Another Model", undefined]);
    await page.answered({ type: "retry-with", turnId }, "focus-page");
    inputs.dispose();
    assert.match(inputs.all[0]?.rows.join("\n") ?? "", /^Load Models From 'Second client'$/m);
    assert.equal(other.journal.entries.length, 0, "nothing was sent to list its models");
    await test.talking.catalog.refresh(named(second), soon());
    const row = `service-mini · ${second} · messages`;
    inputs = new AnsweredInputs(["Ask Again With Another Model", row]);
    const asking = dialogues.next();
    page.say({ type: "retry-with", turnId });
    assert.equal((await asking).message, `This chat used '${first}'. Continue the chat with '${second}'?`);
    inputs.dispose();
    assert.equal(other.journal.answers.length, 0);
    pressed = "Send Full Conversation";
    inputs = new AnsweredInputs(["Ask Again With Another Model", row]);
    await page.ended({ type: "retry-with", turnId });
    inputs.dispose();
    assert.deepEqual(asked(other), [["/v1/messages", "service-mini", undefined]]);
    assert.deepEqual(targetOf(page), [first, "service-core", "chat-completions"]);
  });

  it("retry the failed answer of another connection there, and keep their own", async () => {
    const page = test.openPage();
    await page.ask("Hello");
    await test.talking.catalog.refresh(named(second), soon());
    const key = process.env[secondVariable] ?? assert.fail();
    other.keys.revoke(key);
    pressed = "Send Full Conversation";
    const inputs = new AnsweredInputs([
      "Ask Again With Another Model",
      `service-mini · ${second} · messages`,
    ]);
    await page.ended({ type: "retry-with", turnId: answerOf(page.chat).id });
    inputs.dispose();
    const failed = answerOf(page.chat);
    assert.equal(failed.state.kind, "failed");
    other.keys.add({}, key);
    const asks = dialogues.all.length;
    await page.ended({ type: "retry", turnId: failed.id });
    assert.deepEqual(asked(other).at(-1), ["/v1/messages", "service-mini", undefined]);
    assert.equal(answerOf(page.chat).state.kind, "complete");
    assert.deepEqual([dialogues.all.length, connection.service.journal.answers.length], [asks, 1]);
    assert.deepEqual(targetOf(page), [first, "service-core", "chat-completions"]);
    pressed = undefined;
    await page.answered({ type: "send", text: "And now?" }, "restore-draft");
    assert.equal(dialogues.all.length, asks + 1, "the own connection is asked only after a question again");
  });

  it("say that their connection no longer exists, lose no text, and go on after a selection and a question", async () => {
    const page = test.openPage();
    await choose(page, second);
    await page.ask("a secret of the second client");
    await writeEntries([entries()[0] ?? assert.fail()]);
    assert.deepEqual([headerOf(page).connection, headerOf(page).isGone], [second, true]);
    const gone = `The connection '${second}' no longer exists. ${whichConnection}`;
    let inputs = new AnsweredInputs([gone, undefined]);
    const sent = { type: "send", text: "typed since" } as const;
    assert.equal((await page.answered(sent, "restore-draft")).text, sent.text);
    inputs.dispose();
    inputs = new AnsweredInputs([gone, first]);
    assert.equal((await page.answered(sent, "restore-draft")).text, sent.text);
    inputs.dispose();
    assert.deepEqual(dialogues.messages, [`This chat used '${second}'. Continue the chat with '${first}'?`]);
    assert.equal(connection.service.journal.answers.length, 0);
    pressed = "Send Full Conversation";
    await page.ask("typed since");
    assert.equal(headerOf(page).isGone, undefined);
    assert.equal(connection.service.journal.answers.length, 1);
  });

  it("follow a connection that is renamed, without a question", async () => {
    const page = test.openPage();
    await page.ask("Hello");
    const [one, ...others] = entries();
    await writeEntries([{ ...one, name: "New name" }, ...others]);
    assert.equal(headerOf(page).isGone, true, "it was renamed by hand so far");
    await test.talking.connections.renamed(first, "New name");
    assert.equal(headerOf(page).connection, "New name");
    await page.ask("And now?");
    assert.deepEqual(dialogues.messages, []);
    assert.equal(connection.service.journal.answers.length, 2);
  });

  it("are sent to the host of a new connection with the same name only after a question", async () => {
    const page = test.openPage();
    await page.ask("a secret of the first client");
    const [, moved] = entries();
    await writeEntries([{ ...moved, name: first }]);
    await page.answered({ type: "send", text: "And now?" }, "restore-draft");
    assert.deepEqual(dialogues.messages, [
      `This chat used '${first}' at ${connection.service.origin}. Continue the chat with '${first}' at ${other.origin}?`,
    ]);
    assert.equal(other.journal.answers.length, 0);
    pressed = "Send Full Conversation";
    await page.ask("And now?");
    assert.deepEqual(asked(other), [["/v1/messages", "service-core", undefined]]);
  });

  it("are sent to a new connection with the same name at the same host only after a question", async () => {
    const page = test.openPage();
    await page.ask("a secret of the first client");
    const [one, ...others] = entries();
    await writeEntries([{ ...one, name: "Old name" }, { ...one, name: first }, ...others]);
    const { connections } = test.talking;
    await connections.renamed(first, "Old name");
    await connections.added(first);
    await connections.select({ name: first });
    await page.answered({ type: "send", text: "And now?" }, "restore-draft");
    const question = `This chat used an earlier connection with the name '${first}'. Continue the chat with the new '${first}'?`;
    assert.deepEqual(dialogues.messages, [question]);
    assert.equal(connection.service.journal.answers.length, 1);
    pressed = "Send Full Conversation";
    await page.ask("And now?");
    await page.ask("And then?");
    assert.deepEqual(dialogues.messages, [question, question]);
    assert.equal(connection.service.journal.answers.length, 3);
  });

  describe("of an earlier version", () => {
    it("use the connection and model of their last answer", async () => {
      await test.talking.connections.use({ name: second });
      const page = test.openPage(await storedChat(first, "service-mini"));
      assert.deepEqual(targetOf(page), [first, "service-mini", "chat-completions"]);
      await page.ask("And now?");
      assert.equal(connection.service.journal.answers[0]?.model, "service-mini");
      assert.deepEqual(dialogues.messages, []);
    });

    it("use the workspace's connection if theirs no longer exists, after a question", async () => {
      const page = test.openPage(await storedChat("Removed client", "service-mini"));
      assert.deepEqual(targetOf(page), [first, "service-core", "chat-completions"]);
      await page.answered({ type: "send", text: "And now?" }, "restore-draft");
      assert.deepEqual(dialogues.messages, [
        `This chat used 'Removed client'. Continue the chat with '${first}'?`,
      ]);
      assert.equal(connection.service.journal.answers.length, 0);
    });

    it("do not use a connection that was never selected in this workspace, until the user does", async () => {
      const page = test.openPage(await storedChat(second, "service-mini"));
      await assert.rejects(page.chat.session.send("unasked"), /No connection is selected for this chat/);
      const text = "for the second client";
      assert.equal((await page.answered({ type: "send", text }, "restore-draft")).text, text);
      assert.deepEqual(dialogues.messages, [`Use the connection '${second}' in this workspace?`]);
      const inputs = new AnsweredInputs(["Model for This Chat", undefined]);
      await page.answered({ type: "choose", what: "model" }, "focus-composer");
      inputs.dispose();
      assert.equal(other.journal.entries.length, 0, "its models are not listed unasked either");
      pressed = "Use Connection";
      await page.ask(text);
      await page.ask("And now?");
      assert.equal(dialogues.all.length, 2);
      assert.equal(other.journal.answers.length, 2);
    });

    it("do not send a model that is no model ID, such as a key", async () => {
      const page = test.openPage(await storedChat(first, fakeKey("as-a-model")));
      assert.equal(targetOf(page)[1], "service-core");
    });
  });

  describe("in the list of models", () => {
    it("show other connections without a request, and list their models when asked", async () => {
      const page = test.openPage();
      await page.ask("Hello");
      const list = await open(page);
      assert.deepEqual(list.rows.slice(-2), [second, `Load Models From '${second}'`]);
      assert.equal(other.journal.entries.length, 0);
      await list.accept(`Load Models From '${second}'`);
      await list.row(`service-mini · ${second}`);
      assert.deepEqual(
        other.journal.entries.map(({ path }) => path),
        ["/v1/models"],
      );
      const focused = page.next("focus-composer");
      await list.accept(`service-mini · ${second}`);
      await focused;
      assert.deepEqual(targetOf(page), [second, "service-mini", "messages"]);
      const again = await open(page);
      assert.deepEqual(again.rows.slice(0, 2), ["Recently used", `service-mini · ${second} · in use`]);
      again.hide();
    });

    it("explain in a row why models could not be listed, and try again", async () => {
      const key = process.env[secondVariable] ?? assert.fail();
      const page = test.openPage();
      const list = await open(page);
      other.keys.revoke(key);
      await list.accept(`Load Models From '${second}'`);
      const failed = await list.row(`Load Models From '${second}' Again`);
      assert.match(rowOf(failed), /API key/);
      assert.ok((failed.detail ?? "").length > 20, "the row says what to do");
      assert.deepEqual(dialogues.messages, []);
      other.keys.add({}, key);
      await list.accept(`Load Models From '${second}' Again`);
      await list.row(`service-mini · ${second}`);
      list.hide();
    });

    it("say what is known about a model: window, tools, images, PDF files and price", async () => {
      await writeSetting("inference.chat.prices", { "service-mini": { input: 3, output: 15 } });
      await writeCapabilities({
        "service-mini": { toolCalling: true, imageInput: false, pdfInput: true },
      });
      await test.talking.catalog.save(named(first), [{ id: "service-mini", contextWindow: 128_000 }]);
      const list = await open(test.openPage());
      const row = await list.row("service-mini");
      assert.equal(
        row.detail,
        "Context window: 128K · Tools · No images · PDF files · $3.00 input, $15.00 output per million tokens",
      );
      list.hide();
      await writeSetting("inference.chat.prices", undefined);
      await writeCapabilities(undefined);
    });

    it("select a model for new chats too, with the button of its row", async () => {
      const page = test.openPage();
      await page.ask("Hello");
      await test.talking.catalog.refresh(named(second), soon());
      const list = await open(page);
      await list.press("Use for New Chats Too", `service-mini · ${second}`);
      await page.next("focus-composer");
      assert.deepEqual(targetOf(page), [second, "service-mini", "messages"]);
      assert.deepEqual(targetOf(test.openPage()), [second, "service-mini", "messages"]);
    });
  });

  /** Stores a chat with one answer, as an earlier version did, and opens it. */
  async function storedChat(connectionName: string, model: string): Promise<Chat> {
    const id = crypto.randomUUID();
    const at = new Date().toISOString();
    const common = { text: "", at };
    const events: readonly TranscriptEvent[] = [
      { type: "question-asked", turn: { ...common, kind: "question", id: "q", parentId: null, text: "Hi" } },
      {
        type: "answer-started",
        turn: {
          ...common,
          kind: "answer",
          id: "a",
          parentId: "q",
          reasoning: "",
          state: { kind: "waiting" },
          connection: connectionName,
          model,
          clientStyle: "chat-completions",
        },
      },
      { type: "text-delta", text: "Hello." },
      { type: "answer-ended", state: { kind: "complete", reason: "stop" } },
    ];
    const log = test.loaded.store.log(id);
    log.append(events);
    await log.flush();
    return (await test.loaded.chats.find(id)) ?? assert.fail("not stored");
  }

  function named(name: string) {
    return test.talking.connections.named(name) ?? assert.fail(name);
  }
});

/** The newest header that the page received. */
function headerOf(page: ChatsPage): ChatHeader {
  const headers = page.posted.flatMap((message) => {
    if (message.type === "header") return [message.header];
    return message.type === "snapshot" ? [message.snapshot.header] : [];
  });
  return headers.at(-1) ?? assert.fail("There was no header.");
}

function targetOf(page: ChatsPage): readonly [string | null, string, string] {
  const { connection, model, clientStyle } = headerOf(page);
  return [connection, model, clientStyle];
}

function answerOf({ session }: Chat): AnswerTurn {
  return lastAnswerOf(session.transcript) ?? assert.fail("no answer");
}

function textOf(asks: readonly Ask[]): string {
  return JSON.stringify(asks.map(({ messages }) => messages));
}

/** Selects a connection for the chat with the composer's button. */
async function choose(page: ChatsPage, name: string): Promise<void> {
  const inputs = new AnsweredInputs([whichConnection, name]);
  await page.answered({ type: "choose", what: "connection" }, "focus-composer");
  inputs.dispose();
}

/** Selects a model for the chat with the composer's button. */
async function chooseModel(page: ChatsPage, row: string): Promise<AnsweredInputs> {
  const inputs = new AnsweredInputs(["Model for This Chat", row]);
  await page.answered({ type: "choose", what: "model" }, "focus-composer");
  inputs.dispose();
  return inputs;
}

function asked(service: ReferenceService) {
  return service.journal.answers.map(({ path, model, refusal }) => [path, model, refusal]);
}

/** Opens the list of models with the composer's button. */
function open(page: ChatsPage): Promise<HandledList> {
  return HandledList.openedBy(() => page.say({ type: "choose", what: "model" }));
}
