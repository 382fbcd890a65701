import assert from "node:assert/strict";
import { readCodeBlocks, SeveralFilesSearch } from "../../../../src/chat/code/answerFiles.ts";
import { namedFiles } from "../../../../src/text/markdown/codeBlockInfo.ts";

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
  it("returns each block with the info string of its fence and the paragraph above it", () => {
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

  it("reads a block without a closing fence", () => {
    assert.deepEqual(
      readCodeBlocks("```\nhalf").map(({ text }) => text),
      ["half"],
    );
    assert.deepEqual(readCodeBlocks("no code at all"), []);
  });
});

describe("SeveralFilesSearch", () => {
  it("finds two blocks that name different files", () => {
    assert.equal(namesSeveralFiles(answer), true);
    assert.equal(namesSeveralFiles("```ts:src/a.ts\none\n```\n\n```ts:src/a.ts\ntwo\n```"), false);
    assert.equal(namesSeveralFiles("```sh\none\n```\n\n```sh\ntwo\n```"), false);
    assert.equal(namesSeveralFiles(""), false);
  });

  it("resumes after its time is up and stops reading at the second file", () => {
    const words = "Some words.\n\n".repeat(1000);
    const long = `\`\`\`ts:src/a.ts\n${"one\n".repeat(100)}\`\`\`\n\n${words}\`\`\`ts:src/b.ts\ntwo\n\`\`\`\n${words}`;
    const search = new SeveralFilesSearch(long);
    let parts = 1;
    while (search.readOn(() => true) === undefined) parts += 1;
    assert.equal(
      search.readOn(() => false),
      true,
    );
    assert.ok(parts > 60 && parts < 80, `${parts} parts`);
  });
});

function namesSeveralFiles(text: string): boolean | undefined {
  return new SeveralFilesSearch(text).readOn(() => false);
}
