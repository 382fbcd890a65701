import assert from "node:assert/strict";
import { MemoryPeak } from "../../faults/wire/memoryPeak.ts";
import { collectGarbage } from "../../support/collectGarbage.ts";

const megabyte = 1024 * 1024;

/** In a function of its own, so that nothing leads to it behind this. */
function drop(bytes: number): void {
  Buffer.alloc(bytes, 1);
}

describe("MemoryPeak", () => {
  it("counts what comes, though what is rubbish at the beginning goes meanwhile", () => {
    drop(100 * megabyte);
    using memory = new MemoryPeak();
    collectGarbage();
    const held = Buffer.alloc(50 * megabyte, 1);
    const peak = memory.end();
    assert.ok(peak > 0.8 * held.length, `${peak} bytes`);
  });
});
