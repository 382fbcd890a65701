import assert from "node:assert/strict";
import fc from "fast-check";
import { FenceReader } from "../../../../src/text/markdown/codeFences.ts";
import { readCustomizations } from "../../../../src/chat/page/codeColors.ts";
import { readFrontMatter } from "../../../../src/text/frontMatter.ts";
import { fileInComment } from "../../../../src/text/markdown/codeBlockInfo.ts";
import { processorTime } from "../../processorTime.ts";

const length = 200_000;
const blanks = " ".repeat(length);
/** A dot in a pattern does not match U+2028, but U+2028 does not end a line for the readers. */
const odd = "\u2028";

/** Maximum milliseconds. Quadratic work takes many seconds. */
const most = 2000;

describe("hostile lines", () => {
  const lines: Readonly<Record<string, () => unknown>> = {
    "a fence of backticks": () => new FenceReader().read(`${"`".repeat(length)}${odd}`),
    "a fence of tildes": () => new FenceReader().read(`${"~".repeat(length)}${odd}`),
    "a fence with blanks": () => new FenceReader().read(`~~~${blanks}${odd}`),
    "a field with blanks": () => readFrontMatter(`---\na:${blanks}${odd}x\n---\n`),
    "a field with comments": () => readFrontMatter(`---\na: b\n ${" #".repeat(length)}${odd}x\n---\n`),
    "a theme's name": () =>
      readCustomizations({ [`${"[".repeat(length)}${"] ".repeat(length)}]`]: {} }, "Theme"),
    // Longer lines are not read as file names, but every block of an answer could begin with such a line.
    "blocks that may name a file": () => {
      const line = `//${" ".repeat(198)}a${" ".repeat(198)}b`;
      for (let block = 0; block < 10; block += 1) assert.equal(fileInComment(line), undefined);
    },
  };
  for (const [name, read] of Object.entries(lines)) {
    it(`are read quickly: ${name}`, () => {
      const time = processorTime(read);
      assert.ok(time < most, `${time} ms`);
    });
  }
});

describe("readers of a line", () => {
  it("read a fence and its info string", () => {
    assert.deepEqual(new FenceReader().read("  ~~~ \t ts title `a` "), {
      kind: "opening",
      info: "ts title `a`",
    });
    assert.deepEqual(new FenceReader().read("```` ts"), { kind: "opening", info: "ts" });
    for (const words of ["``` a `b`", "~~", `~~~ a${odd}`, `\`\`\`\`${odd}`])
      assert.deepEqual(new FenceReader().read(words), { kind: "words" });
  });

  it("read a file name in a comment, with or without a word before it", () => {
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

  it("read each theme that a settings key names", () => {
    const red = { comments: "#ff0000" };
    for (const [key, isNamed] of [
      ["[Theme]", true],
      ["[Other][Theme]", true],
      ["[Other][Theme", false],
      ["[[Theme]", false],
    ] as const)
      assert.equal(readCustomizations({ [key]: red }, "Theme").length, isNamed ? 1 : 0, key);
  });

  it("read a field without its comment", () => {
    const read = readFrontMatter("---\na: \tb # c # d\ne:\nf: #g\n---\n");
    assert.ok("texts" in read);
    assert.deepEqual([read.texts.get("a"), read.texts.get("f"), read.unreadFields], ["b", "", ["e"]]);
  });
});
