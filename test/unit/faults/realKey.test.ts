import assert from "node:assert/strict";
import fc from "fast-check";
import { leakCanary } from "../../faults/leaks/leakCanary.ts";
import { realKey } from "../../faults/realKey.ts";

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const plain = `${capitals}${capitals.toLowerCase()}0123456789`;
const withMarks = `${plain}_-`;

/** By prefix: alphabet and length of the rest of the key. */
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
/** Contexts of keys in files. */
const places: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => `+  "apiKey": "${key}",\n`,
  (key) => `export SERVICE_KEY=${key}\n`,
  (key) => `authorization: Bearer ${key}\r\n`,
  (key) => `MY_${key}.`,
];

describe("realKey", () => {
  for (const [beginning, alphabet, length] of shapes) {
    it(`matches ${beginning} and ${length} characters from an alphabet of ${alphabet.length}`, () => {
      // Random keys, so that this file contains no key, and no test uses a real one.
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

  it("does not match test keys and texts that only start like a key", () => {
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
