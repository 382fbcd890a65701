import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { AnswerTurn } from "../../src/chat/transcript/transcript.ts";
import { InPlaceAnswers } from "../../src/editor/inPlace/inPlaceAnswers.ts";
import { ModelEfforts } from "../../src/editor/models/modelEfforts.ts";
import { RequestFieldNotices } from "../../src/editor/service/requestFields.ts";
import { addresseeOf } from "../../src/editor/service/modelCapabilities.ts";
import type { ClientStyle } from "../../src/protocol/conversation/wireStyle.ts";
import { noQuirks } from "../service/quirks.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { soon } from "../unit/service/fixture.ts";
import { HandledList } from "./handledList.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { type ChatsPage, withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const model = "service-core";
const question = "Answer with the word otter.";

describe("the effort and the fields of requests", () => {
  const connection = withConnection({ name: "Reasoned" });
  const chat = withChat(connection);
  let page: ChatsPage;

  const current = () => chat.talking.connections.current ?? assert.fail("There is no connection.");
  /** Stores what a verification of the model would have seen. */
  function verified(clientStyle: ClientStyle, state: "yes" | "no" | "unclear"): void {
    const at = new Date().toISOString();
    const result = { clientStyle, probe: "effort", state, evidence: "Seen in a test.", at } as const;
    chat.talking.compatibility.add(addresseeOf(current(), model, clientStyle), result);
  }
  const shownEffort = (): string | undefined =>
    page.posted.findLast((message) => message.type === "header")?.header.effort;
  const openList = (): Promise<HandledList> =>
    HandledList.openedBy(() => page.say({ type: "choose", what: "effort" }));
  const fieldsSent = (): readonly string[] =>
    connection.service.journal.entries.findLast(({ method }) => method === "POST")?.fields ?? [];
  const lastAnswer = (): AnswerTurn => {
    const last = page.chat.session.transcript.turns.at(-1);
    return last?.kind === "answer" ? last : assert.fail("There is no answer.");
  };

  /** Selects a row, and resolves when the page knows. */
  async function select(row: string): Promise<void> {
    const list = await openList();
    const told = page.next("header");
    await list.accept(row);
    await told;
  }

  beforeEach(() => {
    page = chat.openPage();
  });
  afterEach(async () => {
    connection.service.quirks = noQuirks;
    await writeSetting("inference.chat.requestFields", undefined);
  });

  it("offers levels once a probe has seen the model reason, and sends the level only in chats", async () => {
    assert.equal(shownEffort(), undefined);
    verified("chat-completions", "unclear");
    assert.equal(shownEffort(), undefined);
    verified("chat-completions", "yes");
    assert.equal(shownEffort(), "Off");
    const list = await openList();
    assert.deepEqual(list.rows, [
      "Off · in use · Sends no effort. The service decides.",
      "Low",
      "Medium",
      "High",
    ]);
    const told = page.next("header");
    await list.accept("High");
    assert.equal((await told).header.effort, "High");
    await page.ask(question);
    assert.ok(fieldsSent().includes("reasoning_effort"));
    assert.notEqual(lastAnswer().reasoning, "");
    const inPlace = await new InPlaceAnswers(chat.talking).ask(
      { kind: "edit" },
      [{ role: "user", content: [{ type: "text", text: question }] }],
      {},
      soon(),
    );
    assert.ok(!fieldsSent().includes("reasoning_effort"));
    assert.deepEqual(
      [inPlace.connection, inPlace.origin],
      [lastAnswer().connection, connection.service.origin],
      "a chat that goes on with it asks before another host",
    );
    await select("Off");
    await page.ask(question);
    assert.ok(!fieldsSent().includes("reasoning_effort"));
  });

  it("offers an effort if the list of models says that the model takes one", async () => {
    await chat.talking.catalog.save(current(), [{ id: model, takesEffort: true }]);
    assert.equal(shownEffort(), "Off");
    verified("chat-completions", "no");
    assert.equal(shownEffort(), undefined);
  });

  it("keeps the effort of each model and client style, also in another window", async () => {
    const { catalog, compatibility } = chat.talking;
    const state = createMemento();
    const efforts = new ModelEfforts({ state, catalog, compatibility });
    await catalog.save(current(), [
      { id: model, takesEffort: true },
      { id: "service-mini", takesEffort: true },
    ]);
    await efforts.select(addresseeOf(current(), model, "chat-completions"), { level: "low" });
    await efforts.select(addresseeOf(current(), model, "messages"), { budgetTokens: 2048 });
    const again = new ModelEfforts({ state, catalog, compatibility });
    for (const [id, clientStyle, effort] of [
      [model, "chat-completions", { level: "low" }],
      [model, "messages", { budgetTokens: 2048 }],
      ["service-mini", "messages", undefined],
    ] as const)
      assert.deepEqual(again.effortOf(current(), id, clientStyle), effort);
    await state.update("inference.efforts", { broken: { budgetTokens: 3 } });
    assert.equal(again.effortOf(current(), model, "messages"), undefined);
    for (const each of [efforts, again]) each.dispose();
  });

  it("offers budgets below the token limit, and takes a typed number from 1,024", async () => {
    await chat.talking.connections.chooseClientStyle(current(), "messages");
    verified("messages", "yes");
    const list = await openList();
    assert.deepEqual(
      list.rows.map((row) => row.split(" · ")[0]),
      ["Off", "1,024 tokens", "2,048 tokens", "Change Token Limit"],
    );
    for (const refused of ["1023", "3073", "-3", "many", "1e9"]) {
      await list.type(refused);
      assert.equal(list.rows[0], "Type a number from 1,024 to 3,072", refused);
    }
    await list.type("1,500");
    const told = page.next("header");
    await list.accept("1,500 tokens");
    assert.equal((await told).header.effort, "1,500 tokens");
    await page.ask(question);
    assert.ok(fieldsSent().includes("thinking"));
    assert.notEqual(lastAnswer().reasoning, "");
  });

  it("says once in the chat that the service refused the effort, and offers it no more", async () => {
    verified("chat-completions", "yes");
    await select("Medium");
    connection.service.quirks = { ...noQuirks, refuse: ["reasoning_effort"] };
    await page.ask(question);
    assert.deepEqual(lastAnswer().refusedFields, ["reasoning_effort"]);
    assert.equal(lastAnswer().text, "otter");
    assert.equal(shownEffort(), undefined);
    await page.ask(question);
    assert.equal(lastAnswer().refusedFields, undefined);
    assert.ok(!fieldsSent().includes("reasoning_effort"));
    const dialogues = new ShownDialogues(() => undefined);
    try {
      page.say({ type: "choose", what: "effort" });
      const { message, buttons } = await dialogues.until("refused a reasoning effort");
      assert.match(message, /for service-core\. Select another model, or verify again/);
      assert.deepEqual(buttons, ["Verify Compatibility..."]);
    } finally {
      dialogues.dispose();
    }
  });

  it("sends the user's fields in chats and in edits, and names ignored fields once", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    const notices = new RequestFieldNotices();
    try {
      const fields = { temperature: 0.2, model: "other", maxTokens: 9, min_p: 0.1 };
      await writeSetting("inference.chat.requestFields", { "*": fields });
      const { message, buttons } = await dialogues.until("These fields in inference.chat.requestFields");
      assert.match(message, /sets them itself: 'model', 'maxTokens'\. Remove them/);
      assert.deepEqual(buttons, ["Open Settings"]);
      await writeSetting("inference.chat.requestFields", { "*": { ...fields, seed: 7 }, [model]: 3 });
      await dialogues.until(`The entry '${model}' in inference.chat.requestFields`);
      const own = dialogues.messages.filter((text) => text.includes("sets them itself: 'model'"));
      // The extension itself watches the setting too.
      assert.ok(own.length <= 2, own.join("\n"));
      await page.ask(question);
      const sent = fieldsSent();
      for (const name of ["temperature", "min_p", "seed"]) assert.ok(sent.includes(name), name);
      assert.ok(!sent.includes("maxTokens"));
      assert.equal(lastAnswer().text, "otter");
      await new InPlaceAnswers(chat.talking).ask(
        { kind: "edit" },
        [{ role: "user", content: [{ type: "text", text: question }] }],
        {},
        soon(),
      );
      assert.ok(fieldsSent().includes("temperature"));
    } finally {
      notices.dispose();
      dialogues.dispose();
    }
  });

  it("says once which fields aren't sent because of the effort", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    try {
      await writeSetting("inference.chat.requestFields", { "*": { reasoning_effort: "low", seed: 7 } });
      verified("chat-completions", "yes");
      await page.ask(question);
      await select("High");
      for (let round = 0; round < 2; round += 1) await page.ask(question);
      const told = dialogues.messages.filter((text) => text.includes("not sent together"));
      assert.equal(told.length, 1, told.join("\n"));
      assert.match(told[0] ?? "", /with the selected effort: 'reasoning_effort'\. To send them/);
    } finally {
      dialogues.dispose();
    }
  });

  it("says which fields aren't sent because of a field of the user", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    try {
      await chat.talking.connections.chooseClientStyle(current(), "messages");
      const thinking = { type: "enabled", budget_tokens: 1024 };
      await writeSetting("inference.chat.requestFields", { "*": { thinking, temperature: 0.2 } });
      await page.ask(question);
      await dialogues.until("not sent together with the field 'thinking': 'temperature'");
      assert.ok(fieldsSent().includes("thinking") && !fieldsSent().includes("temperature"));
    } finally {
      dialogues.dispose();
    }
  });

  it("says that a thinking budget of the user isn't sent because of the token limit", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    try {
      await chat.talking.connections.chooseClientStyle(current(), "messages");
      await writeSetting("inference.maxTokens", 1024);
      const thinking = { type: "enabled", budget_tokens: 2048 };
      await writeSetting("inference.chat.requestFields", { "*": { thinking, temperature: 0.2 } });
      for (let round = 0; round < 2; round += 1) await page.ask(question);
      await dialogues.until("'thinking' in inference.chat.requestFields is not sent because the token limit");
      assert.equal(dialogues.messages.filter((text) => text.includes("'thinking'")).length, 1);
      assert.ok(!fieldsSent().includes("thinking") && fieldsSent().includes("temperature"));
    } finally {
      await writeSetting("inference.maxTokens", undefined);
      dialogues.dispose();
    }
  });

  it("names the setting if the service refuses a field of the user that has the effort's name", async () => {
    await writeSetting("inference.chat.requestFields", { "*": { reasoning_effort: "low" } });
    connection.service.quirks = { ...noQuirks, refuse: ["reasoning_effort"] };
    await page.ask(question);
    assert.deepEqual(lastAnswer().refusedFields, ["inference.chat.requestFields.reasoning_effort"]);
    assert.equal(lastAnswer().text, "otter");
  });

  it("never sends a field with a stored key, and says so once without the key", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    try {
      await writeSetting("inference.chat.requestFields", { "*": { user: `me ${connection.key}`, seed: 7 } });
      for (let round = 0; round < 2; round += 1) {
        await page.ask(question);
        assert.ok(fieldsSent().includes("seed") && !fieldsSent().includes("user"));
      }
      const told = dialogues.messages.filter((text) => text.includes("'user'"));
      assert.equal(told.length, 1);
      assert.ok(!told.join().includes(connection.key));
    } finally {
      dialogues.dispose();
    }
  });

  it("opens the list by the command, and explains why there is none", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    try {
      // The chat that is open may use a connection of an earlier test.
      await vscode.commands.executeCommand("inference.newChat");
      void vscode.commands.executeCommand("inference.selectEffort");
      await dialogues.until(/isn't known whether service-core takes a reasoning effort/);
    } finally {
      dialogues.dispose();
    }
  });
});
