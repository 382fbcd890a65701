import assert from "node:assert/strict";
import * as vscode from "vscode";
import { spentOn } from "../../src/chat/session/spentTokens.ts";
import type { ChatHeader } from "../../src/chat/page/protocol.ts";
import type { AnswerTurn } from "../../src/chat/transcript/transcript.ts";
import { commandIds } from "../../src/contributions.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import type { ScriptPart } from "../service/script.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { replaceDiskReads, replaceFileSystem } from "./withAgentTools.ts";
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

function outcomesOf({ steps = [] }: AnswerTurn): readonly string[] {
  return steps.flatMap(({ calls }) =>
    calls.map(({ state }) => (state.kind === "settled" ? state.result.outcome : state.kind)),
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
  const header = (): ChatHeader | undefined =>
    page.posted.findLast((message) => message.type === "header")?.header;

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

  it("lets a command go on in its terminal when the window closes", async () => {
    page.chat.mode = "agent";
    connection.service.script.add([
      { send: [call("run_command", { command: "echo begun; sleep 1; (exit 9)", purpose: "Wait" })] },
    ]);
    const over = new Promise<number | undefined>((resolve) => {
      const subscription = vscode.window.onDidEndTerminalShellExecution(({ exitCode, terminal }) => {
        subscription.dispose();
        terminal.dispose();
        resolve(exitCode);
      });
    });
    const asks = page.next("transcript-events", ({ events }) =>
      events.some(({ type }) => type === "call-asks"),
    );
    page.say({ type: "send", text: "Wait" });
    await asks;
    const turnId = page.chat.session.transcript.arriving?.id ?? "";
    const begun = page.next("transcript-events", ({ events }) =>
      events.some((event) => event.type === "call-output" && event.output.includes("begun")),
    );
    page.say({ type: "reply-call", turnId, call: 0, reply: { type: "allow", scope: "call" } });
    await begun;
    await chat.loaded.chats.close();
    assert.equal(await over, 9, "The command ended itself.");
  });

  it("shows a call as interrupted after the window closed while it ran, and resumes without it", async () => {
    page.chat.mode = "plan";
    connection.service.script.add([
      { send: [{ text: "I look." }, call("list_folder", {}), call("read_file", { path: "summary.ts" })] },
    ]);
    const reading = Promise.withResolvers<void>();
    let reads = 0;
    const readFile = async <Bytes>(file: string, real: () => PromiseLike<Bytes>): Promise<Bytes> => {
      if (!file.endsWith("/summary.ts")) return real();
      reads += 1;
      reading.resolve();
      return new Promise(() => undefined);
    };
    using _ = replaceDiskReads({ readFile });
    // A file that is open is read through VS Code.
    const { fs } = vscode.workspace;
    using _open = replaceFileSystem({
      readFile: (uri) => readFile(uri.path, () => fs.readFile(uri)),
    });
    page.say({ type: "send", text: "Explain" });
    await reading.promise;
    const { id } = page.chat;
    await chat.loaded.chats.close();
    const again = await chat.loadAgain();
    const found = (await again.chats.find(id)) ?? assert.fail("The chat is not stored.");
    const reopened = chat.openPage(found, again);
    const cut = lastAnswer(found);
    assert.equal(cut.state.kind, "interrupted");
    assert.deepEqual(outcomesOf(cut), ["done", "interrupted"]);

    connection.service.script.add([
      {
        expect: { results: ["summary.ts", "Interrupted before it was done. Nothing of it is known."] },
        send: [{ text: "It summarizes readings." }],
      },
    ]);
    await reopened.ended({ type: "resume", turnId: cut.id });
    const resumed = lastAnswer(found);
    assert.equal(resumed.id, cut.id);
    assert.deepEqual(resumed.state, { kind: "complete", reason: "stop" });
    assert.equal(resumed.text, "I look.It summarizes readings.");
    assert.deepEqual(outcomesOf(resumed), ["done", "interrupted"]);
    assert.equal(reads, 1, "the call was not made again");
    assert.equal(connection.service.journal.answers.length, 2);
  });

  for (const reportsUsage of [true, false]) {
    const usage = reportsUsage ? "reports" : "does not report";
    it(`counts a resumed answer once for the day when the service ${usage} tokens`, async () => {
      const { quirks } = connection.service;
      connection.service.quirks = { ...quirks, ignore: reportsUsage ? [] : ["usage"] };
      try {
        page.chat.mode = "plan";
        const { spending } = chat.talking;
        const before = spending.today(connection.name);
        connection.service.script.add([
          { send: [{ text: "I look." }, call("read_file", { path: "summary.ts" })] },
          { send: [{ text: "It summarizes" }, { cut: true }] },
        ]);
        await page.ask("Explain");
        assert.equal(lastAnswer().state.kind, "failed");
        const first = spending.today(connection.name) - before;
        assert.equal(first, spentOn(page.chat.session.transcript, lastAnswer()));
        connection.service.script.add([
          { expect: { user: "Go on" }, send: [call("read_file", { path: "readings.csv" })] },
          { send: [{ text: " readings." }] },
        ]);
        await page.ended({ type: "resume", turnId: lastAnswer().id });
        assert.equal(lastAnswer().state.kind, "complete");
        const whole = spentOn(page.chat.session.transcript, lastAnswer());
        assert.ok(first > 0 && first < whole, `${first} of ${whole}`);
        assert.equal(spending.today(connection.name) - before, whole);
      } finally {
        connection.service.quirks = quirks;
      }
    });
  }

  it("is not available in Restricted Mode", async () => {
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, "isTrusted") ?? assert.fail();
    Object.defineProperty(vscode.workspace, "isTrusted", { configurable: true, get: () => false });
    let pressed: string | undefined;
    const dialogues = new ShownDialogues(() => pressed);
    try {
      page.chat.mode = "plan";
      assert.deepEqual([header()?.mode, header()?.obstacle], ["plan", "restricted"]);
      const asked = connection.asks.length;
      await page.answered({ type: "send", text: "Hello" }, "restore-draft");
      assert.deepEqual(dialogues.messages, ["The mode 'Plan' isn't available in Restricted Mode."]);
      assert.equal(connection.asks.length, asked);
      pressed = "Send in Ask Mode";
      await page.ask("Hello");
      assert.deepEqual(connection.asks.at(-1)?.tools, []);
      assert.equal(lastAnswer().mode, undefined);
      assert.deepEqual([header()?.mode, header()?.obstacle], ["ask", undefined]);
    } finally {
      dialogues.dispose();
      Object.defineProperty(vscode.workspace, "isTrusted", isTrusted);
    }
  });

  it("is not available for a model that is not verified, until the user sets it right or selects Ask", async () => {
    await writeSetting("inference.chat.modelCapabilities", undefined);
    page.chat.mode = "plan";
    assert.equal(header()?.obstacle, "not-verified");
    await page.answered({ type: "mend-mode", by: "asking" }, "header");
    assert.deepEqual([header()?.mode, header()?.obstacle], ["ask", undefined]);
    page.chat.mode = "plan";
    const mended = page.next("header", ({ header: { obstacle } }) => obstacle === undefined);
    await writeSetting("inference.chat.modelCapabilities", { "service-core": { toolCalling: true } });
    await mended;
  });

  it("is selected from the composer, and kept for the next question", async () => {
    const inputs = new AnsweredInputs(["Select a mode", "Plan"]);
    await page.answered({ type: "choose", what: "mode" }, "header");
    inputs.dispose();
    assert.equal(header()?.mode, "plan");
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
