import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { AnswerTurn } from "../../src/chat/transcript/transcript.ts";
import { commandIds } from "../../src/contributions.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import type { ScriptPart } from "../service/script.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { withChat, type ChatsPage } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const allTools = [
  "ask_user",
  "find_files",
  "get_changes",
  "get_problems",
  "list_folder",
  "read_file",
  "search_text",
];

const call = (name: string, given: Record<string, unknown>): ScriptPart => ({ call: name, arguments: given });

function resultsOf({ steps = [] }: AnswerTurn): readonly string[] {
  return steps.flatMap(({ calls }) =>
    calls.map(({ state }) => (state.kind === "settled" ? state.result.text : "")),
  );
}

describe("Plan mode", () => {
  const connection = withConnection({ name: "Planned" });
  const chat = withChat(connection);
  let page: ChatsPage;

  before(() => writeSetting("inference.chat.modelCapabilities", { "service-core": { toolCalling: true } }));
  after(() => writeSetting("inference.chat.modelCapabilities", undefined));
  beforeEach(() => {
    page = chat.openPage();
  });
  afterEach(() => assert.equal(connection.service.script.left, 0, "The script was not played to its end."));

  const lastAnswer = (shown = page.chat): AnswerTurn => {
    const last = shown.session.transcript.turns.at(-1);
    return last?.kind === "answer" ? last : assert.fail("There is no answer.");
  };
  const mode = (): string | undefined =>
    page.posted.findLast((message) => message.type === "header")?.header.mode;

  for (const clientStyle of clientStyles) {
    it(`explains a module of the workspace, with ${clientStyle}`, async () => {
      await chat.talking.connections.chooseClientStyle(
        chat.talking.connections.current ?? assert.fail(),
        clientStyle,
      );
      page.chat.mode = "plan";
      connection.service.script.add([
        {
          expect: { tools: allTools, user: "Explain" },
          send: [{ text: "I look around." }, call("list_folder", {})],
        },
        {
          expect: { results: ["summary.ts"] },
          send: [
            call("search_text", { query: "export function" }),
            call("read_file", { path: "summary.ts" }),
          ],
        },
        { expect: { results: ["summary.ts:", "1\t"] }, send: [{ text: "It summarizes readings." }] },
      ]);
      await page.ask("Explain the module");
      assert.equal(lastAnswer().state.kind, "complete");
      assert.equal(lastAnswer().text, "I look around.It summarizes readings.");
      assert.equal(resultsOf(lastAnswer()).length, 3);
    });
  }

  it("finds the cause of a failing test with problems, a file and a question", async () => {
    const uri = vscode.Uri.joinPath(workspaceFolder().uri, "summary.ts");
    const problems = vscode.languages.createDiagnosticCollection("plan-mode");
    const problem = new vscode.Diagnostic(new vscode.Range(2, 0, 2, 5), "Expected 2, got 3");
    problems.set(uri, [problem]);
    page.chat.mode = "plan";
    connection.service.script.add([
      { send: [call("get_problems", { paths: ["summary.ts"] })] },
      {
        expect: { results: ["summary.ts:3:1 error: Expected 2, got 3"] },
        send: [call("read_file", { filePath: "summary.ts", startLine: "2", endLine: 4 })],
      },
      {
        expect: { results: ["2\t"] },
        send: [call("ask_user", { question: "Which reading is right?", options: ["2", "3"] })],
      },
      { expect: { results: ["2"] }, send: [{ text: "The sum starts at 1." }] },
    ]);
    const asks = page.next("transcript-events", ({ events }) =>
      events.some(({ type }) => type === "call-asks"),
    );
    const ended = page.ask("Why does the test fail?");
    await asks;
    const turnId = page.chat.session.transcript.arriving?.id ?? "";
    page.say({ type: "reply-call", turnId, call: 0, reply: { type: "answer", text: "2" } });
    await ended;
    problems.dispose();
    assert.equal(lastAnswer().text, "The sum starts at 1.");
  });

  it("stores the steps, and goes on with them after a reload", async () => {
    page.chat.mode = "plan";
    connection.service.script.add([{ send: [{ text: "I look." }, call("list_folder", {})] }]);
    connection.service.failNext({ status: 401 });
    connection.service.failNext({ status: 401 });
    // The first failure ends this answer before it has steps.
    await page.ask("Explain");
    assert.equal(lastAnswer().state.kind, "failed");
    const { id } = page.chat;
    await page.ended({ type: "retry", turnId: lastAnswer().id });
    assert.equal(lastAnswer().state.kind, "failed");
    await page.ended({ type: "retry", turnId: lastAnswer().id });
    await chat.loaded.store.log(id).flush();
    const again = await chat.loadAgain();
    const found = (await again.chats.find(id)) ?? assert.fail("The chat is not stored.");
    assert.deepEqual(resultsOf(lastAnswer(found)), resultsOf(lastAnswer()));
    assert.equal(found.mode, "plan");
  });

  it("is not available in Restricted Mode", async () => {
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, "isTrusted") ?? assert.fail();
    Object.defineProperty(vscode.workspace, "isTrusted", { configurable: true, get: () => false });
    try {
      page.chat.mode = "plan";
      assert.equal(mode(), "ask");
      await page.ask("Hello");
      assert.deepEqual(connection.asks.at(-1)?.tools, []);
      assert.equal(lastAnswer().mode, undefined);
    } finally {
      Object.defineProperty(vscode.workspace, "isTrusted", isTrusted);
    }
  });

  it("is selected from the composer, and kept for the next question", async () => {
    const inputs = new AnsweredInputs(["Select a mode", "Plan"]);
    await page.answered({ type: "choose", what: "mode" }, "header");
    inputs.dispose();
    assert.equal(mode(), "plan");
    connection.service.script.add([{ send: [{ text: "Done." }] }]);
    await page.ask("Hello");
    assert.equal(page.chat.mode, "plan");
  });

  it("offers to test a model whose tool use is unknown", async () => {
    await writeSetting("inference.chat.modelCapabilities", undefined);
    const dialogues = new ShownDialogues(() => undefined);
    const inputs = new AnsweredInputs(["Select a mode", "Plan"]);
    try {
      await page.answered({ type: "choose", what: "mode" }, "focus-composer");
      assert.match(inputs.all[0]?.rows.join("\n") ?? "", /Plan · not available/);
      assert.match(dialogues.messages.join("\n"), /this model hasn't been tested/);
      assert.equal(page.chat.mode, "ask");
    } finally {
      inputs.dispose();
      dialogues.dispose();
      await writeSetting("inference.chat.modelCapabilities", { "service-core": { toolCalling: true } });
    }
  });

  it("has a command", async () => {
    const commands = await vscode.commands.getCommands(true);
    assert.ok(commands.includes(commandIds.selectMode));
  });
});
