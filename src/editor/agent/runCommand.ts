import * as vscode from "vscode";
import { windowCloses } from "../../chat/agent/answerTools.ts";
import { findCommandFault } from "../../chat/agent/commandLine.ts";
import { cutOutput, findInOutput, pageOfOutput, tailOf } from "../../chat/agent/commandOutput.ts";
import { type CallResult, commandToolName } from "../../chat/transcript/steps.ts";
import { isOverWithin, withinTime } from "../shared/abort.ts";
import { readCommandTimeoutSetting } from "../workspace/settings.ts";
import type { AgentCommand, CommandPlace } from "./agentCommands.ts";
import { type AgentRun, type AgentTool, defineTool, done, requireAllowed, ToolError } from "./agentTool.ts";
import type { CommandEnd } from "./commandTerminals.ts";
import { placeName } from "./toolPlaces.ts";

/** Seconds that the model can ask for. */
const maxTimeout = 600;
/** Commands that run at once in the window. */
const maxRunning = 10;
/** Milliseconds in which a terminal must be there, and in which a command must start. */
const startTimeout = 60_000;
/** Milliseconds in which a permission is stored. */
const storeTimeout = 5000;
/** Milliseconds between two looks at the output of a running command. */
const tailInterval = 100;
/** UTF-16 code units. */
const tailLength = 2000;
/** UTF-16 code units at the start of a cut output that could be a part of a key. */
const maxKeyLength = 4096;

const runCommandTool = defineTool({
  name: commandToolName,
  description: [
    "Runs a command in a terminal of the workspace and returns its exit code and output. The user is asked first.",
    "The commands of a chat usually share one shell, so its folder and variables stay. It begins in the first workspace folder.",
    "A command that does not end in time goes on in the background. You cannot give input to a command.",
  ].join(" "),
  parameters: {
    command: {
      type: "string",
      description: "The command, as for bash or the user's own shell. It may have several lines.",
      aliases: ["cmd", "script"],
    },
    purpose: {
      type: "string",
      description: "What the command is for, in one short sentence in the user's language.",
      aliases: ["explanation", "description", "reason"],
    },
    timeoutSeconds: {
      type: "integer",
      description: `Seconds to wait for the end, ${maxTimeout} at most. Default: the user's setting.`,
      isOptional: true,
      aliases: ["timeout_seconds", "timeout"],
    },
  },
  endsItself: true,
  run: async ({ command, purpose, timeoutSeconds }, run) => {
    requireTrust();
    const fault = findCommandFault(command);
    if (fault !== undefined) throw new ToolError(fault);
    requireFewRunning(run);
    const place = await requirePlace(run);
    const seconds = readTimeout(timeoutSeconds);
    await requireCommandAllowed(command, purpose, place, seconds, run);
    requireTrust();
    const running = await startCommand(command, place, run);
    if (running === undefined) {
      throw new ToolError(
        "The terminal was closed, used, or moved to another folder before the command began. Nothing was run. Call again.",
      );
    }
    const outcome = await waitForEnd(running, seconds, run);
    if (outcome === "ended") return endedResult(running, run);
    return backgroundResult(running, outcome, seconds, run);
  },
});

const readOutputTool = defineTool({
  name: "read_output",
  description:
    "Reads the output of a command of this chat by its id, 40,000 characters at most, and says whether the command still runs.",
  parameters: {
    id: { type: "string", description: "The id of the command.", aliases: ["commandId", "command_id"] },
    search: {
      type: "string",
      description: "Returns only the lines that hold this text, with their numbers.",
      isOptional: true,
      aliases: ["query", "pattern"],
    },
    offset: {
      type: "integer",
      description: "Characters to skip. Default: the end of the output is read.",
      isOptional: true,
    },
  },
  run: async ({ id, search, offset }, run) => {
    requireTrust();
    const command = await requireCommand(id, run);
    // The end is read first: the output is whole then.
    const { end } = command;
    const output = await cleanOutput(command, run);
    const { text, ...facts } =
      search === undefined || search === "" ? pageOfOutput(output, offset) : findInOutput(output, search);
    const state = end === undefined ? ["The command is still running."] : endLines(end);
    return done([...state, ...command.output.notes, text].join("\n"), {
      ...facts,
      ...(end === undefined ? { isInBackground: true } : {}),
      ...exitFacts(end),
    });
  },
});

/** The tools that need a shell. */
export const commandTools: readonly AgentTool[] = [runCommandTool, readOutputTool];

function requireTrust(): void {
  if (!vscode.workspace.isTrusted)
    throw new ToolError("The workspace is in Restricted Mode, so no command can run. Nothing was run.");
}

async function requirePlace({ services, chatId, signal }: AgentRun): Promise<CommandPlace> {
  const place = await withinTime((finding) => services.commands.findPlace(chatId, finding), {
    signal,
    milliseconds: startTimeout,
    onTimeout: () => new ToolError("VS Code opened no terminal within 60 seconds. Nothing was run."),
  });
  if (place !== undefined) return place;
  throw new ToolError(
    "The user's shell reports no commands, and there is no /bin/bash to run them. Nothing was run. Tell the user which command to run.",
  );
}

/** @throws ToolError */
function requireFewRunning({ services }: AgentRun): void {
  if (services.commands.runningCount < maxRunning) return;
  throw new ToolError(
    `${maxRunning} commands are running, and no more can run at once. Nothing was run. Wait until one has ended, or ask the user to close its terminal.`,
  );
}

function startCommand(
  command: string,
  place: CommandPlace,
  { signal }: AgentRun,
): Promise<AgentCommand | undefined> {
  return withinTime((starting) => place.start(command, starting), {
    signal,
    milliseconds: startTimeout,
    onTimeout: () =>
      new ToolError(
        "VS Code did not start the command within 60 seconds. It was not run, or is ended as soon as it starts.",
      ),
  });
}

function readTimeout(given: number | undefined): number {
  const usual = readCommandTimeoutSetting();
  return given === undefined ? usual : Math.min(Math.max(given, 1), Math.max(maxTimeout, usual));
}

/** Asks the user, unless exactly this command is always allowed in this folder. Content from outside makes it ask. */
async function requireCommandAllowed(
  command: string,
  purpose: string,
  { folder, isFirstFolder, isTask }: CommandPlace,
  timeoutSeconds: number,
  { ask, allowed, signal, services: { approvals } }: AgentRun,
): Promise<void> {
  const isAllowedHere = isFirstFolder && approvals.allows(command);
  if (isAllowedHere && !allowed.hasOutsideContent) return;
  const asked = ask({
    type: "command",
    command,
    purpose,
    folder: placeName(folder),
    timeoutSeconds,
    isAllowedBefore: isAllowedHere,
    ...(isFirstFolder ? {} : { isElsewhere: true }),
    isTask,
  });
  if ((await requireAllowed(asked)) === "workspace" && isFirstFolder)
    await isOverWithin(approvals.allow(command), storeTimeout, signal);
}

type WaitOutcome = "ended" | "timeout" | "background";

/** Rejects if the answer is stopped. Stops the command too, unless the window closes. */
async function waitForEnd(running: AgentCommand, seconds: number, run: AgentRun): Promise<WaitOutcome> {
  const { signal, background } = run;
  const tail = new LiveTail(running, run);
  const leaving = new AbortController();
  const on = (aborting: AbortSignal, act: () => void): void => {
    aborting.addEventListener("abort", act, { signal: leaving.signal });
    if (aborting.aborted) act();
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<WaitOutcome>((resolve, reject) => {
      on(signal, () => {
        if (signal.reason !== windowCloses) running.stop();
        reject(
          signal.reason instanceof Error ? signal.reason : new Error("The user has stopped the answer."),
        );
      });
      on(background, () => resolve("background"));
      timer = setTimeout(() => resolve("timeout"), seconds * 1000);
      running.ended.then(() => resolve("ended"), reject);
    });
  } finally {
    clearTimeout(timer);
    leaving.abort();
    tail.dispose();
  }
}

/** Shows the end of the output while a command runs. */
class LiveTail implements vscode.Disposable {
  readonly #command: AgentCommand;
  readonly #run: AgentRun;
  #timer: NodeJS.Timeout | undefined;
  #seen = 0;
  #shown = "";
  #isOver = false;

  constructor(command: AgentCommand, run: AgentRun) {
    this.#command = command;
    this.#run = run;
    this.#wait();
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (!this.#isOver)
      this.#timer = setTimeout(() => void this.#show().finally(() => this.#wait()), tailInterval);
  }

  async #show(): Promise<void> {
    const { output } = this.#command;
    if (output.received === this.#seen) return;
    this.#seen = output.received;
    const recent = output.recent(tailLength + maxKeyLength);
    try {
      const cleaned = await this.#run.cleanArriving(recent);
      const isCut = recent.length >= tailLength + maxKeyLength - 1;
      const tail = tailOf(isCut ? cleaned.slice(maxKeyLength) : cleaned, tailLength);
      if (this.#isOver || tail === this.#shown) return;
      this.#shown = tail;
      this.#run.showOutput(tail);
    } catch {
      // Without the keys the output cannot be cleaned, so it is not shown.
    }
  }
}

/** The output so far, without keys. */
function cleanOutput({ end, output }: AgentCommand, run: AgentRun): Promise<string> {
  return end === undefined ? run.cleanArriving(output.text()) : run.clean(output.text());
}

async function endedResult(command: AgentCommand, run: AgentRun): Promise<CallResult> {
  const { text, isCut } = cutOutput(await cleanOutput(command, run), command.id);
  const { end, output } = command;
  return done([...(end === undefined ? [] : endLines(end)), ...output.notes, text].join("\n"), {
    ...exitFacts(end),
    ...(isCut ? { isCut } : {}),
  });
}

async function backgroundResult(
  command: AgentCommand,
  outcome: Exclude<WaitOutcome, "ended">,
  seconds: number,
  run: AgentRun,
): Promise<CallResult> {
  const { text, isCut } = cutOutput(await cleanOutput(command, run), command.id);
  const reason =
    outcome === "timeout"
      ? `The command did not end within ${seconds} seconds. It goes on in the background, and may be waiting for input, which you cannot give.`
      : "The user lets the command go on in the background. It has not ended.";
  return done(
    [
      reason,
      `Its id is ${command.id}. Use read_output to see whether it has ended.`,
      ...command.output.notes,
      "Output so far:",
      text,
    ].join("\n"),
    { isInBackground: true, ...(isCut ? { isCut } : {}) },
  );
}

function endLines({ by, exitCode }: CommandEnd): readonly string[] {
  const code = `Exit code: ${exitCode ?? "unknown"}`;
  switch (by) {
    case "itself":
      return [code];
    case "shell-exit":
      return [code, "The shell has exited. The next command gets a new one."];
    case "close":
      return [code, "The terminal was closed, which ended the command."];
    case "unknown":
      return [code, "The end of the command was not reported. It may still be running in its terminal."];
    case "flood":
      return [code, "The command wrote more than 50 MB, so it was stopped."];
  }
}

function exitFacts(end: CommandEnd | undefined): { readonly exitCode?: number } {
  return end?.exitCode === undefined ? {} : { exitCode: end.exitCode };
}

/** @throws ToolError */
async function requireCommand(id: string, { services, chatId }: AgentRun): Promise<AgentCommand> {
  const command = services.commands.find(chatId, id);
  if (command !== undefined) return command;
  const isOpen = await services.commands.isOpenAfterReload(chatId, id);
  if (isOpen === undefined) {
    throw new ToolError(
      `There is no command with the id ${id} in this chat, or its output is not kept any more. Nothing was read.`,
    );
  }
  const state = isOpen
    ? "Its terminal is still open, so the command may still be running."
    : "Its terminal is not open any more.";
  throw new ToolError(
    `The window was reloaded since the command began, so its output from before is not available. ${state}`,
  );
}
