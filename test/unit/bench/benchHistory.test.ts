import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const bench = fileURLToPath(new URL("../../bench/history.ts", import.meta.url));

describe("npm run bench:history", () => {
  it("measures lists, searches and what is appended, of a few conversations", async () => {
    const { stdout } = await run(process.execPath, [bench, "20"]);
    assert.match(stdout, /^20 conversations, /);
    for (const what of ["first list", "search, a word in one", "append 100,000 tokens"]) {
      assert.ok(stdout.includes(`'${what}'`), what);
    }
    assert.ok(!stdout.includes("NaN"));
  }).timeout(120_000);
});
