import * as vscode from "vscode";
import { tmpdir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { isOverWithin } from "../shared/abort.ts";
import { type CommandEnd, commandTerminalName, type StartedCommand } from "./commandTerminals.ts";

const shellPath = "/bin/bash";
/** Milliseconds between two looks at the output. */
const pollInterval = 250;
/** Bytes. A larger output is read when it has doubled, since files are read as a whole. */
const maxLiveSize = 1024 * 1024;
/** Bytes. A command that writes more is stopped. */
export const maxOutputSize = 50 * 1024 * 1024;
/** Milliseconds after which files of a window that is gone are deleted. */
const maxFileAge = 24 * 60 * 60 * 1000;

/** Keeps the output and the exit code in files, which only the user may read. VS Code tells neither of a signal. */
const script = [
  'old=$(umask); umask 077; : >"$2" || exit 126; umask "$old"; unset old',
  'for name in "${@:4}"; do unset -v "$name"; done',
  `${shellPath} -c "$1" >>"$2" 2>&1 </dev/null`,
  'printf %s "$?" >"$3"',
].join("\n");

interface TaskOptions {
  readonly command: string;
  /** The folder in which the command runs. */
  readonly folder: vscode.Uri;
  /** Names of the environment variables that the command does not get. */
  readonly keyVariables: readonly string[];
  /** A command that begins after its abort is ended at once. */
  readonly signal: AbortSignal;
}

/** Runs commands as tasks of VS Code, if no shell reports the end of a command. */
export class CommandTasks {
  readonly #storage: vscode.Uri;

  /** @param storage the folder for the output of running commands */
  constructor(storage: vscode.Uri = vscode.Uri.file(tmpdir())) {
    this.#storage = storage;
  }

  /** Whether there is a shell for tasks on the machine of this folder. */
  async isPossible(folder: vscode.Uri): Promise<boolean> {
    try {
      await vscode.workspace.fs.stat(folder.with({ path: shellPath }));
      return true;
    } catch {
      return false;
    }
  }

  async start({ command, folder, keyVariables, signal }: TaskOptions): Promise<StartedCommand> {
    const id = crypto.randomUUID();
    const place = await this.#place(folder);
    const output = vscode.Uri.joinPath(place, `${id}.txt`);
    const status = vscode.Uri.joinPath(place, `${id}.exit`);
    const task = new vscode.Task(
      { type: "inference-command", id },
      vscode.TaskScope.Workspace,
      commandTerminalName,
      commandTerminalName,
      new vscode.ProcessExecution(
        shellPath,
        ["-c", script, shellPath, command, output.path, status.path, ...keyVariables],
        { cwd: folder.path },
      ),
    );
    task.presentationOptions = {
      reveal: vscode.TaskRevealKind.Never,
      panel: vscode.TaskPanelKind.Dedicated,
      focus: false,
      echo: false,
      showReuseMessage: false,
      close: true,
    };
    signal.throwIfAborted();
    const watch = new TaskWatch(id);
    const execution = await watch.begin(() => vscode.tasks.executeTask(task));
    if (signal.aborted) execution.terminate();
    signal.throwIfAborted();
    const { over } = watch;
    let isFlood = false;
    const stop = (): void => execution.terminate();
    const chunks = readGrowing(output, over, () => {
      isFlood = true;
      stop();
    });
    const ended = over.then(async (): Promise<CommandEnd> => {
      const code = Number.parseInt(await readText(status), 10);
      if (isFlood) return { by: "flood" };
      return Number.isNaN(code) ? { by: "close" } : { by: "itself", exitCode: code };
    });
    const read = async function* (): AsyncIterable<string> {
      yield* chunks;
      for (const file of [output, status]) await remove(file);
    };
    return { chunks: read(), ended, processId: Promise.resolve(undefined), stop };
  }

  /** On another machine, its folder for temporary files. */
  async #place(folder: vscode.Uri): Promise<vscode.Uri> {
    if (folder.scheme !== this.#storage.scheme) return folder.with({ path: "/tmp" });
    const place = vscode.Uri.joinPath(this.#storage, "command-output");
    await vscode.workspace.fs.createDirectory(place);
    for (const [name] of await vscode.workspace.fs.readDirectory(place)) {
      const file = vscode.Uri.joinPath(place, name);
      const { mtime } = await vscode.workspace.fs.stat(file);
      if (mtime + maxFileAge < Date.now()) await remove(file);
    }
    return place;
  }
}

/** Waits for the end of a task. Made before the task begins, so that it misses no end. */
class TaskWatch {
  readonly over: Promise<void>;
  readonly #id: string;
  readonly #subscription: vscode.Disposable;
  #end: () => void = () => undefined;

  constructor(id: string) {
    this.#id = id;
    this.over = new Promise((resolve) => (this.#end = resolve));
    this.#subscription = vscode.Disposable.from(
      vscode.tasks.onDidEndTaskProcess(({ execution }) => this.#noteEnd(execution)),
      vscode.tasks.onDidEndTask(({ execution }) => this.#noteEnd(execution)),
    );
  }

  /** Waits no longer if the task cannot begin. */
  async begin(execute: () => Thenable<vscode.TaskExecution>): Promise<vscode.TaskExecution> {
    try {
      return await execute();
    } catch (error) {
      this.#subscription.dispose();
      throw error;
    }
  }

  #noteEnd({ task }: vscode.TaskExecution): void {
    if (task.definition["id"] !== this.#id) return;
    this.#subscription.dispose();
    this.#end();
  }
}

/** Reads a file while it grows, until `over` resolves. */
async function* readGrowing(
  file: vscode.Uri,
  over: Promise<void>,
  onFlood: () => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let read = 0;
  for (;;) {
    const isOver = await isOverWithin(over, pollInterval);
    const size = await sizeOf(file);
    if (size > maxOutputSize) {
      onFlood();
      return;
    }
    const isDue = size < maxLiveSize || size >= read * 2 || isOver;
    if (size > read && isDue) {
      const bytes = await readBytes(file);
      yield decoder.decode(bytes.subarray(read), { stream: true });
      read = bytes.length;
    }
    if (isOver) return;
    await wait(0);
  }
}

async function sizeOf(file: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(file)).size;
  } catch {
    return 0;
  }
}

async function readBytes(file: vscode.Uri): Promise<Uint8Array> {
  try {
    return await vscode.workspace.fs.readFile(file);
  } catch {
    return new Uint8Array();
  }
}

async function readText(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await readBytes(file));
}

async function remove(file: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(file);
  } catch {
    // The command may not have written it.
  }
}
