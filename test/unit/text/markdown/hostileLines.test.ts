import assert from "node:assert/strict";
import fc from "fast-check";
import { FenceReader } from "../../../../src/text/markdown/codeFences.ts";
import { readCustomizations } from "../../../../src/chat/page/codeColors.ts";
import { readFrontMatter } from "../../../../src/text/frontMatter.ts";
import { fileInComment } from "../../../../src/text/markdown/codeBlockInfo.ts";
import { processorTime } from "../../processorTime.ts";

const length = 200_000;
const blanks = " ".repeat(length);
/** No pattern takes it for a character of the line, and no reader for the line's end. */
const odd = "\u2028";

/** Milliseconds. What looks at each character from each other one takes many seconds. */
const most = 2000;

describe("a line that is made to be slow", () => {
  const lines: Readonly<Record<string, () => unknown>> = {
    "a fence of backticks": () => new FenceReader().read(`${"`".repeat(length)}${odd}`),
    "a fence of tildes": () => new FenceReader().read(`${"~".repeat(length)}${odd}`),
    "a fence with blanks": () => new FenceReader().read(`~~~${blanks}${odd}`),
    "a field with blanks": () => readFrontMatter(`---\na:${blanks}${odd}x\n---\n`),
    "a field with comments": () => readFrontMatter(`---\na: b\n ${" #".repeat(length)}${odd}x\n---\n`),
    "a theme's name": () =>
      readCustomizations({ [`${"[".repeat(length)}${"] ".repeat(length)}]`]: {} }, "Theme"),
    // No longer one is read, but each block of an answer may begin so.
    "blocks that may name a file": () => {
      const line = `//${" ".repeat(198)}a${" ".repeat(198)}b`;
      for (let block = 0; block < 10; block += 1) assert.equal(fileInComment(line), undefined);
    },
  };
  for (const [name, read] of Object.entries(lines)) {
    it(`is quick: ${name}`, () => {
      const time = processorTime(read);
      assert.ok(time < most, `${time} ms`);
    });
  }
});

describe("what is read of a line", () => {
  it("is a fence, its mark and its words", () => {
    assert.deepEqual(new FenceReader().read("  ~~~ \t ts title `a` "), {
      kind: "opening",
      info: "ts title `a`",
    });
    assert.deepEqual(new FenceReader().read("```` ts"), { kind: "opening", info: "ts" });
    for (const words of ["``` a `b`", "~~", `~~~ a${odd}`, `\`\`\`\`${odd}`])
      assert.deepEqual(new FenceReader().read(words), { kind: "words" });
  });

  it("is a file's name in a comment, with a word ahead of it or none", () => {
    const before =
      /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|"""|')\s*(?:file(?:name)?|path)?\s*:?\s*(\S+?)\s*(?:\*\/|-->|""")?\s*$/i;
    const unit = fc.constantFrom("//", "#", "/*", "*/", "-->", "<!--", " ", "file", "name", ":", "a.ts", "'");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 9 }), (line) => {
        const named = before.exec(line)?.[1];
        const found = fileInComment(line);
        if (found !== undefined) assert.equal(found, named);
        if (named === "a.ts") assert.equal(found, named);
      }),
      { numRuns: 3000 },
    );
    for (const line of ["// a.ts", "/* file: a.ts */", "# Path a.ts", "<!--filename:a.ts-->"])
      assert.equal(fileInComment(line), "a.ts", line);
  });

  it("is each theme that a key of the settings names", () => {
    const red = { comments: "#ff0000" };
    for (const [key, isNamed] of [
      ["[Theme]", true],
      ["[Other][Theme]", true],
      ["[Other][Theme", false],
      ["[[Theme]", false],
    ] as const)
      assert.equal(readCustomizations({ [key]: red }, "Theme").length, isNamed ? 1 : 0, key);
  });

  it("is a field without the comment behind it", () => {
    const read = readFrontMatter("---\na: \tb # c # d\ne:\nf: #g\n---\n");
    assert.ok("texts" in read);
    assert.deepEqual([read.texts.get("a"), read.texts.get("f"), read.unreadFields], ["b", "", ["e"]]);
  });
});
