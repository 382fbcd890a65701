import assert from "node:assert/strict";
import { findPatterns, readWrittenTexts } from "../../support/plainWords.ts";

describe("the check for plain words", () => {
  it("reads comments, test titles and error messages, with their lines", () => {
    const source = [
      "/** Adds two numbers. */",
      "function add(a, b) {",
      "  // Both are small.",
      "  // So the sum is exact.",
      "  return a + b; // A remark.",
      "}",
      'it("adds two numbers", () => { throw new RangeError("Too large."); });',
      "it(`adds ${name}`, () => {}); // oxlint-disable-line",
      'const text = "// not a comment";',
    ].join("\n");
    assert.deepEqual(readWrittenTexts("add.js", source), [
      { kind: "comment", text: "Adds two numbers.", line: 1 },
      { kind: "comment", text: "Both are small. So the sum is exact.", line: 3 },
      { kind: "comment", text: "A remark.", line: 5 },
      { kind: "title", text: "adds two numbers", line: 7 },
      { kind: "error", text: "Too large.", line: 7 },
      { kind: "title", text: "adds value", line: 8 },
    ]);
  });

  const found = [
    ["What remains of the text.", "a relative clause as the subject"],
    ["Where the file is missing, nothing is sent.", '"where" for "if"'],
    ["It waits for the answer.", "a pronoun without its noun"],
    ["The list is read anew.", "a word that few would say"],
    ["Paths of files of which the start is shown.", 'a chain of "of which" or "but for"'],
    ["Nothing is shown without a reason.", "a pair of negations"],
    ["The color of a cancelled request.", "British spelling"],
    ["The key is in the secret store.", "another word for a term"],
    [`The ${"very ".repeat(19)}long sentence.`, "a sentence of more than 20 words"],
  ] as const;
  for (const [text, pattern] of found) {
    it(`finds ${pattern}`, () => {
      assert.deepEqual(findPatterns({ kind: "comment", text }), [pattern]);
    });
  }

  it("accepts plain sentences, also about what a function does", () => {
    for (const text of [
      "Milliseconds until the next attempt.",
      "Says what failed and why. Undefined if the list is empty.",
      "Reads `what` from the folder where the file is.",
    ]) {
      assert.deepEqual(findPatterns({ kind: "comment", text }), []);
    }
  });

  it("accepts a test title that begins with a pronoun", () => {
    assert.deepEqual(findPatterns({ kind: "title", text: "its own key is kept" }), []);
  });
});
