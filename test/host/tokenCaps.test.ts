import assert from "node:assert/strict";
import * as vscode from "vscode";
import { readConnections } from "../../src/connection/setup/connection.ts";
import { Spending, TokenCaps } from "../../src/editor/chat/spending.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { writeDailyCap } from "./testConnections.ts";

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
