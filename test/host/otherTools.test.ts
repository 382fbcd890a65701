import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import type { CallRequest } from "../../src/chat/transcript/steps.ts";
import { forgetApprovals } from "../../src/editor/agent/approvals.ts";
import { listOtherTools, type OtherTool } from "../../src/editor/agent/otherTools.ts";
import { selectTools } from "../../src/editor/agent/selectTools.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { companionStores } from "./companionStores.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { storedKey, withAgentTools } from "./withAgentTools.ts";

const once = { type: "allow", scope: "call" } as const;
const session = { type: "allow", scope: "session" } as const;
/** The oldest VS Code does not name the server of a tool, and starts servers only one by one. */
const isFloor = vscode.version.startsWith("1.105.");
const startedServer = isFloor ? "inference-chat-test.companion/tests" : "*";
const changed = /^The tools changed: .* Nothing was run\./;

describe("tools of a real MCP server", () => {
  const bench = withAgentTools();
  let callsFile = "";
  let provided: vscode.Disposable | undefined;

  before(async () => {
    callsFile = path.join(bench.outside, "calls.txt");
    const server = path.resolve(import.meta.dirname, "../../test/support/mcpServer.ts");
    const definition = new vscode.McpStdioServerDefinition("tests", process.execPath, [server, callsFile]);
    const { languageModels } = await companionStores();
    provided = languageModels.registerMcpServerDefinitionProvider("tests", {
      provideMcpServerDefinitions: () => [definition],
    });
    await untilTools(() => findTool("echo"));
  });
  beforeEach(async () => {
    await rm(callsFile, { force: true });
    bench.services.others.forgetAllowed();
    await select("echo", "shift", "shifting", "silent", "failing", "parts", "flood");
    bench.reply = once;
    bench.startAnswer(undefined, "agent");
  });
  after(async () => {
    await bench.services.others.select([]);
    provided?.dispose();
  });

  it("are offered in Agent mode only if they are selected, and never those of VS Code itself", async () => {
    const offered = () => bench.startAnswer(undefined, "agent").offered.map(({ name }) => name);
    const usual = offered().filter((name) => !name.startsWith("mcp_"));
    assert.equal(offered().length - usual.length, 7);
    await bench.services.others.select([]);
    assert.deepEqual(offered(), usual);
    await select("echo");
    assert.deepEqual(offered(), [...usual, "mcp_tests_echo"]);
    assert.ok(bench.startAnswer(undefined, "plan").offered.every(({ name }) => !name.startsWith("mcp_")));
    assert.ok(vscode.lm.tools.some(({ name }) => name === "run_in_terminal"));
    assert.deepEqual(
      listOtherTools()
        .map(({ name }) => name)
        .filter((name) => !name.startsWith("mcp_tests_")),
      ["companion_count"],
    );
  });

  it("are not there in Restricted Mode", () => {
    const descriptor = Object.getOwnPropertyDescriptor(vscode.workspace, "isTrusted") ?? assert.fail();
    Object.defineProperty(vscode.workspace, "isTrusted", { configurable: true, get: () => false });
    try {
      assert.deepEqual(listOtherTools(), []);
    } finally {
      Object.defineProperty(vscode.workspace, "isTrusted", descriptor);
    }
  });

  it("are selected in a list that says their tokens and sources", async () => {
    await bench.services.others.select([{ name: "gone", hash: "of-gone" }]);
    const inputs = new AnsweredInputs(["Agent Tools: 1 Selected, About ", ["mcp_tests_echo"]]);
    try {
      await selectTools(bench.services);
    } finally {
      inputs.dispose();
    }
    const [{ rows } = assert.fail()] = inputs.all;
    const source = isFloor ? "MCP server" : "MCP server 'tests'";
    assert.ok(
      rows.some((row) => row.startsWith(source)),
      rows.join("\n"),
    );
    assert.ok(rows.includes("mcp_tests_echo · Says a text again."));
    assert.deepEqual(rows.slice(-2), ["Not available now", "gone"]);
    assert.deepEqual(
      bench.services.others.selected.map(({ name }) => name),
      ["mcp_tests_echo"],
    );
  });

  it("are called after a card with all arguments", async () => {
    const given = { text: "a\u200bb", times: 2 };
    assert.deepEqual(await bench.call("mcp_tests_echo", JSON.stringify(given)), {
      outcome: "done",
      text: "a\u200bb a\u200bb",
      facts: { isFromOutside: true },
    });
    assert.deepEqual(bench.asked, [
      {
        type: "tool",
        title: "mcp_tests_echo",
        source: isFloor ? "MCP server" : "MCP server 'tests'",
        arguments: JSON.stringify(given, null, 2),
        canAllowForSession: true,
      },
    ]);
    bench.reply = { type: "deny", why: "not now" };
    const { outcome, text } = await bench.call("mcp_tests_echo", '{"text":"b"}');
    assert.deepEqual([outcome, text], ["denied", "The user denied this call and said: not now"]);
    assert.deepEqual(await calls(), ["echo"]);
  });

  it("refuse arguments that do not fit the schema before anybody is asked", async () => {
    const { outcome, text } = await bench.call("mcp_tests_echo", '{"times":"2","more":true}');
    assert.equal(outcome, "invalid");
    assert.match(text, /^Not run: the arguments do not fit the schema of the tool\.\n/);
    for (const words of ['required property "text"', '/times: Instance type "string"', 'Property "more"'])
      assert.ok(text.includes(words), text);
    assert.deepEqual([bench.asked, await calls()], [[], []]);
  });

  it("run without a card if they are allowed for the session, until the approvals are forgotten", async () => {
    bench.reply = session;
    await bench.textOf("mcp_tests_echo", '{"text":"one"}');
    bench.startAnswer(undefined, "agent");
    await bench.textOf("mcp_tests_echo", '{"text":"two"}');
    assert.equal(bench.asked.length, 1);
    const dialogues = new ShownDialogues();
    try {
      await forgetApprovals(bench.services.approvals, bench.services.others);
    } finally {
      dialogues.dispose();
    }
    assert.equal(dialogues.all[0]?.detail, "mcp_tests_echo");
    bench.startAnswer(undefined, "agent");
    await bench.textOf("mcp_tests_echo", '{"text":"three"}');
    assert.equal(bench.asked.length, 2);
  });

  it("ask again in the same answer, because a result is content from outside", async () => {
    bench.reply = session;
    await bench.textOf("mcp_tests_echo", '{"text":"one"}');
    await bench.textOf("mcp_tests_echo", '{"text":"two"}');
    const [, again] = bench.asked.map(reasonsOf);
    assert.deepEqual(again, { asksAgain: "outside-content", canAllowForSession: false });
  });

  it("are not called while the user types", async () => {
    const page = {};
    const { typing } = bench.services;
    bench.reply = session;
    await bench.textOf("mcp_tests_echo", '{"text":"one"}');
    bench.startAnswer(undefined, "agent");
    typing.note(page, true);
    bench.reply = async () => {
      // The second card is the first that is answered by a button, which takes the focus.
      if (bench.asked.length === 3) typing.note(page, false);
      return once;
    };
    await bench.textOf("mcp_tests_echo", '{"text":"two"}');
    assert.deepEqual(
      bench.asked.slice(1).map(reasonsOf),
      Array.from({ length: 2 }, () => ({ asksAgain: "typing", canAllowForSession: false })),
    );
    assert.deepEqual(await calls(), ["echo", "echo"]);
  });

  it("are not run if they have changed since they were offered, and are off until they are selected again", async () => {
    const before = findTool("shifting") ?? assert.fail();
    bench.reply = session;
    await bench.textOf("mcp_tests_shifting", "{}");
    await bench.textOf("mcp_tests_shift", "{}");
    await untilTools(() => (findTool("shifting")?.hash === before.hash ? undefined : true));
    const asked = bench.asked.length;
    assert.match(await bench.faultOf("mcp_tests_shifting", "{}"), changed);
    assert.equal(bench.asked.length, asked);
    const { offered } = bench.startAnswer(undefined, "agent");
    assert.ok(offered.every(({ name }) => name !== "mcp_tests_shifting"));
    const inputs = new AnsweredInputs(["Agent Tools: 6 Selected", undefined]);
    try {
      await selectTools(bench.services);
    } finally {
      inputs.dispose();
    }
    assert.ok(
      inputs.all[0]?.rows.includes("mcp_tests_shifting · changed since you selected it · Version 2 of it."),
    );
    await select("shifting");
    bench.startAnswer(undefined, "agent");
    await bench.textOf("mcp_tests_shifting", "{}");
    assert.equal(bench.asked.length, asked + 1);
    assert.deepEqual(await calls(), ["shifting", "shift", "shifting"]);
  });

  it("are not run if they change while the card is open", async () => {
    bench.reply = async () => {
      await bench.services.others.select([]);
      return once;
    };
    assert.match(await bench.faultOf("mcp_tests_echo", '{"text":"a"}'), changed);
    assert.deepEqual(await calls(), []);
  });

  it("end at the timeout, and at once when the user stops, if they never answer", async () => {
    bench.startAnswer(200, "agent");
    assert.equal(
      await bench.faultOf("mcp_tests_silent", "{}"),
      "The tool did not answer within 0.2 seconds, so its result is unknown.",
    );
    bench.startAnswer(undefined, "agent");
    const stop = new AbortController();
    bench.reply = async () => {
      setImmediate(() => stop.abort());
      return once;
    };
    await assert.rejects(bench.call("mcp_tests_silent", "{}", stop.signal));
  });

  it("return images, links and notes on what cannot be sent", async () => {
    const { outcome, text, images = [] } = await bench.call("mcp_tests_parts", "{}");
    assert.equal(outcome, "done");
    assert.deepEqual(
      images.map(({ mediaType, data }) => [mediaType, data.slice(0, 8)]),
      Array.from({ length: 4 }, () => ["image/png", "iVBORw0K"]),
    );
    const lines = text.split("\n");
    assert.equal(lines[0], "Before.");
    assert.match(lines[1] ?? "", /^\(An image of 70 bytes was left out: /);
    assert.match(lines[2] ?? "", /^\(A link to the resource mcp-resource:\/\/.*linked\.txt\)$/);
    assert.equal(lines[3], "(Data of the type audio/wav, 70 bytes, was left out.)");
    assert.match(lines[4] ?? "", /^\(A link to the resource mcp-resource:\/\/.*\/memo\/one\)$/);
  });

  it("return an error as any other text, because VS Code does not mark errors", async () => {
    assert.equal(await bench.textOf("mcp_tests_failing", "{}"), "it went wrong");
  });

  it("return no key, and at most 48,000 characters", async () => {
    assert.equal(await bench.textOf("mcp_tests_echo", JSON.stringify({ text: storedKey })), "[API key]");
    const { text, facts } = await bench.call("mcp_tests_flood", '{"megabytes":1}');
    assert.ok(text.length < 48_100 && text.startsWith("muchmuch"), `${text.length}`);
    assert.ok(text.endsWith("\n(The rest of the result is not shown.)"));
    assert.equal(facts?.isCut, true);
  });

  // The oldest VS Code goes on listing the tools of a server without its provider.
  (isFloor ? it.skip : it)("are not run after their server has gone", async () => {
    provided?.dispose();
    await untilTools(() => (findTool("echo") === undefined ? true : undefined));
    assert.match(await bench.faultOf("mcp_tests_echo", '{"text":"a"}'), changed);
  });

  async function select(...names: readonly string[]): Promise<void> {
    await bench.services.others.select(names.map((name) => findTool(name) ?? assert.fail(`no tool ${name}`)));
  }

  async function calls(): Promise<readonly string[]> {
    const text = await readFile(callsFile, "utf8").catch(() => "");
    return text.split("\n").filter(Boolean);
  }
});

describe("a tool of another extension", () => {
  const bench = withAgentTools();
  const counted: unknown[] = [];
  let registered: vscode.Disposable | undefined;

  before(async () => {
    const { languageModels } = await companionStores();
    registered = languageModels.registerTool<{ word: string }>("companion_count", {
      invoke: ({ input }) => {
        counted.push(input);
        const text = new vscode.LanguageModelTextPart(`${input.word.length} letters, not ${storedKey}`);
        return new vscode.LanguageModelToolResult([text]);
      },
    });
    await bench.services.others.select(listOtherTools().filter(({ name }) => name === "companion_count"));
  });
  beforeEach(() => {
    counted.length = 0;
    bench.reply = once;
    bench.startAnswer(undefined, "agent");
  });
  after(async () => {
    registered?.dispose();
    await bench.services.others.select([]);
  });

  it("is called after a card that names the extension, and its result holds no key", async () => {
    assert.deepEqual(await bench.call("companion_count", '{"word":"lantern"}'), {
      outcome: "done",
      text: "7 letters, not [API key]",
      facts: { isFromOutside: true },
    });
    assert.deepEqual(counted, [{ word: "lantern" }]);
    const [card] = bench.asked;
    assert.deepEqual(card?.type === "tool" && [card.title, card.source], ["Count Letters", "Companion"]);
  });

  it("refuses arguments that do not fit the schema of its manifest", async () => {
    const { outcome, text } = await bench.call("companion_count", '{"word":7}');
    assert.equal(outcome, "invalid");
    assert.match(text, /^Not run: the arguments do not fit the schema of the tool\.\n/);
    assert.deepEqual([bench.asked, counted], [[], []]);
  });

  it("is not run after its extension has withdrawn it", async () => {
    registered?.dispose();
    assert.match(await bench.faultOf("companion_count", '{"word":"a"}'), changed);
    assert.deepEqual(counted, []);
  });
});

function findTool(name: string): OtherTool | undefined {
  return listOtherTools().find((tool) => tool.name === `mcp_tests_${name}`);
}

/** VS Code reports no changes of its tools. Starting servers that run does nothing, and takes its time. */
async function untilTools<Found>(find: () => Found | undefined): Promise<Found> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await vscode.commands.executeCommand("workbench.mcp.startServer", startedServer, {
      waitForLiveTools: true,
    });
    await wait(20);
  }
}

function reasonsOf(request: CallRequest): object {
  if (request.type !== "tool") return request;
  const { asksAgain, canAllowForSession } = request;
  return { asksAgain, canAllowForSession };
}
