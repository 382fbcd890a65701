import * as vscode from "vscode";
import * as v from "valibot";
import { readShell } from "../../chat/agent/commandLine.ts";
import { CommandOutput, countForgotten } from "../../chat/agent/commandOutput.ts";
import { isOverWithin } from "../shared/abort.ts";
import type { State } from "../workspace/state.ts";
import { CommandTasks, maxOutputSize } from "./commandTasks.ts";
import { type CommandEnd, CommandTerminals, isSameFolder, type StartedCommand } from "./commandTerminals.ts";

/** Milliseconds after a command's end in which the rest of its output arrives. */
const outputTimeout = 2000;

/** A command of a chat, from its start on. */
export class AgentCommand {
  readonly id = `c${crypto.randomUUID().slice(0, 8)}`;
  readonly chatId: string;
  readonly output = new CommandOutput();
  /** Resolves once it has ended and its output is read. */
  readonly ended: Promise<CommandEnd>;
  readonly processId: Thenable<number | undefined>;
  readonly #started: StartedCommand;
  #end: CommandEnd | undefined;
  #isFlood = false;

  constructor(chatId: string, started: StartedCommand) {
    this.chatId = chatId;
    this.#started = started;
    this.processId = started.processId;
    this.ended = this.#follow();
  }

  /** Undefined while it runs. */
  get end(): CommandEnd | undefined {
    return this.#end;
  }

  stop(): void {
    this.#started.stop();
  }

  async #follow(): Promise<CommandEnd> {
    const reading = this.#read().catch(() => this.output.noteUnread());
    const end = await this.#started.ended;
    await isOverWithin(reading, outputTimeout);
    this.#end = this.#isFlood ? { ...end, by: "flood" } : end;
    return this.#end;
  }

  async #read(): Promise<void> {
    for await (const chunk of this.#started.chunks) {
      await this.output.add(chunk);
      if (this.#isFlood || this.output.received <= maxOutputSize) continue;
      this.#isFlood = true;
      this.stop();
    }
  }
}

/** A place in which a command can run. */
export interface CommandPlace {
  /** The command runs as a task, since no shell reports when a command ends. */
  readonly isTask: boolean;
  readonly folder: vscode.Uri;
  /** The folder is the first of the workspace. Only there a command can be always allowed. */
  readonly isFirstFolder: boolean;
  /** Undefined if the place is taken, or has become another folder. Nothing was run then. */
  readonly start: (command: string, signal: AbortSignal) => Promise<AgentCommand | undefined>;
}

interface CommandsOptions {
  /** The state of the workspace. */
  readonly state: State;
  readonly storageUri: vscode.Uri | undefined;
  /** Names of the environment variables that hold keys. */
  readonly findKeyVariables: () => Promise<readonly string[]>;
}

/** The commands that the chats of this window run. */
export class AgentCommands implements vscode.Disposable {
  readonly #options: CommandsOptions;
  readonly #terminals: CommandTerminals;
  readonly #tasks: CommandTasks;
  readonly #background: BackgroundCommands;
  readonly #commands = new Map<string, AgentCommand>();
  #canRunTasks = false;

  constructor(options: CommandsOptions) {
    this.#options = options;
    this.#terminals = new CommandTerminals(options.findKeyVariables);
    this.#tasks = new CommandTasks(options.storageUri);
    this.#background = new BackgroundCommands(options.state);
    void this.#lookForTasks();
  }

  /** Whether commands can run in this window. */
  get areOffered(): boolean {
    return commandFolder() !== undefined && (readShell(vscode.env.shell) !== undefined || this.#canRunTasks);
  }

  /** Finds a place for the next command of a chat. Undefined if there is none. */
  async findPlace(chatId: string, signal: AbortSignal): Promise<CommandPlace | undefined> {
    const folder = commandFolder();
    if (folder === undefined) return undefined;
    const terminal = await this.#terminals.provide(chatId, folder, signal);
    if (terminal !== undefined) {
      const current = terminal.folder ?? folder;
      return {
        isTask: false,
        folder: current,
        isFirstFolder: await isSameFolder(current, folder),
        start: async (command, starting) => {
          const started = await terminal.start(command, current, starting);
          return started === undefined ? undefined : this.#add(new AgentCommand(chatId, started));
        },
      };
    }
    if (!(await this.#lookForTasks())) return undefined;
    return {
      isTask: true,
      folder,
      isFirstFolder: true,
      start: async (command, starting) => {
        const keyVariables = await this.#options.findKeyVariables();
        const started = await this.#tasks.start({ command, folder, keyVariables, signal: starting });
        return this.#add(new AgentCommand(chatId, started));
      },
    };
  }

  find(chatId: string, id: string): AgentCommand | undefined {
    const command = this.#commands.get(id);
    return command?.chatId === chatId ? command : undefined;
  }

  /** Commands that run now. */
  get runningCount(): number {
    return [...this.#commands.values()].filter(({ end }) => end === undefined).length;
  }

  /** Whether the terminal of a command from before the reload is still open. Undefined if there was no such command. */
  async isOpenAfterReload(chatId: string, id: string): Promise<boolean | undefined> {
    return this.#background.isOpen(chatId, id);
  }

  dispose(): void {
    this.#terminals.dispose();
  }

  async #lookForTasks(): Promise<boolean> {
    const folder = commandFolder();
    this.#canRunTasks = folder !== undefined && (await this.#tasks.isPossible(folder));
    return this.#canRunTasks;
  }

  #add(command: AgentCommand): AgentCommand {
    this.#commands.set(command.id, command);
    // A command goes on when the window reloads. Nobody can wait for the state then.
    this.#background.add(command).catch(() => undefined);
    command.ended.then(() => this.#noteEnd(command)).catch(() => undefined);
    return command;
  }

  /** Keeps the commands in the order of their ends, and forgets the oldest ones. */
  #noteEnd(command: AgentCommand): void {
    this.#commands.delete(command.id);
    this.#commands.set(command.id, command);
    const ended = [...this.#commands.values()].filter(({ end }) => end !== undefined);
    const forgotten = countForgotten(ended.map(({ output }) => output.size));
    for (const { id } of ended.slice(0, forgotten)) this.#commands.delete(id);
  }
}

/** The folder in which commands begin. Undefined if it is not on the disk of a machine that can run them. */
function commandFolder(): vscode.Uri | undefined {
  const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
  return uri?.scheme === "file" || uri?.scheme === "vscode-remote" ? uri : undefined;
}

const stateKey = "agent.backgroundCommands";
const maxBackground = 50;
const backgroundSchema = v.array(
  v.object({ id: v.string(), chatId: v.string(), processId: v.optional(v.number()) }),
);

/** Commands that have not ended, with the processes of their shells. They go on when the window reloads. */
class BackgroundCommands {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  async add({ id, chatId, processId, ended }: AgentCommand): Promise<void> {
    const shell = await processId;
    const added = { id, chatId, ...(shell === undefined ? {} : { processId: shell }) };
    await this.#state.update(stateKey, [...this.#read(), added].slice(-maxBackground));
    const remove = async (): Promise<void> =>
      this.#state.update(
        stateKey,
        this.#read().filter((each) => each.id !== id),
      );
    ended.then(remove).catch(() => undefined);
  }

  async isOpen(chatId: string, id: string): Promise<boolean | undefined> {
    const found = this.#read().find((each) => each.id === id && each.chatId === chatId);
    if (found === undefined) return undefined;
    const open = await Promise.all(vscode.window.terminals.map(({ processId }) => processId));
    return found.processId !== undefined && open.includes(found.processId);
  }

  #read(): v.InferOutput<typeof backgroundSchema> {
    const parsed = v.safeParse(backgroundSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }
}
