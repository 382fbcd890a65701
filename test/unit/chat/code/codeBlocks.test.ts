import assert from "node:assert/strict";
import fc from "fast-check";
import type { Token } from "marked";
import { readCodeBlocks } from "../../../../src/chat/code/answerFiles.ts";
import { FenceReader } from "../../../../src/text/markdown/codeFences.ts";
import { type MarkdownPiece, MarkdownSplitter } from "../../../../src/text/markdown/markdownBlocks.ts";
import { lexMarkdown } from "../../../../src/webview/markdown/markdownHtml.ts";
import { cut } from "../../webview/markdown/drawnBlocks.ts";

type Block = readonly [info: string, text: string];

const read = (answer: string): readonly Block[] =>
  readCodeBlocks(answer).map(({ info, text }) => [info, text]);

/** The blocks that the page shows for an answer that arrives in these parts. */
function shown(parts: readonly string[]): readonly Block[] {
  const splitter = new MarkdownSplitter();
  const pieces: MarkdownPiece[] = [...parts.flatMap((part) => splitter.push(part)), ...splitter.end()];
  const blocks: [string, string][] = [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    if (piece.type === "code-start") blocks.push([piece.info, ""]);
    else if (piece.type === "code-text" && last !== undefined) last[1] += piece.text;
  }
  return blocks;
}

/** The blocks that a Markdown parser finds in the whole text. */
function parsed(tokens: readonly Token[]): readonly Block[] {
  return tokens.flatMap((token): readonly Block[] => {
    if (token.type === "code")
      return [[String(token["lang"] ?? ""), String(token["text"]).replace(/\n$/, "")]];
    const inner: unknown = "items" in token ? token["items"] : "tokens" in token ? token.tokens : [];
    return Array.isArray(inner) ? parsed(inner) : [];
  });
}

const fence = "```";

describe("the code blocks of an answer", () => {
  it("are found in lists and quotes", () => {
    assert.deepEqual(read(`2. ${fence}sh\n   make\n   ${fence}\n3. Done\n`), [["sh", "make"]]);
    assert.deepEqual(read(`> ${fence}py\n> if a:\n>     b()\n> ${fence}\n`), [["py", "if a:\n    b()"]]);
    assert.deepEqual(read(`- > ~~~ts\n  > a();\n  >\n  > b();\n  > ~~~\n`), [["ts", "a();\n\nb();"]]);
    assert.deepEqual(read(`- a\n  1. ${fence}js\n     a();\n     ${fence}\n  2. ${fence}\n     b\n`), [
      ["js", "a();"],
      ["", "b"],
    ]);
    assert.deepEqual(read(`> ${fence}js\n> a();\nAfter the quote\n\n${fence}\nb\n${fence}`), [
      ["js", "a();"],
      ["", "b"],
    ]);
    assert.deepEqual(read(`*\t${fence}js\n\ta();\n\t${fence}\n`), [["js", "a();"]]);
  });

  it("have the language of the file named in the fence, and the paragraph above it", () => {
    const [block] = readCodeBlocks(`- In \`src/a.ts\`:\n\n  ${fence}12:20:src/a.ts\n  a();\n  ${fence}\n`);
    assert.deepEqual([block?.language, block?.above], ["ts", "- In `src/a.ts`:"]);
  });

  const nested = `${fence}markdown\n# Guide\n\n${fence}bash\nnpm ci\n${fence}\n\nDone.\n${fence}`;

  it("include nested fences of the same length if the block is Markdown, also while it arrives", () => {
    const inner = nested.split("\n").slice(1, -1).join("\n");
    const answer = `${nested}\n\nEnd.\n\n${fence}js\na();\n${fence}\n`;
    const blocks: readonly Block[] = [
      ["markdown", inner],
      ["js", "a();"],
    ];
    assert.deepEqual(read(answer), blocks);
    for (let size = 1; size < 12; size += 1) assert.deepEqual(shown(cut(answer, size)), blocks);
  });

  it("include nested fences in lists, two levels deep, with tildes, or in a named Markdown file", () => {
    const within = (info: string, lines: readonly string[], mark = fence): void => {
      const answer = `${mark}${info}\n${lines.join("\n")}\n${mark}\nText\n`;
      assert.deepEqual(read(answer), [[info, lines.join("\n")]], answer);
      for (const size of [1, 2, 5]) assert.deepEqual(shown(cut(answer, size)), [[info, lines.join("\n")]]);
    };
    within("md", ["1. Run", "", `    ${fence}sh`, "    make", `    ${fence}`, "", "- more"]);
    within("md", [`- ${fence}sh`, "  make", `  ${fence}`, "end"]);
    within("README.md", [`${fence}sh`, "make", fence, `${fence}js`, "a", fence]);
    within('text title="docs/a.md"', [`${fence}sh`, "make", fence]);
    within("mdx", [`${fence}md`, `${fence}js`, "a", fence, fence, "text"]);
    within("markdown", ["~~~sh", "make", "~~~"], "~~~");
    within("markdown", ["~~~sh", "make", "~~~", `${fence}js`, "a", fence]);
    within("markdown", [`${fence}${fence}js`, "a", `${fence}${fence}`]);
  });

  it("end at the first bare fence of their length unless they are Markdown with nested fences", () => {
    assert.deepEqual(read(`${fence}text\n${fence}js\na\n${fence}\nb\n`), [["text", `${fence}js\na`]]);
    assert.deepEqual(read(`${fence}${fence}md\n${fence}js\na\n${fence}${fence}\n`), [
      ["md", `${fence}js\na`],
    ]);
    assert.deepEqual(read(`${fence}md\n${"x".repeat(300)}\n${fence}\nb\n`), [["md", "x".repeat(300)]]);
  });

  it("are the same when FenceReader reads line by line", () => {
    const fences = new FenceReader();
    const kinds = `${nested}\nwords`.split("\n").map((line) => fences.read(line).kind);
    assert.deepEqual(kinds, ["opening", ...Array<string>(7).fill("code"), "closing", "words"]);
    const listed = new FenceReader();
    const lines = `1. ${fence}js\n   a();\n   ${fence}`.split("\n").map((line) => listed.read(line));
    assert.deepEqual(lines[1], { kind: "code", text: "a();" });
    assert.equal(lines[2]?.kind, "closing");
  });

  const marks = fc.constantFrom(
    "",
    "",
    "",
    "- ",
    "1. ",
    "> ",
    "> - ",
    "- > ",
    "  ",
    "   ",
    "    ",
    "\t",
    ">\t",
  );
  const texts = fc.constantFrom(
    "",
    "words",
    fence,
    `${fence}js`,
    "~~~",
    "~~~ py",
    `${fence}${fence}`,
    `${fence}md`,
    "    code",
    "# heading",
    "let a;",
  );
  const line = fc.tuple(marks, marks, texts).map((parts) => parts.join(""));
  const answers = fc.array(line, { maxLength: 14 }).map((lines) => lines.join("\n"));

  it("match what the page shows for any Markdown in any chunks", () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 9 }), (answer, size) => {
        assert.deepEqual(read(answer), shown(cut(answer, size)));
      }),
      { numRuns: 3000 },
    );
  });

  // The samples contain no tabs, because the parser converts tabs in lists to spaces.
  it("match what a Markdown parser finds in the whole text", () => {
    const open = fc.constantFrom(fence, "~~~", `${fence}${fence}`);
    const code = fc.array(fc.constantFrom("", "a();", "  b", "- c", "> d", "``"), { maxLength: 4 });
    const ahead = fc.constantFrom("", "- ", "1. ", "> ", "- > ", "> 1. ", "10. ");
    const block = fc.tuple(open, fc.constantFrom("", "js", "py x"), code, ahead, fc.boolean());
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
        const answer = blocks.map(([mark, info, lines, marked, isSpaced]) => {
          const next = marked.replaceAll(/[^>]/g, " ");
          const whole = [`${marked}${mark}${info}`, ...[...lines, mark].map((each) => next + each)];
          return `Text:\n${isSpaced ? "\n" : ""}${whole.join("\n")}\n\n`;
        });
        const text = answer.join("");
        assert.deepEqual(read(text), parsed(lexMarkdown(text, {})), text);
      }),
      { numRuns: 2000 },
    );
  });
});
