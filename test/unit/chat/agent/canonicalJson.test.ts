import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson } from "../../../../src/chat/agent/loopGuard.ts";

describe("canonicalJson", () => {
  it("is the same text for any order of keys, at any depth", () => {
    const expected = '{"a":[{"c":2,"d":[3,4]}],"b":null}';
    assert.equal(canonicalJson({ b: null, a: [{ d: [3, 4], c: 2 }] }), expected);
    assert.equal(canonicalJson({ a: [{ c: 2, d: [3, 4] }], b: null }), expected);
  });

  it("keeps the order of lists, and tells texts from numbers", () => {
    const values = [[1, 2], [2, 1], ["1", "2"], [12], { 0: 1, 1: 2 }, "1,2", true, "true", null];
    assert.equal(new Set(values.map(canonicalJson)).size, values.length);
  });

  it("writes nothing as null", () => {
    assert.equal(canonicalJson(undefined), "null");
  });

  it("loses nothing of a value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(json));
      }),
    );
  });

  it("is the same for a value with all its keys reversed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(canonicalJson(reversed(value)), canonicalJson(value));
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, reversed(each)] as const);
  return Object.fromEntries(entries.toReversed());
}
