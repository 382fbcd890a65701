import { writeFile } from "node:fs/promises";
import { format } from "node:util";
import type MochaClass from "mocha";
import type { StageResult } from "./stageResult.ts";

export interface MochaRunOptions {
  /** Groups of absolute paths; each group runs by itself. */
  readonly batches: AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
  /** Receives the result as JSON after the last test. Without this file, the run did not finish. */
  readonly resultFile: string;
  readonly timeout: number;
  /** Runs only the tests whose full title matches. */
  readonly grep?: string | undefined;
  /** Receives the lines of the report; they go to the console by default. */
  readonly report?: (line: string) => void;
  /** Called after the last test of each group; a thrown error fails the run. */
  readonly afterAll?: () => void;
}

/** Runs the test files with Mocha. Writes and returns the number of passed tests and the failures. */
export async function runMocha(options: MochaRunOptions): Promise<StageResult> {
  // The bundler must not change this `import`: the result of `require` for a module differs between the editors'
  // Nodes.
  const { default: Mocha } = await import("mocha");
  if (options.report !== undefined) redirectReport(Mocha, options.report);
  let result: StageResult = { passed: 0, failures: [] };
  for await (const files of options.batches) {
    const batch = await runBatch(Mocha, files, options);
    result = { passed: result.passed + batch.passed, failures: [...result.failures, ...batch.failures] };
  }
  await writeFile(options.resultFile, JSON.stringify(result));
  return result;
}

async function runBatch(
  Mocha: typeof MochaClass,
  files: readonly string[],
  { timeout, grep, afterAll }: MochaRunOptions,
): Promise<StageResult> {
  const mocha = new Mocha({
    ui: "bdd",
    timeout,
    forbidOnly: true,
    forbidPending: true,
    color: false,
    ...(grep === undefined ? {} : { grep }),
    ...(afterAll === undefined ? {} : { rootHooks: { afterAll } }),
  });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const failed: { readonly title: string; readonly error: unknown }[] = [];
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      mocha.dispose();
      // Formats failures at the end: hooks that run after a test add to its error.
      const failures = failed.map(({ title, error }) => `${title}\n${describeFailure(error)}`);
      resolve({ passed: runner.stats?.passes ?? 0, failures });
    });
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error: unknown) =>
      failed.push({ title: test.fullTitle(), error }),
    );
  });
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Redirects the lines of all reporters: they all write with `Base.consoleLog`. */
function redirectReport(Mocha: typeof MochaClass, report: (line: string) => void): void {
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => report(format(...values));
}
