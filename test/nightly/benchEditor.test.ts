import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as v from "valibot";
import { projectRoot } from "../support/paths.ts";

const run = promisify(execFile);
/** Milliseconds for all rows; each wait in them is shorter. */
const limit = 1_200_000;

describe("the bench rows that need VS Code", () => {
  it("run at their smallest size and print their results", async function () {
    this.timeout(limit + 60_000);
    const { stdout } = await run(
      process.execPath,
      ["test/bench/main.ts", "--smallest", "--rows", "5,6,7,8,14,15,13,3,4,9"],
      { cwd: projectRoot, timeout: limit },
    ).catch((error: unknown) => {
      // The message describes the error. The output contains the rows that had ended before it.
      const { message, stdout: printed } = v.parse(
        v.object({ message: v.string(), stdout: v.string() }),
        error,
      );
      throw new Error(`${message}\n${printed}`, { cause: error });
    });
    for (const line of [
      // Some values may be negative (`-?`): a single small run may cost less than the one-word answer that is
      // subtracted.
      /^3\. token to paint, p95 +\d\S* ms +editor's chat \d/m,
      /^3\. key to paint in flood, p95 +\d\S* ms +<= 33\.3 ms +(holds|short)$/m,
      /^4\. 2 KB page, longest task +\d\S* ms +editor's chat \d\S* +\d\S* +<= 50 ms +(holds|short)$/m,
      /^4\. 2 KB page, CPU +-?\d\S* ms\/KB +editor's chat -?\d/m,
      /^4\. 20 KB page, CPU +-?\d\S* ms\/KB +0\.2 KB -?\d/m,
      /^5\. activate, over empty one +-?\d\S* ms +empty one \d\S* +<= 15 ms +(holds|short)$/m,
      /^6\. whole VSIX +[\d,]+ KiB +<= 1,536 KiB +(holds|short)$/m,
      /^7\. heap, 2 to 3 chats +-?\d\S* MB +<= 1 MB +(holds|short)$/m,
      /^8\. composer takes text, cold +\d\S* ms +empty view \d\S* +\d\S* +<= 1\.6 +(holds|short)$/m,
      /^8\. composer takes text, warm +\d\S* ms +empty view \d/m,
      /^9\. 200 chats, first lines +\d\S* ms +<= 33\.3 ms +(holds|short)$/m,
      /^9\. 200 chats, a search +\d\S* ms +<= 150 ms +(holds|short)$/m,
      /^9\. first list, over editor's +-?\d\S* ms +editor's \d/m,
      /^9\. slowest key, over editor's +-?\d\S* ms +editor's \d/m,
      /^14\. read_file, over bare read +-?\d\S* ms +bare read \d\S* +<= 20 ms +(holds|short)$/m,
      /^14\. steps 19-20, host CPU +\d\S* ms\/step +3-4 \d\S* +\d\S* +<= 1\.3 +(holds|short)$/m,
      /^14\. steps 19-20, page CPU +\d\S* ms\/step +3-4 \d/m,
      /^15\. chat of 4 steps opens +\d\S* ms +1 step \d\S* +<= 200 ms +(holds|short)$/m,
      /^13\. 400 tokens, vscode\.lm +\d\S* µs\/token +from memory \d/m,
    ]) {
      assert.match(stdout, line);
    }
    assert.doesNotMatch(stdout, /not measured/);
    assert.match(stdout, /^19 goals, \d+ of them fall short$/m);
  });
});
