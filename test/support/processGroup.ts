import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** A program and everything that it starts; they end together. */
export interface ProcessGroup extends AsyncDisposable {
  readonly pid: number;
  /**
   * Resolves with the exit code (null after a signal) when the program ends. Rejects if the program can't start.
   */
  readonly exited: Promise<number | null>;
  /**
   * Resolves with the first match of the pattern in a line of output. Rejects when the program ends, or after the
   * time limit.
   */
  waitForOutput(pattern: RegExp, limit: { milliseconds: number }): Promise<RegExpExecArray>;
}

export interface ProcessGroupOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly folder?: string;
  /**
   * Signal for the group if this process exits first; SIGKILL by default. Use SIGTERM for a program that must end
   * its own groups.
   */
  readonly exitSignal?: NodeJS.Signals;
  /** Called with each line of standard output and standard error. */
  readonly onLine?: (line: string) => void;
}

const gracePeriod = 5_000;

/**
 * Starts a program in its own process group. The whole group ends on `dispose`, and when this process exits first.
 */
export function startProcessGroup(
  command: string,
  commandArguments: readonly string[],
  options: ProcessGroupOptions = {},
): ProcessGroup {
  const child = spawn(command, commandArguments, {
    cwd: options.folder,
    env: options.environment ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
  });
  const output = new OutputLines(child, options.onLine);
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
  const endWithThisProcess = () => signalGroup(child.pid, options.exitSignal ?? "SIGKILL");
  // Runs before the listeners that remove the files of the program.
  process.prependOnceListener("exit", endWithThisProcess);
  const forget = () => process.off("exit", endWithThisProcess);
  exited.then(forget, forget);

  return {
    pid: child.pid ?? 0,
    exited,
    waitForOutput: (pattern, limit) => output.find(pattern, limit.milliseconds, exited),
    async [Symbol.asyncDispose]() {
      if (child.pid === undefined) return;
      signalGroup(child.pid, "SIGTERM");
      const insist = setTimeout(() => signalGroup(child.pid, "SIGKILL"), gracePeriod);
      await exited;
      clearTimeout(insist);
      // Ends processes that the program left behind in its group.
      signalGroup(child.pid, "SIGKILL");
    },
  };
}

class OutputLines {
  private readonly recent: string[] = [];
  private readonly listeners = new Set<(line: string) => void>();

  constructor(child: ChildProcessByStdio<null, Readable, Readable>, onLine?: (line: string) => void) {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        this.recent.push(line);
        if (this.recent.length > 200) this.recent.shift();
        onLine?.(line);
        for (const listener of this.listeners) listener(line);
      });
    }
  }

  find(pattern: RegExp, milliseconds: number, exited: Promise<number | null>): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        this.listeners.delete(listener);
        finish();
      };
      const listener = (line: string) => {
        const match = pattern.exec(line);
        if (match !== null) settle(() => resolve(match));
      };
      const fail = (why: string) =>
        settle(() => reject(new Error(`${why} before ${String(pattern)}:\n${this.recent.join("\n")}`)));
      const timer = setTimeout(() => fail(`${milliseconds} ms passed`), milliseconds);
      this.listeners.add(listener);
      for (const line of this.recent) listener(line);
      exited.then(
        (code) => fail(`ended with ${String(code)}`),
        (error: unknown) => fail(String(error)),
      );
    });
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // The process has already ended.
  }
}
