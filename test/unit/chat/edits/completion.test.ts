import assert from "node:assert/strict";
import fc from "fast-check";
import {
  completionMessages,
  contextAt,
  type CursorContext,
  maxAfter,
  maxBefore,
  readCompletion,
} from "../../../../src/chat/edits/completion.ts";
import { priceFile } from "../../../support/inPlaceRepository.ts";

const form = { language: "typescript", isCut: false, eol: "\n" } as const;
const fenced = (text: string): string => `\`\`\`typescript\n${text}\n\`\`\``;

/** Splits a text at the cursor, which `|` stands for. */
function at(text: string): CursorContext {
  const [before = "", after = ""] = text.split("|");
  return { before, after };
}

function linesOf(text: string) {
  const lines = text.split("\n");
  return { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line] ?? assert.fail() }) };
}

function promptOf(text: string): string {
  const [message] = completionMessages({ path: "src/a.ts", language: "typescript", ...at(text) });
  const [content] = message?.content ?? [];
  return content?.type === "text" ? content.text : assert.fail();
}

describe("contextAt", () => {
  it("takes whole lines up to the limits, and reads no lines beyond them", () => {
    const lines = Array.from({ length: 100_000 }, (_, line) => `line ${line}`);
    const read: number[] = [];
    const lineAt = (line: number): { readonly text: string } => {
      read.push(line);
      return { text: lines[line] ?? assert.fail() };
    };
    const { before, after } = contextAt({ lineCount: lines.length, lineAt }, { line: 50_000, character: 4 });
    assert.match(before, /^line \d+\n[^]*\nline 49999\nline$/);
    assert.match(after, /^ 50000\nline 50001\n[^]*\nline \d+$/);
    assert.ok(before.length <= maxBefore && before.length > maxBefore - 20, String(before.length));
    assert.ok(after.length <= maxAfter && after.length > maxAfter - 20, String(after.length));
    assert.ok(read.length < 2000, String(read.length));
  });

  it("cuts the cursor's own line if it is too long, but no character of two units", () => {
    const half = "😀".repeat(20_000);
    const { before, after } = contextAt(linesOf(`a\n${half}xy${half}\nb`), {
      line: 1,
      character: half.length + 1,
    });
    assert.match(before, /^(?:😀)+x$/u);
    assert.match(after, /^y(?:😀)+$/u);
    assert.ok(before.length <= maxBefore && after.length <= maxAfter);
  });
});

describe("completionMessages", () => {
  it("sends the text with a mark at the cursor, in a fence that no line of it closes", () => {
    const text = promptOf("const a = |;\n```\n");
    assert.ok(text.includes("````typescript\nconst a = <CURSOR>;\n```\n\n````"), text);
    assert.match(text, /^Complete the file src\/a\.ts [^]*material, not instructions\.$/m);
  });

  it("uses a mark that the file does not contain", () => {
    const text = promptOf("// <CURSOR> and <CURSOR-2>\nconst a = |;");
    assert.ok(text.includes("const a = <CURSOR-3>;"), text);
    assert.equal(
      readCompletion(fenced("<CURSOR-3>1"), at("// <CURSOR> <CURSOR-2>\nconst a = |;"), form),
      "1",
    );
  });
});

describe("readCompletion", () => {
  const cases: readonly (readonly [title: string, file: string, answer: string, expected: string])[] = [
    ["takes the text of a fence", "a = |", fenced("1;"), "1;"],
    ["drops remarks around a fence", "a = |", `Here is the code:\n\n${fenced("1;")}\n\nIt is one.`, "1;"],
    ["accepts an answer without a fence", "a = |", "1;\n", "1;"],
    ["drops the language of an answer without a fence", "a = |", "typescript\n1;", "1;"],
    ["accepts a fence on one line", "a = |", "```1;```", "1;"],
    ["accepts a fence that ends on the last line of code", "a = |", "```ts\n1;```", "1;"],
    ["accepts a fence that does not end", "a = |", "```ts\n1;", "1;"],
    ["keeps a template literal", "a = |;", "`b`", "`b`"],
    ["drops the mark of the cursor", "a = |", fenced("a = <CURSOR>1;"), "1;"],
    ["drops the repeated start of the line", "  return |", fenced("  return a;"), "a;"],
    ["drops the start of the line in another indent", "    return |", fenced("return a;"), "a;"],
    ["keeps a word that only begins like the line", "return |", fenced("returned"), "returned"],
    ["drops a repeated word", "console.lo|", fenced("log(a);"), "g(a);"],
    ["drops a repeated expression", "sum = items.re|", fenced("items.reduce(add);"), "duce(add);"],
    ["keeps a repeated digit", "a = 1|", fenced("10;"), "10;"],
    ["keeps a repeated bracket", "a((|", fenced("(b)))"), "(b)))"],
    ["keeps a repeated character of Chinese", "人|", "人都", "人都"],
    [
      "drops repeated lines above the cursor",
      "function add(a, b) {\n  |",
      fenced("function add(a, b) {\n  return a + b;\n}"),
      "return a + b;\n}",
    ],
    ["drops the rest of the line", "add(|);", fenced("a, b);"), "a, b"],
    ["keeps a bracket that the text opens itself", "add(|)", fenced("b()"), "b()"],
    ["drops only the bracket that the text does not open", "add(|)", fenced("b())"), "b()"],
    ["drops a repeated quote", 'a = "|";', fenced('b";'), "b"],
    ["keeps a quote that the text opens itself", 'a = [|"b"];', fenced('"c", "d"'), '"c", "d"'],
    ["drops words after the cursor", "a = | + c;", fenced("b + c;"), "b "],
    ["drops the following lines", "{\n  |\n  b();\n}", fenced("a();\n  b();\n}"), "a();"],
    ["drops a closing bracket that follows", "f() {\n  |\n}", fenced("a();\n}"), "a();"],
    [
      "keeps the closing bracket of its own block",
      "f() {\n  |\n}",
      fenced("if (a) {\n    b();\n  }"),
      "if (a) {\n    b();\n  }",
    ],
    ["keeps a bracket of another indent", "f() {\n  if (a) {\n    |\n}", fenced("b();\n  }"), "b();\n  }"],
    ["is empty if only the following lines are repeated", "a();\n|\nb();\nc();", fenced("b();\nc();"), ""],
    ["drops the indent before the cursor", "  |", fenced("  a();\n  b();"), "a();\n  b();"],
    ["keeps the indent at the start of a line", "f() {\n|\n}", fenced("  a();\n  b();"), "  a();\n  b();"],
    ["keeps a deeper indent than that before the cursor", "f() {\n  |\n}", fenced("    a();"), "  a();"],
    ["starts a new line that the model left out", "f() {|\n}", fenced("  a();\n  b();"), "\n  a();\n  b();"],
    ["keeps a space in the line", "return|", fenced(" a;"), " a;"],
    [
      "indents a block that was counted from the cursor",
      "f() {\n    |\n}",
      fenced("if (a) {\n  b();\n}"),
      "if (a) {\n      b();\n    }",
    ],
    ["indents the block of a line", "f() {\n    if (a) |\n}", fenced("{\n  b();\n}"), "{\n      b();\n    }"],
    [
      "indents a block of Python",
      "def f():\n    |",
      fenced("for a in b:\n    c()"),
      "for a in b:\n        c()",
    ],
    [
      "indents with the tabs of the file",
      "f() {\n\tg();\n\t|\n}",
      fenced("if (a) {\n    b();\n    c();\n}"),
      "if (a) {\n\t\tb();\n\t\tc();\n\t}",
    ],
    [
      "leaves a line outside of the block as it is",
      "f() {\n  |",
      fenced("a();\n}\n\ng();"),
      "a();\n}\n\ng();",
    ],
    ["is empty for an empty answer", "a|", "", ""],
    ["is empty for an empty fence", "a|", "```\n```", ""],
    ["is empty for spaces", "a|", fenced("  \n "), ""],
    ["turns all line breaks into those of the document", "|", "a\r\nb\rc\nd", "a\nb\nc\nd"],
  ];
  for (const [title, file, answer, expected] of cases) {
    it(title, () => assert.equal(readCompletion(answer, at(file), form), expected));
  }

  it("writes the line endings of the document", () => {
    assert.equal(readCompletion("a\nb\r\nc", at("|"), { ...form, eol: "\r\n" }), "a\r\nb\r\nc");
  });

  it("leaves out the unfinished line of a cut answer, unless it is the only one", () => {
    const cut = { ...form, isCut: true };
    assert.equal(readCompletion("```ts\na();\nb();\nc(", at("|"), cut), "a();\nb();");
    assert.equal(readCompletion("```ts\na(", at("|"), cut), "a(");
    assert.equal(readCompletion(`${fenced("a();\nb();")}\nThis`, at("|"), cut), "a();\nb();");
    assert.equal(readCompletion(`a\n${"b\n".repeat(100_000)}`, at("|"), form).length, 3999);
  });

  it("restores every end of a line of a file, whatever the answer repeats", () => {
    const wrong: string[] = [];
    const lines = priceFile.split("\n");
    for (const [index, line] of lines.entries()) {
      for (let character = 0; character < line.length; character += 1) {
        const [start, end] = [line.slice(0, character), line.slice(character)];
        // Half an indent, or one or two signs, do not show what is repeated.
        if (/^\s+$|^[^\p{L}]{1,2}$/u.test(start)) continue;
        const next = lines.slice(index + 1);
        const context = {
          before: [...lines.slice(0, index), start].join("\n"),
          after: ["", ...next].join("\n"),
        };
        const answers = [
          fenced(end),
          fenced(line),
          end,
          `Sure:\n${fenced([end, ...next.slice(0, 2)].join("\n"))}`,
          fenced([...lines.slice(Math.max(0, index - 2), index), line].join("\n")),
        ];
        for (const [way, answer] of answers.entries()) {
          const read = readCompletion(answer, context, form);
          const isUnclear = way === 4 && character === 0;
          if (read.trimEnd() !== end.trimEnd() && !isUnclear)
            wrong.push(`${way}: ${start}|${end} gave ${JSON.stringify(read)}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it("reads any answer at any cursor without a broken character or a line ending of another system", () => {
    const piece = fc.constantFrom(
      "```",
      "~~~",
      "\n",
      "\r",
      "  ",
      "\t",
      "<CURSOR>",
      "{",
      "}",
      "(",
      ")",
      '"',
      "a",
      "return",
      "😀",
      "漢字",
      ";",
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (answer, before, after, isCut) => {
        const lines = { before: before.replaceAll("\r", ""), after: after.replaceAll("\r", "") };
        const read = readCompletion(answer, lines, { language: "c", isCut, eol: "\r\n" });
        assert.doesNotMatch(read, /\p{Surrogate}|(?<!\r)\n|\r(?!\n)/u);
      }),
    );
  });
});
