import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { projectRoot } from "../support/paths.ts";

const run = promisify(execFile);
/** Milliseconds for all of it; each wait in it ends before. */
const limit = 900_000;

describe("the chat page's bench", () => {
  it("runs at its smallest size and says what it measured", async function () {
    this.timeout(limit + 60_000);
    const { stdout } = await run(process.execPath, ["test/bench/chat.ts", "--smallest"], {
      cwd: projectRoot,
      timeout: limit,
    });
    for (const row of [
      // What is so small may cost less than the answer of one word that is taken off.
      /10 KB: main thread +-?\d+(\.\d+)? ms of CPU per KB/,
      /10 KB: longest task, its duration( \(not judged\) +\d| +\d+(\.\d+)? ms +at most 50 ms +(holds|falls short))/,
      /10 KB: longest task, its CPU +\d+(\.\d+)? ms +at most 50 ms +(holds|falls short)/,
      /10 KB: longest task of the window, its CPU +\d+(\.\d+)? ms/,
      /had a processor to itself|its duration is shown and not judged/i,
      /server's write to paint, p95 \(\d+ tokens a second for 2 s\) +\d+(\.\d+)? ms +at most 33 ms/,
      /key to paint while an answer comes as fast as it can, p95 +\d+(\.\d+)? ms/,
      /4 turns opened: until all is painted +\d+(\.\d+)? s/,
    ]) {
      assert.match(stdout, row);
    }
  });
});
