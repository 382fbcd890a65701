import assert from "node:assert/strict";
import { MemoryPeak } from "../../faults/wire/memoryPeak.ts";
import { collectGarbage } from "../../support/collectGarbage.ts";

const megabyte = 1024 * 1024;

/** Allocates in its own function, so that no reference remains afterwards. */
function drop(bytes: number): void {
  Buffer.alloc(bytes, 1);
}

describe("MemoryPeak", () => {
  it("counts new memory, even if earlier garbage is collected at the same time", () => {
    drop(100 * megabyte);
    using memory = new MemoryPeak();
    collectGarbage();
    const held = Buffer.alloc(50 * megabyte, 1);
    const peak = memory.end();
    assert.ok(peak > 0.8 * held.length, `${peak} bytes`);
  });
});
