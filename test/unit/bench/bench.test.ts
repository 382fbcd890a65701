import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { linesNotMeasured } from "../../bench/benchTable.ts";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../../bench/main.ts", import.meta.url));

describe("npm run bench", () => {
  it("runs the rows that need no editor at their smallest size, and says what each came to", async () => {
    const { stdout } = await run(process.execPath, [main, "--smallest", "--rows", "1,2,11,12"]);
    for (const what of [
      "decode 400 events, chat-completions",
      "decode 400 events, messages",
      "decode 400 events, chat-completions, each with another padding",
      "transport of 100 KB",
      "connection check, all steps",
      "50 streams, 10 at once",
      "50 streams, 50 at once",
    ]) {
      assert.ok(stdout.includes(what), what);
    }
    assert.match(stdout, /(?:holds|falls short)/);
    assert.deepEqual(linesNotMeasured(stdout), []);
    assert.match(stdout, /\d+ rows measured, \d+ goals fall short/);
  }).timeout(300_000);
});
