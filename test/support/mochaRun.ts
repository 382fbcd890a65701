import { writeFile } from "node:fs/promises";
import { format } from "node:util";
import Mocha from "mocha";

export interface MochaRunOptions {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Gets the counts as JSON once every test has run; no such file means that the run did not end. */
  readonly resultFile: string;
  readonly timeout: number;
  /** Runs only the tests whose full title matches. */
  readonly grep?: string | undefined;
  /** Where the lines of the report go; the console by default. */
  readonly report?: (line: string) => void;
}

/** Runs the tests of some files with Mocha and writes how many passed and failed. */
export async function runMocha(options: MochaRunOptions): Promise<void> {
  const mocha = new Mocha({
    ui: "bdd",
    timeout: options.timeout,
    forbidOnly: true,
    forbidPending: true,
    color: false,
    ...(options.grep === undefined ? {} : { grep: options.grep }),
  });
  for (const file of options.files) mocha.addFile(file);
  if (options.report !== undefined) redirectReport(options.report);
  await mocha.loadFilesAsync();
  const { passed, failed } = await new Promise<{ passed: number; failed: number }>((resolve) => {
    const runner = mocha.run((failures) => resolve({ passed: runner.stats?.passes ?? 0, failed: failures }));
  });
  await writeFile(options.resultFile, JSON.stringify({ passed, failed }));
}

/** The reporters of Mocha write through this one function. */
function redirectReport(report: (line: string) => void): void {
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => report(format(...values));
}
