import assert from "node:assert/strict";
import { findFileReferences, readFileReference } from "../../../../src/text/markdown/fileReference.ts";
import { namedFiles } from "../../../../src/text/markdown/codeBlockInfo.ts";

describe("readFileReference", () => {
  for (const [text, expected] of [
    ["src/a.ts", { path: "src/a.ts" }],
    ["src/a.ts:10:5", { path: "src/a.ts", line: 10, column: 5 }],
    ["src/a.ts#L10-L20", { path: "src/a.ts", line: 10 }],
    ["a.ts(10,5)", { path: "a.ts", line: 10, column: 5 }],
    ["C:\\work\\a.ts:3", { path: "C:/work/a.ts", line: 3 }],
    ["src\\a.ts", { path: "src/a.ts" }],
    [".gitignore", { path: ".gitignore" }],
  ] as const) {
    it(`reads ${text}`, () => assert.deepEqual(readFileReference(text), expected));
  }

  it("returns undefined for URLs, commands, and dangerous names", () => {
    for (const text of [
      "https://host/a.ts",
      "command:a.b",
      "vscode://file/a.ts",
      "file:///a.ts",
      "javascript:a.b",
      "data:a.b",
      "a",
      "a\u0000.ts",
      "a\u202Est.exe",
      "x".repeat(500),
    ]) {
      assert.equal(readFileReference(text), undefined, text);
    }
  });

  it("finds file names in a sentence", () => {
    assert.deepEqual(
      [...findFileReferences("Change `src/a.ts` and lib/b.py:3; leave `Array.isArray(x)` and 1.5.")],
      ["src/a.ts", "lib/b.py:3"],
    );
  });
});

describe("namedFiles", () => {
  const block = { text: "let a;", info: "ts", language: "ts", above: "" };
  it("reads the fence, the first line, and the sentence above, in this order", () => {
    assert.deepEqual(namedFiles({ ...block, info: 'ts title="src/a b.ts"' }), ["src/a b.ts"]);
    assert.deepEqual(namedFiles({ ...block, info: "ts:src/a.ts" }), ["src/a.ts"]);
    assert.deepEqual(namedFiles({ ...block, info: "src/a.ts" }), ["src/a.ts"]);
    assert.deepEqual(namedFiles({ ...block, text: "// src/a.ts\nlet a;" }), ["src/a.ts"]);
    assert.deepEqual(namedFiles({ ...block, text: "# File: src/a.py\nx" }), ["src/a.py"]);
    assert.deepEqual(
      namedFiles({ ...block, info: "ts title=a.ts", text: "// b.ts\n", above: "In `c.ts`, then d.ts:" }),
      ["a.ts", "b.ts", "d.ts", "c.ts"],
    );
    assert.deepEqual(namedFiles({ ...block, text: "// a comment. With words.\n" }), []);
    assert.deepEqual(namedFiles({ ...block, info: "c++" }), []);
  });

  it("ignores names without an extension", () => {
    assert.deepEqual(namedFiles({ ...block, info: "sh title=.git/hooks/pre-commit" }), []);
  });
});
