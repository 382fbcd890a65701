import assert from "node:assert/strict";
import fc from "fast-check";
import { applyChanges, findChanges } from "../../../src/text/textChanges.ts";

const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 }).map((lines) => lines.join("\n"));

describe("findChanges", () => {
  it("gives changes that lead from the one text to the other", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(applyChanges(before, findChanges(before, after)), after);
      }),
    );
  });

  it("gives each change by itself, so that some of them can be made", () => {
    const changes = findChanges("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n");
    assert.deepEqual(changes, [
      { start: 1, removed: 1, added: ["B"] },
      { start: 4, removed: 0, added: ["e"] },
    ]);
    assert.equal(applyChanges("a\nb\nc\nd\n", changes.slice(1)), "a\nb\nc\nd\ne\n");
    assert.deepEqual(findChanges("a", "a"), []);
  });

  it("takes changes of any length", () => {
    const [before, after] = ["a\n".repeat(200_000), "b\n".repeat(200_000)];
    assert.equal(
      applyChanges(before, [{ start: 0, removed: 200_000, added: after.split("\n").slice(0, -1) }]),
      after,
    );
    assert.equal(applyChanges(before, [{ start: 199_999, removed: 1, added: [] }]).length, before.length - 2);
  });
});
