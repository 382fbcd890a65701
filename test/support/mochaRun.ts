import { writeFile } from "node:fs/promises";
import { format } from "node:util";
import type MochaClass from "mocha";
import type { StageResult } from "./stageResult.ts";

export interface MochaRunOptions {
  /** Absolute paths, of which each group is run by itself. */
  readonly batches: AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
  /** Gets the result as JSON once every test has run; no such file means that the run did not end. */
  readonly resultFile: string;
  readonly timeout: number;
  /** Runs only the tests whose full title matches. */
  readonly grep?: string | undefined;
  /** Where the lines of the report go; the console by default. */
  readonly report?: (line: string) => void;
  /** Is called behind the last test of each group; what it throws fails the run. */
  readonly afterAll?: () => void;
}

/** Runs the tests of some files with Mocha, writes how many passed and which failed, and gives it. */
export async function runMocha(options: MochaRunOptions): Promise<StageResult> {
  // By an `import` that is left as it is: what `require` makes of a module differs between the editors' Nodes.
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
      // Not before the end: hooks that run behind a test add to its error.
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

/** The reporters of Mocha write through this one function. */
function redirectReport(Mocha: typeof MochaClass, report: (line: string) => void): void {
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => report(format(...values));
}
