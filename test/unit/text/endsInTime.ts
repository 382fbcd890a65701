import { spawnSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../../support/paths.ts";

/** Milliseconds: far more than what takes a few takes on a machine that is busy, far less than what has no end. */
const limit = 30_000;

/**
 * Whether statements come to their end in a process of their own, which cannot keep the tests from theirs.
 * @param file of the project, whose exports they find in `its`
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
