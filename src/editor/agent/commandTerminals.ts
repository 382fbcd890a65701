import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import { type KnownShell, readShell, toCommandLine } from "../../chat/agent/commandLine.ts";
import { realPlaceOf } from "../files/realPlaces.ts";
import { isOverWithin } from "../shared/abort.ts";

/** How a command ended. */
export interface CommandEnd {
  /** `shell-exit`: its shell has exited too. `close`: its terminal was closed. `unknown`: nothing reported its end. */
  readonly by: "itself" | "shell-exit" | "close" | "unknown" | "flood";
  /** Absent if it is unknown. */
  readonly exitCode?: number;
}

/** A command that has begun. */
export interface StartedCommand {
  /** Raw output of the command. Completes after the end of the command. */
  readonly chunks: AsyncIterable<string>;
  readonly ended: Promise<CommandEnd>;
  /** Process of its shell. Undefined if it is not known. */
  readonly processId: Thenable<number | undefined>;
  /** Ends the command like Ctrl+C does, and its shell if that does not help. */
  readonly stop: () => void;
}

/** The terminals of code blocks have the same name. */
export const commandTerminalName = "Inference Chat";
/** Milliseconds in which a shell with integration reports itself. */
const integrationTimeout = 10_000;
/** Milliseconds after its launch in which VS Code silently starts a shell again that exits. Measured as 500. */
const launchTime = 1000;
/** Milliseconds after a command's end in which the shell reports its folder, even on a busy machine. */
const folderTime = 300;
/** Milliseconds after which a command that ignores Ctrl+C is ended with its shell. */
const stopTimeout = 700;

/** A command that was typed into a terminal. */
class TypedCommand {
  readonly ended: Promise<CommandEnd>;
  readonly #line: string;
  readonly #output: AsyncIterable<string>;
  readonly #begun: Promise<AsyncIterable<string>>;
  #execution: vscode.TerminalShellExecution;
  #hasBegun = false;
  #isOver = false;
  #begin: (output: AsyncIterable<string>) => void = () => undefined;
  #end: (end: CommandEnd) => void = () => undefined;

  constructor(integration: vscode.TerminalShellIntegration, line: string) {
    this.#line = line;
    this.#execution = integration.executeCommand(line);
    // A later reader would miss the output of a fast command.
    this.#output = this.#execution.read();
    this.#begun = new Promise((resolve) => (this.#begin = resolve));
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Completes after the command's end. */
  async *chunks(): AsyncIterable<string> {
    const output = await Promise.race([this.#begun, this.ended.then(() => undefined)]);
    if (output !== undefined) yield* output;
  }

  /** Whether this is the start of the command. VS Code may report it as an execution of its own. */
  takeStart(execution: vscode.TerminalShellExecution): boolean {
    const isOwn = execution === this.#execution;
    if (this.#hasBegun || !(isOwn || this.#isReport(execution.commandLine.value))) return isOwn;
    this.#hasBegun = true;
    this.#execution = execution;
    this.#begin(isOwn ? this.#output : execution.read());
    return true;
  }

  takeEnd(execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    if (execution === this.#execution)
      this.finish(exitCode === undefined ? { by: "unknown" } : { by: "itself", exitCode });
  }

  finish(end: CommandEnd): void {
    this.#isOver = true;
    this.#end(end);
  }

  /** VS Code may have read a part of the line only. */
  #isReport(line: string): boolean {
    return this.#line.includes(line.trim());
  }
}

/** A terminal of the extension. It is in VS Code's list of terminals, and is never shown or focused here. */
export class CommandTerminal {
  readonly chatId: string;
  readonly terminal: vscode.Terminal;
  /** Names of the environment variables that it does not have. */
  readonly #leftOut: readonly string[];
  #command: TypedCommand | undefined;
  #shell: KnownShell | undefined;
  /** A command of the user in this terminal. */
  #other: vscode.TerminalShellExecution | undefined;
  #isLost = false;
  readonly #launched = wait(launchTime);
  /** Resolves when the folder is that after the last command. */
  #folderKnown: Promise<unknown> = Promise.resolve();

  constructor(chatId: string, terminal: vscode.Terminal, leftOut: readonly string[]) {
    this.chatId = chatId;
    this.terminal = terminal;
    this.#leftOut = leftOut;
  }

  /** Undefined if the shell reports nothing, or its quoting is not known. */
  get shell(): KnownShell | undefined {
    const { state, shellIntegration } = this.terminal;
    // VS Code names other programs while they run.
    if (shellIntegration !== undefined) this.#shell ??= readShell(state.shell ?? vscode.env.shell);
    return this.#shell;
  }

  /** The folder that the shell is in. */
  get folder(): vscode.Uri | undefined {
    return this.terminal.shellIntegration?.cwd;
  }

  get isFree(): boolean {
    return (
      !this.#isLost &&
      this.#command === undefined &&
      this.#other === undefined &&
      this.terminal.exitStatus === undefined &&
      this.shell !== undefined
    );
  }

  /** Whether it can run another command. A shell that does not tell its folder could be in any. */
  canRunNext(keyVariables: readonly string[]): boolean {
    const isClean = keyVariables.every((name) => this.#leftOut.includes(name));
    return this.isFree && this.folder !== undefined && isClean;
  }

  /** Resolves once the folder is known, soon after a command. */
  async untilFolderKnown(): Promise<void> {
    await this.#folderKnown;
  }

  /**
   * Undefined if the terminal is not free any more, or in another folder. Nothing was run then.
   * @throws the reason of the signal. Nothing was run then, either.
   */
  async start(text: string, expected: vscode.Uri, signal: AbortSignal): Promise<StartedCommand | undefined> {
    await isOverWithin(this.#launched, launchTime, signal);
    await this.#folderKnown;
    const { terminal, shell, folder } = this;
    if (folder !== undefined && !(await isSameFolder(folder, expected))) return undefined;
    signal.throwIfAborted();
    if (this.folder?.toString() !== folder?.toString()) return undefined;
    if (!this.isFree || shell === undefined || terminal.shellIntegration === undefined) return undefined;
    const command = new TypedCommand(terminal.shellIntegration, toCommandLine(text, shell));
    this.#command = command;
    const { ended } = command;
    const stop = (): void => {
      if (this.#command !== command) return;
      terminal.sendText("\x03", false);
      void this.#endUnlessOver(ended);
    };
    return { chunks: command.chunks(), ended, processId: terminal.processId, stop };
  }

  async #endUnlessOver(ended: Promise<CommandEnd>): Promise<void> {
    if (!(await isOverWithin(ended, stopTimeout))) this.terminal.dispose();
  }

  noteStart(execution: vscode.TerminalShellExecution): void {
    if (this.#command?.takeStart(execution) === true) return;
    this.#other = execution;
    // Another command begins only once the one before is over. Nobody knows how it ended.
    if (this.#command !== undefined) this.#isLost = true;
    this.#finish({ by: "unknown" });
  }

  noteEnd(execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    this.#folderKnown = wait(folderTime);
    if (this.#other === execution) this.#other = undefined;
    this.#command?.takeEnd(execution, exitCode);
    if (this.#command?.isOver === true) this.#command = undefined;
  }

  noteClose(): void {
    const { exitStatus } = this.terminal;
    const exitCode = exitStatus?.code;
    if (exitStatus?.reason !== vscode.TerminalExitReason.Process || exitCode === undefined)
      this.#finish({ by: "close" });
    else this.#finish({ by: "shell-exit", exitCode });
  }

  #finish(end: CommandEnd): void {
    this.#command?.finish(end);
    this.#command = undefined;
  }
}

/** The terminals that the chats of this window run commands in. One free terminal of a chat is used again. */
export class CommandTerminals implements vscode.Disposable {
  readonly #findKeyVariables: () => Promise<readonly string[]>;
  readonly #own = new Map<vscode.Terminal, CommandTerminal>();
  #hasIntegration = true;
  readonly #subscription: vscode.Disposable;

  /** @param findKeyVariables names of the environment variables that no shell here gets */
  constructor(findKeyVariables: () => Promise<readonly string[]>) {
    this.#findKeyVariables = findKeyVariables;
    this.#subscription = vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) =>
        this.#own.get(terminal)?.noteStart(execution),
      ),
      vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) =>
        this.#own.get(terminal)?.noteEnd(execution, exitCode),
      ),
      vscode.window.onDidCloseTerminal((terminal) => {
        this.#own.get(terminal)?.noteClose();
        this.#own.delete(terminal);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("terminal.integrated")) this.#hasIntegration = true;
      }),
    );
  }

  /** Returns a free terminal. Undefined if the shell reports no commands. */
  async provide(
    chatId: string,
    folder: vscode.Uri,
    signal: AbortSignal,
  ): Promise<CommandTerminal | undefined> {
    const settings = vscode.workspace.getConfiguration("terminal.integrated");
    if (!settings.get("shellIntegration.enabled", true) || !this.#hasIntegration) return undefined;
    const names = await this.#findKeyVariables();
    signal.throwIfAborted();
    const own = [...this.#own.values()].filter((each) => each.chatId === chatId);
    const next = own.find((each) => each.canRunNext(names));
    if (next === undefined) return this.#create(chatId, folder, names, signal);
    await next.untilFolderKnown();
    return next;
  }

  async #create(
    chatId: string,
    folder: vscode.Uri,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<CommandTerminal | undefined> {
    const terminal = vscode.window.createTerminal({
      name: commandTerminalName,
      cwd: folder,
      env: {
        ...Object.fromEntries(names.map((name) => [name, null])),
        // Keep the commands out of the history: the first for zsh and fish, the second for bash.
        VSCODE_PREVENT_SHELL_HISTORY: "1",
        HISTFILE: "",
      },
    });
    const own = new CommandTerminal(chatId, terminal, names);
    this.#own.set(terminal, own);
    await isOverWithin(untilKnown(own), integrationTimeout, signal);
    if (own.isFree) return own;
    const isClosed = terminal.exitStatus !== undefined;
    terminal.dispose();
    signal.throwIfAborted();
    if (!isClosed) this.#hasIntegration = false;
    return undefined;
  }

  /** Terminals in which a command runs stay open. */
  dispose(): void {
    this.#subscription.dispose();
    for (const { terminal, isFree } of this.#own.values()) if (isFree) terminal.dispose();
  }
}

/** Whether both are the same folder, perhaps behind a link. */
export async function isSameFolder(one: vscode.Uri, other: vscode.Uri): Promise<boolean> {
  if (one.toString() === other.toString()) return true;
  const [first, second] = await Promise.all([realPlaceOf(one), realPlaceOf(other)]);
  return first.toString() === second.toString();
}

/** Resolves once the shell is known and reports itself, or the terminal is closed. VS Code names another program first. */
async function untilKnown(own: CommandTerminal): Promise<void> {
  const isKnown = (): boolean => own.shell !== undefined || own.terminal.exitStatus !== undefined;
  if (isKnown()) return;
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (!isKnown()) return;
      subscription.dispose();
      resolve();
    };
    const subscription = vscode.Disposable.from(
      vscode.window.onDidChangeTerminalShellIntegration(look),
      vscode.window.onDidChangeTerminalState(look),
      vscode.window.onDidCloseTerminal(look),
    );
  });
}
