import assert from "node:assert/strict";
import { namesSeveralFiles, readCodeBlocks } from "../../../src/chat/answerFiles.ts";
import { namedFiles } from "../../../src/chat/namedFiles.ts";

const answer = [
  "First the price.",
  "",
  "In `src/price.ts` it is:",
  "",
  "```ts",
  "const price = 1;",
  "```",
  "",
  '````md title="docs/price.md"',
  "```",
  "inside",
  "```",
  "````",
  "",
  "And a command:",
  "```sh",
  "npm test",
  "```",
].join("\n");

describe("readCodeBlocks", () => {
  it("gives every block with its fence's words and the paragraph above it", () => {
    const blocks = readCodeBlocks(answer);
    assert.deepEqual(
      blocks.map(({ text, info, language, above }) => [text, info, language, above]),
      [
        ["const price = 1;", "ts", "ts", "In `src/price.ts` it is:"],
        ["```\ninside\n```", 'md title="docs/price.md"', "md", ""],
        ["npm test", "sh", "sh", "And a command:"],
      ],
    );
    assert.deepEqual(blocks.map(namedFiles), [["src/price.ts"], ["docs/price.md"], []]);
  });

  it("reads a block whose end did not come", () => {
    assert.deepEqual(
      readCodeBlocks("```\nhalf").map(({ text }) => text),
      ["half"],
    );
    assert.deepEqual(readCodeBlocks("no code at all"), []);
  });
});

describe("namesSeveralFiles", () => {
  it("is so where two blocks name different files", () => {
    assert.ok(namesSeveralFiles(answer));
    assert.ok(!namesSeveralFiles("```ts:src/a.ts\none\n```\n\n```ts:src/a.ts\ntwo\n```"));
    assert.ok(!namesSeveralFiles("```sh\none\n```\n\n```sh\ntwo\n```"));
  });
});
