import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { MarkdownSplitter, sourceOf } from "../../../../src/text/markdown/markdownBlocks.ts";
import { createSampleAnswer } from "../../../bench/sampleAnswer.ts";
import { blocksInParts, blocksOfWhole, cut } from "../../webview/markdown/drawnBlocks.ts";

const documents: Readonly<Record<string, string>> = {
  prose: "One line\nand its second.\n\nAnother paragraph with *emphasis\nover two* lines.\n",
  headings: "# One\ntext\n## Two ##\n\nSetext one\n===\nSetext\ntwo\n---\n***\nend",
  "tight list": "Intro:\n- one\n- two\n  more of two\n- three\n\nAfter.\n",
  "loose list": "1. one\n\n2. two\n3. three\n\n\nAfter.\n",
  "list that becomes loose at its end": "- one\n- two\n- three\n\n- four\n",
  "list with inner blocks":
    "- one\n\n  second paragraph\n\n  ```ts\n  const a = 1;\n\n  const b = 2;\n  ```\n- two\n  > quote\n  - nested\n    - deeper\n\n      loose inside\n- three\n\ntext",
  "neighbouring lists": "- a\n- b\n* c\n* d\n1. e\n2. f\n1) g\n2) h\n",
  "lazy lists": "- a\nlazy\n- b\n\n- c\nlazy again\n\nend\n> quote\nlazy quote\n\nend",
  "task list": "- [ ] open\n- [x] done\n- plain\n\n1. [x] numbered\n",
  "indented lists":
    " - a\n - b\n   - c\n\n  1. d\n  2. e\n\ntext\n10. ten\n11. eleven\n\n    code in eleven\n",
  "list interrupted":
    "- a\n# heading\n- b\n---\n- c\n```\ncode\n```\n- d\n<div>\nhtml\n</div>\n\n- e\n> q\n- f\n",
  "empty items": "-\n- a\n-\n\n- b\n-\n\n  not in the list\n- c\n",
  fences: "```ts\nconst a = `x`;\n\n  b\n```\ntext\n~~~~ python title\n~~~\n```\n~~~~\n\n```\n```\n",
  "nested fences": "````markdown\n```js\nlet a;\n```\n````\n```` \nnot closed by ```\n```\n````\nend",
  "unclosed fence": "text\n```js\nlet a;\n\n",
  "indented fence": "  ```js\n  let a;\n    let b;\n  ```\nend\n",
  "indented code": "text\n\n    code\n\n    more code\n\ttabbed\n\nend\n    continued\n",
  quotes:
    "> one\n> two\n>\n> - list\n> - items\n\n> another\n\n> ```\n> code\n> ```\nafter\n\n> # h\n> text\n- list\n",
  table: "| a | b |\n|---|:-:|\n| 1 | 2 |\n| `x\\|y` | *z* |\n\ntext\n\na | b\n--|--\n1 | 2\n\nend\n",
  "table behind text": "Look:\n| a | b |\n|---|---|\n| 1 | 2 |\nno bar\n| 3 |\n- list\n",
  "no table": "| a | b |\n|---|\n| 1 | 2 |\n\n| c |\n| - |\n| d |\n> q\n",
  "link definitions":
    "[one] and [two][2].\n\n[one]: https://example.com/1 'One'\n[2]: <https://example.com/2>\n[one]: https://example.com/not\n\n- [one]\n- [late]\n\n[late]: https://example.com/3\n",
  "definition and underline": "[a]: /b\n===\nstill text\n\n[not a definition]\n---\n\n[c]: /d\n---\nend",
  html: "<div>\n\n*text*\n\n</div>\n\n<!-- a\n\nb --> tail\ntext <b>inline\n\n</b>\n<pre>\n\nkept\n\n</pre>\nafter\n<details>\n<summary>S</summary>\n\n- a\n\n</details>\n",
  "html of a line": '<span class="x">\ntext\n</span>\n\n<a href="b">\n- no list\n\n- list\n</a>\n',
  rules: "a\n\n---\n- - -\n* * *\n___\nb\n***\n- a\n***\n- b\n",
  "line breaks of Windows": "# A\r\n\r\n- a\r\n- b\r\n\r\n```js\r\nlet a;\r\n```\r\ntext\r\n",
  "formulas in lines":
    "Let $x_1$ and $y_1$ be\n\\(a * b\\) *or $c*d$* and $$e_f$$.\n# \\[g\\] in $h$\n| $i$ |\n|---|\n| $j\\|k$ |\n",
  "formulas of several lines":
    "Text:\n$$\na\n- b\n+ c\n= d\n===\n> e\n# f\n$$\nafter\n\n\\[\nx \\\\[2pt]\n---\n\\]\n\n- item\n  $$\n  y\n  + z\n  $$\n- $$\n  v\n  $$\n\n> \\[ w\n> - u \\]\n",
  "no formulas":
    "$$ is a process.\n- a\n\n$$\n- b\n\n\\[\n> c\n```sh\necho $$\n```\n$$ d\n$$ e $$ f\n- $$\n- g\n$$\n",
  "right to left": "# שלום\n\n- אחת\n- שתיים\n\nسطر\n",
};

describe("MarkdownSplitter", () => {
  for (const [name, text] of Object.entries(documents)) {
    it(`returns the same blocks for any split of the text: ${name}`, () => {
      for (let size = 1; size <= 9; size += 1) {
        assert.deepEqual(blocksInParts(cut(text, size)), blocksOfWhole(text));
      }
      assert.deepEqual(blocksInParts([text]), blocksOfWhole(text));
    });
  }

  it("returns the same blocks for random texts and splits", () => {
    const order = fc.array(fc.constantFrom(...Object.values(documents)), { minLength: 1, maxLength: 4 });
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(order, sizes, fc.constantFrom("\n", "\n\n"), (texts, lengths, between) => {
        const text = texts.join(between);
        assert.deepEqual(blocksInParts(cut(text, ...lengths)), blocksOfWhole(text));
      }),
      { numRuns: 400 },
    );
  });

  it("returns the same blocks for random formulas, whole or not, in lists and quotes", () => {
    const lines = fc.constantFrom(
      "a",
      "- b",
      "+ c",
      "1. d",
      "===",
      "---",
      "> e",
      "# f",
      "| g |",
      "\\\\[2pt]",
      "  $h$ *i*",
    );
    const ends = fc.constantFrom(
      "$$",
      "\\]",
      " $$ ",
      "j $$",
      "$$ k",
      "\\] l",
      "```",
      "~~~",
      "",
      "\\[",
      "*m* $n$",
    );
    const formula = fc.tuple(
      fc.constantFrom([], ["Text"], ["Text *with* $x$"]),
      fc.constantFrom("$$", "\\[", "$$ o", "  \\[p", "$$ q $$", "\\(r", "s $$"),
      fc.array(lines, { maxLength: 4 }),
      ends,
    );
    const places = fc.constantFrom(["", ""], ["> ", "> "], ["- ", "  "], ["12. ", "    "], ["> - ", ">   "]);
    const block = fc
      .tuple(places, formula)
      .map(([[first, next], [above, start, inner, end]]) =>
        [...above, start, ...inner, end].map((line, at) => `${at === 0 ? first : next}${line}`).join("\n"),
      );
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 9 }),
        (all, size) => {
          const text = all.join("\n\n");
          // The parser and the splitter differ for some texts without formulas, too.
          const without = text.replaceAll("$$", "z").replaceAll(/\\(?=[[\]])/g, "z");
          fc.pre(isDeepStrictEqual(blocksInParts([without]), blocksOfWhole(without)));
          assert.deepEqual(blocksInParts(cut(text, size)), blocksOfWhole(text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("settles a list item when the next one begins, a table row at its end, and code at once", () => {
    assert.deepEqual(settledBy("- a\n- b"), []);
    assert.deepEqual(settledBy("- a\n- b\n"), ["list-item"]);
    assert.deepEqual(settledBy("- a\n\n"), ["list-item"]);
    assert.deepEqual(settledBy("- a\n  - b\n  - c\n"), ["list-item", "list-item"]);
    assert.deepEqual(settledBy("1. a\n   ```js\n   let a"), ["list-item", "code-start", "code-text"]);
    assert.deepEqual(settledBy("> a\n>\n> - b\n>   ~~~\n>   c"), [
      "quote-start",
      "block",
      "list-item",
      "code-start",
      "code-text",
    ]);
    assert.deepEqual(settledBy("| a |\n|---|\n| b |\n| c"), ["table-rows", "table-rows"]);
    assert.deepEqual(settledBy("```js\nlet a"), ["code-start", "code-text"]);
    assert.deepEqual(settledBy("text\n"), []);
    assert.deepEqual(settledBy("text\n\n"), ["block"]);
  });

  it("hides a line until its kind is known", () => {
    const splitter = new MarkdownSplitter();
    splitter.push("Items:\n-");
    assert.deepEqual(splitter.openPieces().map(sourceOf), ["Items:"]);
    splitter.push(" one");
    assert.deepEqual(splitter.openPieces().map(sourceOf), ["Items:", "- one"]);
    splitter.push("\n\n  two\n");
    assert.deepEqual(splitter.openPieces().map(sourceOf).filter(Boolean), ["two"]);
  });

  it("leaves less than 100 characters open in a long list, table, or code block", () => {
    const shapes = [
      "1. item with text\n",
      "- item\n\n  with two parts\n\n",
      "| a | b |\n|---|---|\n",
      "```\ncode\n",
      "1. item\n   - nested\n     ```js\n     let a;\n     ```\n",
      "> - quoted\n>   ~~~\n>   code\n",
      "- > ```\n  > code\n",
      "    indented code\n",
      "[label]: https://example.com\n",
    ];
    for (const shape of shapes) {
      const splitter = new MarkdownSplitter();
      splitter.push("| a | b |\n|---|---|\n");
      for (let index = 0; index < 2000; index += 1) splitter.push(shape);
      assert.ok(splitter.openPieces().map(sourceOf).join("").length < 100, shape);
    }
  });
});

describe("work for a streaming answer", () => {
  const nested = "1. Do this:\n\n   ```ts\n   const value = 1;\n";
  const line = "   const text = `${value}`; // grows\n";
  const answers: Readonly<Record<string, (length: number) => string>> = {
    "code in a list's item": (length) => nested + line.repeat(length / line.length),
    "code in a list in a quote": (length) =>
      `> - a\n>   - b\n>     ~~~\n${">     let a;\n".repeat(length / 13)}`,
    "indented code": (length) => "    let a;\n".repeat(length / 11),
    "items with code": (length) => `${nested}   \`\`\`\n\n`.repeat(length / (nested.length + 8)),
    "one item with many blocks": (length) =>
      `- a\n${"\n  text\n\n  - b\n    ```\n    c\n    ```\n".repeat(length / 40)}`,
    "a quote with many blocks": (length) => "> text\n>\n> - a\n> - b\n>\n".repeat(length / 24),
    "link definitions": (length) => "[label]: https://example.com\n".repeat(length / 29),
    "all that models write": createSampleAnswer,
  };

  for (const [name, create] of Object.entries(answers)) {
    it(`grows with the answer, and almost nothing is parsed twice: ${name}`, () => {
      const [small, large] = [workFor(create(20_000)), workFor(create(200_000))];
      for (const work of [small, large]) {
        assert.ok(work.parsed < 1.2, `${work.parsed} characters parsed for one`);
        assert.ok(work.mostOpen < 600, `${work.mostOpen} characters open at once`);
      }
      assert.ok(large.mostOpen <= small.mostOpen * 1.5 + 20, `${small.mostOpen} to ${large.mostOpen} open`);
    });
  }
});

/** Number of parsed characters per character received, and the maximum number of open characters. */
function workFor(text: string): { readonly parsed: number; readonly mostOpen: number } {
  const splitter = new MarkdownSplitter();
  let [parsed, mostOpen] = [0, 0];
  for (const part of cut(text, 37)) {
    for (const piece of splitter.push(part)) {
      // Each row of a table is parsed together with the header. Only the rows count.
      parsed += piece.type === "table-rows" ? piece.text.length : sourceOf(piece).length;
    }
    const open = splitter.openPieces().reduce((sum, piece) => sum + sourceOf(piece).length, 0);
    mostOpen = Math.max(mostOpen, open);
  }
  return { parsed: parsed / text.length, mostOpen };
}

function settledBy(text: string): string[] {
  return new MarkdownSplitter().push(text).map(({ type }) => type);
}
