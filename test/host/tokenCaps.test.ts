import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Transcript } from "../../src/chat/transcript/transcript.ts";
import { readConnections } from "../../src/connection/setup/connection.ts";
import { Spending, TokenCaps } from "../../src/editor/chat/spending.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeChatCap, writeDailyCap } from "./testConnections.ts";

describe("a token cap that the user has agreed to exceed", () => {
  const { showWarningMessage } = vscode.window;
  const { connections } = readConnections([{ name: "Capped", baseUrl: "https://h.example" }]);
  let questions: string[];

  beforeEach(() => {
    questions = [];
    const agree = async (question: string): Promise<string> => {
      questions.push(question);
      return "Send Anyway";
    };
    Object.assign(vscode.window, { showWarningMessage: agree });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showWarningMessage });
    await writeDailyCap(undefined);
  });

  it("asks again after it changes, and only when it is exceeded", async () => {
    const connection = connections[0] ?? assert.fail();
    const spending = new Spending(createMemento(), () => new Date());
    const caps = new TokenCaps(spending);
    const mayAsk = (): Promise<string> => caps.mayAskToday(connection, 20);
    await writeDailyCap(100);
    await spending.add(connection.name, 90);
    for (let times = 0; times < 2; times += 1) assert.equal(await mayAsk(), "yes");
    assert.equal(questions.length, 1);
    await writeDailyCap(1000);
    await spending.add(connection.name, 115);
    assert.equal(await mayAsk(), "yes");
    assert.equal(questions.length, 1, "205 tokens and 20 more are below 1,000");
    await writeDailyCap(50);
    assert.equal(await mayAsk(), "yes");
    assert.match(questions[1] ?? "", /has used 205 tokens today\. .* your daily token cap of 50\.$/);
  });
});

describe("the token caps of an answer with tools", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const [connection = assert.fail()] = readConnections([
    { name: "Resumed", baseUrl: "https://h.example" },
  ]).connections;
  /** An answer that has used 100 tokens, and is about to send its next request, of at least 60 tokens. */
  const transcript: Transcript = {
    turns: [{ kind: "question", id: "q", parentId: null, text: "Explain", at }],
    arriving: {
      kind: "answer",
      id: "a",
      parentId: "q",
      text: "",
      reasoning: "",
      state: { kind: "working" },
      connection: connection.name,
      model: "service-core",
      clientStyle: "messages",
      mode: "plan",
      at,
      earlierUsage: { inputTokens: 35, outputTokens: 5 },
      usage: { inputTokens: 90, outputTokens: 10 },
    },
    leafId: "a",
  };
  let dialogues: ShownDialogues;
  let caps: TokenCaps;
  let spending: Spending;

  beforeEach(() => {
    dialogues = new ShownDialogues(() => undefined);
    spending = new Spending(createMemento(), () => new Date());
    caps = new TokenCaps(spending);
  });
  afterEach(async () => {
    dialogues.dispose();
    await writeDailyCap(undefined);
    await writeChatCap(undefined);
  });

  const maySend = (counted: number): Promise<boolean> =>
    caps.maySendNext("chat", transcript, connection, counted);

  it("count what was spent before it was resumed once", async () => {
    await spending.add(connection.name, 40);
    await writeDailyCap(160);
    assert.equal(await maySend(40), true, "100 tokens, and 60 for the next request");
    assert.deepEqual(dialogues.messages, []);
    assert.equal(await maySend(0), false, "140 tokens, and 60 for the next request");
    assert.match(dialogues.messages.join(), /has used 140 tokens today\. The next request would exceed/);
  });

  it("ask before the next request exceeds the cap of the chat", async () => {
    await writeChatCap(160);
    assert.equal(await maySend(0), true);
    await writeChatCap(159);
    assert.equal(await maySend(0), false);
    assert.match(dialogues.messages.join(), /^This chat has used 100 tokens\. The next request would exceed/);
  });
});

describe("the tokens of a day", () => {
  it("are counted per connection, and start at zero the next day", async () => {
    let now = new Date(2030, 0, 20, 23, 59);
    const spending = new Spending(createMemento(), () => now);
    await spending.add("Acme", 90);
    await spending.add("Acme", 5);
    await spending.add("Beta", 7);
    assert.deepEqual([spending.today("Acme"), spending.today("Beta")], [95, 7]);
    now = new Date(2030, 0, 21, 0, 1);
    assert.deepEqual([spending.today("Acme"), spending.today("Beta")], [0, 0]);
    await spending.add("Acme", 3);
    assert.equal(spending.today("Acme"), 3);
  });
});
