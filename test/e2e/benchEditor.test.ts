import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as v from "valibot";
import { linesNotMeasured } from "../bench/benchTable.ts";
import { projectRoot } from "../support/paths.ts";

const run = promisify(execFile);
/** Milliseconds for all rows; each wait in them ends before. */
const limit = 1_200_000;

describe("the rows of the bench that need an editor", () => {
  it("run at their smallest size, and say what each came to", async function () {
    this.timeout(limit + 60_000);
    const { stdout } = await run(
      process.execPath,
      ["test/bench/main.ts", "--smallest", "--rows", "5,6,7,8,13,3,4,9"],
      { cwd: projectRoot, timeout: limit },
    ).catch((error: unknown) => {
      // Its message has what went wrong, and what was printed which rows ended before.
      const { message, stdout: printed } = v.parse(
        v.object({ message: v.string(), stdout: v.string() }),
        error,
      );
      throw new Error(`${message}\n${printed}`, { cause: error });
    });
    for (const row of [
      /load and activate, fresh hosts: 2.*empty extension \d/,
      /VSIX, whole.*\d KB/,
      /code that activation reads.*\d KB/,
      /first load of the chat page.*\d KB/,
      /memory of the host after activation/,
      /memory of the whole host, chat by chat/,
      /memory of the page after an answer of 20 KB.*for each KB, of that of the smallest -?\d.*empty webview/,
      /from the command to a composer that takes text, cold.*own composer is there \d/,
      /from the command to a composer that takes text, warm.*own composer is there \d/,
      /an answer of 400 tokens by vscode\.lm.*each token, of that of the smallest \d.*from memory \d/,
      /from the service's write to the painted text, 20 tokens 20 ms apart.*the editor's own chat p95 \d/,
      /history of 200 conversations.*first search \d/,
      /list of 200 conversations in the editor.*again \d.*slowest key of \d+ is number \d.*painted chat \d/,
      /list of 200 conversations in the editor.*the editor's list of 20, first time in a window \d/,
      // One run of what is so small may cost less than the answer of one word that is taken off.
      /an answer of 2 KB, as fast as it comes.*the editor's own chat -?\d.*draws the whole text again .*, at 2 KB \d/,
      /an answer of 4 KB, as fast as it comes.*of that of the smallest -?\d/,
    ]) {
      assert.match(stdout, row);
    }
    assert.deepEqual(linesNotMeasured(stdout), []);
    assert.match(stdout, /21 rows measured, \d+ goals fall short/);
  });
});
