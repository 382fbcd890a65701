import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../bench/main.ts", import.meta.url));

describe("npm run bench", () => {
  it("runs at the smallest size without an editor, and prints each result", async () => {
    const { stdout } = await run(process.execPath, [main, "--smallest", "--rows", "1,2,11,12"]);
    for (const line of [
      /^1\. decode chat-completions +\d\S* µs\/event +openai \d\S* +JSON\.parse \d\S* +\d\S* +<= 0\.5 +(holds|short)$/m,
      /^1\. decode messages +\d\S* µs\/event +anthropic \d/m,
      /^2\. 100 KB, first byte +\d\S* ms +Node's fetch \d\S* +undici \d\S* +\d\S* +<= 1\.15 x limit +(holds|short)$/m,
      /^2\. 100 KB, all bytes +\d\S* ms /m,
      /^11\. connection check +\d\S* ms +bare \d/m,
      /^12\. 50 streams at once +\d\S* µs\/token +in turn \d/m,
      /^12\. slowest of 50 streams +\d\S* share +as bytes \d/m,
    ]) {
      assert.match(stdout, line);
    }
    assert.doesNotMatch(stdout, /not measured/);
    assert.match(stdout, /^7 goals, \d+ of them fall short$/m);
  }).timeout(300_000);
});
