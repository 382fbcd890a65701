import assert from "node:assert/strict";
import { tryUntilDone } from "../../../../src/editor/workspace/tryUntilDone.ts";

function failing(times: number) {
  const work = { tries: 0, run: async () => assert.ok(++work.tries > times, `try ${work.tries}`) };
  return work;
}

describe("tryUntilDone", () => {
  it("retries while the callback agrees, and passes it each error", async () => {
    const work = failing(2);
    const reasons: unknown[] = [];
    const isDone = await tryUntilDone(work.run, async (error) => {
      reasons.push(error instanceof Error && error.message);
      return true;
    });
    assert.deepEqual([isDone, reasons, work.tries], [true, ["try 1", "try 2"], 3]);
  });

  it("returns false if the callback declines, and does not call it after success", async () => {
    const work = failing(1);
    assert.equal(await tryUntilDone(work.run, async () => false), false);
    assert.equal(work.tries, 1);
    assert.equal(await tryUntilDone(work.run, () => assert.fail("asked")), true);
  });
});
