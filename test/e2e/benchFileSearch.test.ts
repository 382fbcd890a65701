import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { linesNotMeasured } from "../bench/benchTable.ts";
import { projectRoot } from "../support/paths.ts";

const run = promisify(execFile);
/** Milliseconds for all of it; each wait in it ends before. */
const limit = 900_000;

describe("the bench of the file search", () => {
  it("runs at its smallest size and says what it measured", async function () {
    this.timeout(limit + 60_000);
    const bench = ["test/bench/main.ts", "--smallest", "--rows", "10"];
    const { stdout } = await run(process.execPath, bench, { cwd: projectRoot, timeout: limit });
    for (const count of [20, 200, 2000])
      assert.ok(stdout.includes(`# file search in ${count} files`), stdout);
    assert.match(stdout, /Quick Open, first time \d/);
    assert.match(stdout, /last key, the first time at most 1/);
    assert.deepEqual(linesNotMeasured(stdout), []);
  });
});
