import { mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { outputFolder, projectRoot } from "./paths.ts";
import { startProcessGroup } from "./processGroup.ts";
import { collectResult, type StageResult } from "./stageResult.ts";

export interface PlainRunOptions {
  /** Glob of the test files, from the project's root. */
  readonly pattern: string;
  /** Milliseconds for each test. */
  readonly timeout: number;
  /** Milliseconds for all tests together. */
  readonly limit: number;
  readonly grep?: string | undefined;
  /** Prefix of each line of the report. */
  readonly mark?: string;
  /** Folder through which several processes share the files; by default, one process runs all files. */
  readonly claims?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs tests with Mocha in a separate Node process, and prints the report as it arrives. */
export async function runPlain(name: string, options: PlainRunOptions): Promise<StageResult> {
  await mkdir(outputFolder, { recursive: true });
  const resultFile = path.join(outputFolder, `${name}-result.json`);
  return collectResult(resultFile, async () => {
    const { pattern, timeout, grep, mark = "", claims = "" } = options;
    await using run = startProcessGroup(
      process.execPath,
      [
        [fileURLToPath(new URL("./mochaStage.ts", import.meta.url)), pattern, resultFile],
        [String(timeout), claims],
        grep === undefined ? [] : [grep],
      ].flat(),
      {
        folder: projectRoot,
        environment: { ...process.env, ...options.environment },
        exitSignal: "SIGTERM",
        onLine: (line) => console.log(mark + line),
      },
    );
    const abort = new AbortController();
    await Promise.race([run.exited, timeLimit(options.limit, abort.signal)]);
    abort.abort();
  });
}

/** Rejects after this time, unless the signal aborts first. */
export function timeLimit(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The tests did not end within ${milliseconds / 60_000} minutes.`)),
      milliseconds,
    );
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
