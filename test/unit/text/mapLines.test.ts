import assert from "node:assert/strict";
import fc from "fast-check";
import { mapLines } from "../../../src/text/mapLines.ts";
import { findChanges } from "../../../src/text/textChanges.ts";

describe("mapLines", () => {
  it("finds the same lines again, whatever comes and goes around them", () => {
    const ahead = fc.array(fc.constantFrom("a", "b"), { maxLength: 8 });
    const behind = fc.array(fc.constantFrom("c", "d"), { maxLength: 8 });
    fc.assert(
      fc.property(ahead, behind, ahead, behind, (above, below, newAbove, newBelow) => {
        const own = ["own 1", "own 2"];
        const before = [...above, ...own, ...below].join("\n");
        const after = [...newAbove, ...own, ...newBelow];
        const range = { start: above.length, end: above.length + own.length };
        const { start, end } = mapLines(range, findChanges(before, after.join("\n")));
        assert.deepEqual(after.slice(start, end), own);
      }),
    );
  });

  it("keeps what was changed within, and grows by what reaches into the lines", () => {
    const range = { start: 2, end: 4 };
    assert.deepEqual(mapLines(range, [{ start: 3, removed: 0, added: ["x", "y"] }]), { start: 2, end: 6 });
    assert.deepEqual(mapLines(range, [{ start: 1, removed: 2, added: ["x"] }]), { start: 1, end: 3 });
    assert.deepEqual(mapLines(range, [{ start: 3, removed: 3, added: [] }]), { start: 2, end: 3 });
    assert.deepEqual(mapLines(range, [{ start: 4, removed: 1, added: [] }]), range);
  });
});
