import { spawnSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../../support/paths.ts";

/** Milliseconds. Bounded work ends far sooner, even on a busy machine. */
const limit = 30_000;

/**
 * Runs statements in their own process, so they can't block the tests.
 * @param file path in the repository; the statements use its exports as `its`
 * @returns false if the statements exceed the time limit
 * @throws Error with the process's stderr if the statements fail
 */
export function endsInTime(file: string, statements: string): boolean {
  const source = `const its = await import(${JSON.stringify(pathToFileURL(path.join(projectRoot, file)).href)});\n${statements}`;
  const { error, status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], {
    timeout: limit,
    encoding: "utf8",
  });
  if (status !== 0 && error === undefined) throw new Error(stderr);
  return status === 0;
}
