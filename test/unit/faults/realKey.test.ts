import assert from "node:assert/strict";
import fc from "fast-check";
import { leakCanary } from "../../faults/leaks/leakCanary.ts";
import { realKey } from "../../faults/realKey.ts";

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const plain = `${capitals}${capitals.toLowerCase()}0123456789`;
const withMarks = `${plain}_-`;

/** By its beginning, the rest of a key: from what, and how much. */
const shapes: readonly (readonly [beginning: string, alphabet: string, length: number])[] = [
  ["sk-", plain, 48],
  ["sk-", "0123456789abcdef", 32],
  ["sk-proj-", withMarks, 156],
  ["sk-svcacct-", withMarks, 156],
  ["sk-ant-api03-", withMarks, 95],
  ["sk-ant-admin01-", withMarks, 95],
  ["sk-or-v1-", "0123456789abcdef", 64],
  ["gsk_", plain, 52],
  ["xai-", plain, 80],
  ["hf_", plain, 34],
  ["AIza", withMarks, 35],
  ["AKIA", `${capitals}234567`, 16],
  ["ghp_", plain, 36],
  ["gho_", plain, 36],
  ["github_pat_", `${plain}_`, 82],
];
/** How keys stand in files. */
const places: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => `+  "apiKey": "${key}",\n`,
  (key) => `export SERVICE_KEY=${key}\n`,
  (key) => `authorization: Bearer ${key}\r\n`,
  (key) => `MY_${key}.`,
];

describe("keys as services give them out", () => {
  for (const [beginning, alphabet, length] of shapes) {
    it(`are known by ${beginning} and ${length} characters of ${alphabet.length}`, () => {
      // Made at random, so that none stands in this file, and none is anybody's.
      const body = fc.string({
        unit: fc.constantFrom(...Array.from(alphabet)),
        minLength: length,
        maxLength: length,
      });
      fc.assert(
        fc.property(body, fc.constantFrom(...places), (rest, place) => {
          assert.deepEqual(place(beginning + rest).match(realKey), [beginning + rest]);
        }),
      );
    });
  }

  it("are told from those of tests and from what only begins alike", () => {
    const others = [
      leakCanary,
      `sk-test-${"0123456789abcdef".repeat(3)}`,
      "sk-…",
      "sk-ant-api03-…",
      "sk-live-0123456789abcdef",
      `task-${"a".repeat(40)}`,
      `hf_${"name_of_a_function_".repeat(3)}`,
      `sha512-${"q".repeat(86)}==`,
    ];
    assert.deepEqual(
      others.filter((text) => text.match(realKey) !== null),
      [],
    );
  });
});
