import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { windowCloses } from "../../src/chat/agent/answerTools.ts";
import type { CallFacts, CallRequest, CallResult } from "../../src/chat/transcript/steps.ts";
import { AgentCommand } from "../../src/editor/agent/agentCommands.ts";
import { forgetApprovals } from "../../src/editor/agent/approvals.ts";
import { tellFigure } from "../support/figures.ts";
import { storedKey, withAgentTools } from "./withAgentTools.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { workspaceFolder } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

interface ShellCase {
  readonly command: string;
  readonly exit: number;
  readonly output?: string;
}

/** Commands that are typed wrong, or whose end is reported wrong, without care. */
const ownCases: readonly ShellCase[] = [
  { command: "(exit 3)", exit: 3 },
  { command: "echo $?", exit: 0, output: "3" },
  {
    command: "printf 'a\\tb\\n'\ncat <<'END'\n\ttab \\n !! é 😀 $HOME\nEND",
    exit: 0,
    output: "a\tb\n\ttab \\n !! é 😀 $HOME",
  },
  { command: "echo 'it'\\''s'; echo \"hi! !x\"", exit: 0, output: "it's\nhi! !x" },
  { command: "for each in 1 2\ndo\n\techo $each\ndone\nfalse", exit: 1, output: "1\n2" },
  { command: "# nothing but a comment", exit: 0, output: "(No output.)" },
  { command: "printf '10%%\\r20%%\\r30%%\\n\\033[31mred\\033[0m\\n'", exit: 0, output: "30%\nred" },
  { command: "sh -c 'kill -9 $$'", exit: 137 },
];
/** More cases, which are not beside every clone. */
const sharedCases = path.join(__dirname, "../../../shared/cases/shell.json");

const idIn = ({ text }: CallResult): string => /\bid (?:is )?(c[0-9a-f]{8})/u.exec(text)?.[1] ?? text;

const ours = (): readonly vscode.Terminal[] =>
  vscode.window.terminals.filter(({ name }) => name === "Inference Chat");

/** Resolves when our terminal has reported this folder: VS Code can learn it after the end of a `cd`. */
async function untilIn(folder: string): Promise<void> {
  const isIn = (): boolean => ours().some(({ shellIntegration }) => shellIntegration?.cwd?.fsPath === folder);
  if (isIn()) return;
  await new Promise<void>((resolve) => {
    const subscription = vscode.window.onDidChangeTerminalShellIntegration(() => {
      if (!isIn()) return;
      subscription.dispose();
      resolve();
    });
  });
}

/** Resolves with the exit code of the next command that ends in a terminal. */
const nextExit = (): Promise<number | undefined> =>
  new Promise((resolve) => {
    const subscription = vscode.window.onDidEndTerminalShellExecution(({ exitCode }) => {
      subscription.dispose();
      resolve(exitCode);
    });
  });

const withoutIntegration = async (work: () => Promise<void>): Promise<void> => {
  await writeSetting("terminal.integrated.shellIntegration.enabled", false);
  try {
    await work();
  } finally {
    await writeSetting("terminal.integrated.shellIntegration.enabled", undefined);
  }
};

describe("agent commands", () => {
  const bench = withAgentTools();
  const allow = (): void => {
    bench.reply = { type: "allow", scope: "call" };
  };
  const run = (command: string, given: object = {}, signal?: AbortSignal): Promise<CallResult> =>
    bench.call("run_command", { command, purpose: "try it", ...given }, signal);
  const read = (id: string, given: object = {}): Promise<string> =>
    bench.textOf("read_output", { id, ...given });
  const ended = async (id: string): Promise<void> => {
    await bench.services.commands.find("chat", id)?.ended;
  };

  beforeEach(() => {
    bench.startAnswer(undefined, "agent");
    allow();
  });
  after(async () => {
    for (const terminal of ours()) {
      const closed = new Promise<void>((resolve) => {
        const subscription = vscode.window.onDidCloseTerminal((each) => {
          if (each !== terminal) return;
          subscription.dispose();
          resolve();
        });
      });
      terminal.dispose();
      await closed;
    }
  });

  it("give the exit code and the output when they end", async () => {
    const isThere = existsSync(sharedCases);
    if (!isThere) tellFigure("cases of commands: NOT RUN, ../shared/cases is not there");
    const shared: readonly ShellCase[] = isThere ? JSON.parse(readFileSync(sharedCases, "utf8")) : [];
    const before = [...ours()];
    for (const { command, exit, output } of [...ownCases, ...shared]) {
      const { text, facts } = await run(command);
      assert.deepEqual(facts, { exitCode: exit }, `${command}\n${text}`);
      assert.ok(text.startsWith(`Exit code: ${exit}\n`));
      if (output !== undefined) assert.equal(text, `Exit code: ${exit}\n${output}`);
    }
    assert.equal(ours().length, before.length + 1, "All of them ran in one terminal.");
  });

  it("ask with the whole command when it is not allowed", async () => {
    bench.reply = { type: "deny", why: "too early" };
    assert.deepEqual(await run("echo a", { timeoutSeconds: 5000 }), {
      outcome: "denied",
      text: "The user denied this call and said: too early",
    });
    assert.deepEqual(bench.asked, [
      {
        type: "command",
        command: "echo a",
        purpose: "try it",
        folder: workspaceFolder().name,
        timeoutSeconds: 600,
        isAllowedBefore: false,
        isTask: false,
      },
    ]);
  });

  it("ask each time when they are allowed once, and never again when always allowed", async () => {
    const asks = async (command: string): Promise<boolean> => {
      const before = bench.asked.length;
      assert.equal((await run(command)).outcome, "done");
      return bench.asked.length > before;
    };
    assert.ok((await asks("echo once")) && (await asks("echo once")));
    bench.reply = { type: "allow", scope: "workspace" };
    assert.ok(await asks("echo always"));
    bench.reply = { type: "deny", why: "" };
    assert.ok(!(await asks("echo always")));
    for (const other of ["echo  always", "echo always ", "echo always; echo more"])
      assert.equal((await run(other)).outcome, "denied", other);
  });

  it("ask for an allowed command when the terminal is in another folder", async () => {
    await bench.services.approvals.allow("echo here");
    await run(`cd ${bench.outside}`);
    bench.reply = { type: "deny", why: "" };
    assert.equal((await run("echo here")).outcome, "denied");
    const request = bench.asked.at(-1);
    assert.ok(request?.type === "command" && request.isElsewhere === true && !request.isAllowedBefore);
    assert.equal(request.folder, bench.outside);
    bench.reply = { type: "allow", scope: "workspace" };
    await run("echo elsewhere");
    assert.ok(!bench.services.approvals.allows("echo elsewhere"));
    await run(`cd ${workspaceFolder().uri.fsPath}`);
    await untilIn(workspaceFolder().uri.fsPath);
    const before = bench.asked.length;
    assert.equal((await run("echo here")).text, "Exit code: 0\nhere");
    assert.equal(bench.asked.length, before);
  });

  it("do not run when their terminal has another folder than the one the user saw", async () => {
    await run("echo first");
    const terminal = ours().find(({ shellIntegration }) => shellIntegration !== undefined);
    assert.ok(terminal);
    bench.reply = async () => {
      const over = nextExit();
      terminal.sendText(`cd ${bench.outside}`, true);
      await over;
      return { type: "allow", scope: "call" };
    };
    const { outcome, text } = await run("touch moved.txt");
    assert.ok(outcome === "failed" && text.includes("Nothing was run."), text);
    assert.ok(!existsSync(path.join(bench.outside, "moved.txt")));
    allow();
    await run(`cd ${workspaceFolder().uri.fsPath}`);
  });

  it("do not start when the answer is stopped after the user has allowed them", async () => {
    for (const terminal of ours()) terminal.dispose();
    const stop = new AbortController();
    bench.reply = async () => {
      setImmediate(() => stop.abort());
      return { type: "allow", scope: "call" };
    };
    await assert.rejects(run("touch stopped.txt", {}, stop.signal));
    allow();
    await run("echo next");
    assert.ok(!existsSync(path.join(workspaceFolder().uri.fsPath, "stopped.txt")));
  });

  it("end when the answer is stopped while the names of the keys do not arrive", async () => {
    const { findKeyVariables } = bench;
    const stop = new AbortController();
    bench.findKeyVariables = () => {
      stop.abort();
      return new Promise(() => undefined);
    };
    try {
      await assert.rejects(run("echo never", {}, stop.signal));
    } finally {
      bench.findKeyVariables = findKeyVariables;
    }
    assert.deepEqual(bench.asked, []);
  });

  it("say when their output could not be read", async () => {
    const command = new AgentCommand("chat", {
      // oxlint-disable-next-line require-yield
      chunks: (async function* (): AsyncGenerator<string> {
        throw new Error("gone");
      })(),
      ended: Promise.resolve({ by: "itself", exitCode: 0 }),
      processId: Promise.resolve(undefined),
      stop: () => undefined,
    });
    await command.ended;
    assert.deepEqual(command.output.notes, ["(Reading the output failed, so a part of it is missing.)"]);
  });

  it("ask again when the answer has read content from outside", async () => {
    await bench.services.approvals.allow("echo allowed");
    await bench.write("there.txt", "text\n", bench.outside);
    const { facts } = await bench.call("read_file", { path: path.join(bench.outside, "there.txt") });
    assert.equal(facts?.isFromOutside, true);
    await run("echo allowed");
    const request: CallRequest | undefined = bench.asked.at(-1);
    assert.ok(request?.type === "command" && request.isAllowedBefore);
    const asked = bench.asked.length;
    bench.startAnswer(undefined, "agent");
    await run("echo allowed");
    assert.equal(bench.asked.length, asked, "The next question starts anew.");
  });

  it("are forgotten after a list of the first ones, each cut", async () => {
    const { approvals, others } = bench.services;
    await approvals.forgetAll();
    for (let index = 0; index < 14; index += 1) await approvals.allow(`echo ${index} ${"😀".repeat(200)}`);
    const dialogues = new ShownDialogues(() => undefined);
    try {
      await forgetApprovals(approvals, others);
    } finally {
      dialogues.dispose();
    }
    const lines = dialogues.all[0]?.detail?.split("\n") ?? [];
    assert.deepEqual(lines.slice(9), [`echo 9 ${"😀".repeat(96)}…`, "And 4 more"]);
    assert.equal(approvals.commands.length, 14, "They are not forgotten when the dialog is closed.");
    await approvals.forgetAll();
  });

  it("are refused when they are empty, too long or hold control characters", async () => {
    for (const [command, fault] of [
      [" \n", "The command is empty."],
      ["echo \x1b[2J", "The command holds a control character"],
      ["echo a\rrm b", "The command holds a control character"],
      [`echo ${"x".repeat(8000)}`, "The command has 8005 characters, the limit is 8000."],
    ] as const) {
      const { outcome, text } = await run(command);
      assert.ok(outcome === "failed" && text.startsWith(fault) && text.includes("Nothing was run."), text);
    }
    assert.deepEqual(bench.asked, []);
  });

  it("go on in the background when they do not end in time, and can be read on", async () => {
    const result = await run("seq 1 3; read -p 'Name: ' name; seq 1 20000; (exit 4)", { timeoutSeconds: 1 });
    assert.deepEqual(result.facts, { isInBackground: true } satisfies CallFacts);
    assert.ok(result.text.includes("did not end within 1 seconds") && result.text.endsWith("1\n2\n3\nName:"));
    const id = idIn(result);
    assert.equal(await read(id), "The command is still running.\n1\n2\n3\nName:");
    const beside = await run("echo beside");
    assert.equal(beside.text, "Exit code: 0\nbeside");
    const waiting = ours().find(({ shellIntegration }) => shellIntegration !== undefined);
    assert.ok(waiting);
    waiting.sendText("me", true);
    await ended(id);
    const end = await read(id);
    assert.ok(end.startsWith("Exit code: 4\n(Characters ") && end.endsWith("\n20000"), end.slice(0, 100));
    const start = await read(id, { offset: 0 });
    assert.ok(start.includes("(Characters 0-40000 of ") && start.includes("Read on with offset 40000.)"));
    assert.ok((await read(id, { search: "19999" })).endsWith("\t19999"));
    assert.equal(
      await bench.faultOf("read_output", { id: "c00000000" }),
      "There is no command with the id c00000000 in this chat, or its output is not kept any more. Nothing was read.",
    );
  });

  it("go on in the background when the user wants so", async () => {
    const begun = bench.untilShown("begun\n");
    const running = run("echo begun; sleep 0.7; echo over");
    await begun;
    bench.background.abort();
    const result = await running;
    assert.ok(result.text.startsWith("The user lets the command go on in the background."));
    assert.deepEqual(result.facts, { isInBackground: true });
    await ended(idIn(result));
    assert.equal(await read(idIn(result)), "Exit code: 0\nbegun\nover");
  });

  it("end at once when the answer is stopped", async () => {
    const stop = new AbortController();
    const over = nextExit();
    const begun = bench.untilShown("begun\n");
    const running = run("echo begun; sleep 60", {}, stop.signal);
    await begun;
    stop.abort();
    await assert.rejects(running);
    assert.equal(await over, 130);
    assert.equal((await run("echo next")).text, "Exit code: 0\nnext");
  });

  it("end when the user closes the terminal, or the shell exits", async () => {
    const begun = bench.untilShown("begun\n");
    const running = run("echo begun; sleep 60");
    await begun;
    for (const terminal of ours()) terminal.dispose();
    assert.equal(
      (await running).text,
      "Exit code: unknown\nThe terminal was closed, which ended the command.\nbegun",
    );
    const exited = await run("exit 5");
    assert.deepEqual(exited.facts, { exitCode: 5 });
    assert.ok(exited.text.includes("The shell has exited. The next command gets a new one."));
  });

  it("keep the start and the end of a flood", async () => {
    const { text, facts } = await run("seq 1 500000");
    assert.deepEqual(facts, { exitCode: 0, isCut: true });
    assert.ok(
      text.length <= 48_000 && text.startsWith("Exit code: 0\n1\n2\n3\n") && text.endsWith("\n500000"),
    );
    const [, id = "", offset] = /id (\w+), offset (\d+)\./u.exec(text) ?? [];
    assert.match(
      await read(id, { offset: Number(offset) }),
      /^Exit code: 0\n\(Characters 23600-63600 of \d+\./u,
    );
  });

  it("never show or send a key, also when it arrives in pieces", async () => {
    const [first, second] = [storedKey.slice(0, 12), storedKey.slice(12)];
    const { text } = await run(
      `printf 'a ${first}'; sleep 0.4; printf '%s\\n' '${second}'; sleep 0.4; echo b`,
    );
    assert.equal(text, "Exit code: 0\na [API key]\nb");
    assert.ok(bench.output.includes("a ") && bench.output.includes("a [API key]\n"), bench.output.join("|"));
  });

  it("get no variable that holds a key", async () => {
    await writeSetting("terminal.integrated.env.linux", { INFERENCE_API_KEY: "secret", OTHER: "kept" });
    try {
      await run("exit");
      assert.equal((await run('echo "$OTHER,${INFERENCE_API_KEY-none}"')).text, "Exit code: 0\nkept,none");
    } finally {
      await writeSetting("terminal.integrated.env.linux", undefined);
    }
  });

  it("get a new terminal when a variable has become that of a key", async () => {
    const { findKeyVariables } = bench;
    await writeSetting("terminal.integrated.env.linux", { BECOMES_KEY: "secret" });
    try {
      await run("exit");
      assert.equal((await run('echo "${BECOMES_KEY-none}"')).text, "Exit code: 0\nsecret");
      bench.findKeyVariables = async () => [...(await findKeyVariables()), "BECOMES_KEY"];
      assert.equal((await run('echo "${BECOMES_KEY-none}"')).text, "Exit code: 0\nnone");
    } finally {
      bench.findKeyVariables = findKeyVariables;
      await writeSetting("terminal.integrated.env.linux", undefined);
    }
  });

  it("go on in their terminal when the window closes, and are known after the reload", async () => {
    const closing = new AbortController();
    const over = nextExit();
    const begun = bench.untilShown("begun\n");
    const running = run("echo begun; sleep 1; (exit 9)", {}, closing.signal);
    await begun;
    closing.abort(windowCloses);
    await assert.rejects(running);
    await bench.load();
    bench.startAnswer(undefined, "agent");
    const stored = JSON.stringify(bench.workspaceState.get("agent.backgroundCommands"));
    const [id = ""] = /c[0-9a-f]{8}/u.exec(stored) ?? [];
    assert.match(await bench.faultOf("read_output", { id }), /Its terminal is still open/u);
    assert.equal(await over, 9);
    for (const terminal of ours()) terminal.dispose();
  });

  it("are refused when ten are running", async () => {
    Object.defineProperty(bench.services.commands, "runningCount", { configurable: true, value: 10 });
    const { outcome, text } = await run("echo more");
    Reflect.deleteProperty(bench.services.commands, "runningCount");
    assert.ok(outcome === "failed" && text.startsWith("10 commands are running"), text);
    assert.deepEqual(bench.asked, []);
  });

  it("do not start as tasks once the answer is stopped", async () => {
    const { findKeyVariables } = bench;
    await withoutIntegration(async () => {
      const stop = new AbortController();
      bench.findKeyVariables = async () => {
        stop.abort();
        return [];
      };
      await assert.rejects(run("touch never.txt", {}, stop.signal));
      bench.findKeyVariables = findKeyVariables;
      await run("echo next");
      assert.ok(!existsSync(path.join(workspaceFolder().uri.fsPath, "never.txt")));
    });
  });

  it("run as tasks when no shell reports their ends", async () => {
    await withoutIntegration(async () => {
      for (const { command, exit } of [
        { command: "printf '%s|' a \"$0\"; (exit 7)", exit: 7 },
        { command: "kill -9 $$", exit: 137 },
        { command: "cat; echo é 😀 !!", exit: 0 },
      ]) {
        const { text, facts } = await run(command);
        assert.deepEqual(facts, { exitCode: exit }, text);
        const request = bench.asked.at(-1);
        assert.ok(request?.type === "command" && request.isTask);
        if (exit === 0) assert.equal(text, "Exit code: 0\né 😀 !!");
      }
      const stop = new AbortController();
      const begun = bench.untilShown("begun\n");
      const running = run("echo begun; sleep 60", {}, stop.signal);
      await begun;
      const over = new Promise<void>((resolve) => {
        const subscription = vscode.tasks.onDidEndTask(() => {
          subscription.dispose();
          resolve();
        });
      });
      stop.abort();
      await assert.rejects(running);
      await over;
    });
  });
});
