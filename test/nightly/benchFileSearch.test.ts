import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { projectRoot } from "../support/paths.ts";

const run = promisify(execFile);
/** Milliseconds for the whole run; each wait in it is shorter. */
const limit = 900_000;

describe("the bench of the file search", () => {
  it("runs at its smallest size and prints its results", async function () {
    this.timeout(limit + 60_000);
    const bench = ["test/bench/main.ts", "--smallest", "--rows", "10"];
    const { stdout } = await run(process.execPath, bench, { cwd: projectRoot, timeout: limit });
    for (const which of ["first time", "again"]) {
      const line = `^10\\. 2,000 files, ${which} +\\d\\S* ms +Quick Open \\d\\S* +\\d\\S* +<= 1 +(holds|short)$`;
      assert.match(stdout, new RegExp(line, "m"));
    }
    assert.doesNotMatch(stdout, /not measured/);
  });
});
