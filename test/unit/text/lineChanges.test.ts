import assert from "node:assert/strict";
import fc from "fast-check";
import { applyChanges, findChanges, mapLines } from "../../../src/text/lineChanges.ts";

const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 }).map((lines) => lines.join("\n"));

describe("findChanges", () => {
  it("returns changes that turn one text into the other", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(applyChanges(before, findChanges(before, after)), after);
      }),
    );
  });

  it("returns separate changes, so that some can be applied alone", () => {
    const changes = findChanges("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n");
    assert.deepEqual(changes, [
      { start: 1, removed: 1, added: ["B"] },
      { start: 4, removed: 0, added: ["e"] },
    ]);
    assert.equal(applyChanges("a\nb\nc\nd\n", changes.slice(1)), "a\nb\nc\nd\ne\n");
    assert.deepEqual(findChanges("a", "a"), []);
  });

  it("supports changes of 200,000 lines", () => {
    const [before, after] = ["a\n".repeat(200_000), "b\n".repeat(200_000)];
    assert.equal(
      applyChanges(before, [{ start: 0, removed: 200_000, added: after.split("\n").slice(0, -1) }]),
      after,
    );
    assert.equal(applyChanges(before, [{ start: 199_999, removed: 1, added: [] }]).length, before.length - 2);
  });
});

describe("mapLines", () => {
  it("finds the same lines after changes around them", () => {
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

  it("includes changes within the lines and changes that overlap them", () => {
    const range = { start: 2, end: 4 };
    assert.deepEqual(mapLines(range, [{ start: 3, removed: 0, added: ["x", "y"] }]), { start: 2, end: 6 });
    assert.deepEqual(mapLines(range, [{ start: 1, removed: 2, added: ["x"] }]), { start: 1, end: 3 });
    assert.deepEqual(mapLines(range, [{ start: 3, removed: 3, added: [] }]), { start: 2, end: 3 });
    assert.deepEqual(mapLines(range, [{ start: 4, removed: 1, added: [] }]), range);
  });
});
