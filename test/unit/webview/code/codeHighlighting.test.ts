import assert from "node:assert/strict";
import { createLineTokenizer } from "../../../../src/webview/code/codeHighlighting.ts";
import { readFenceInfo } from "../../../../src/text/markdown/codeBlockInfo.ts";

/** Each piece of the line that has a kind, with that kind. */
function kindsOf(language: string, line: string): string[] {
  const tokens = createLineTokenizer(language)?.tokenize(line) ?? [];
  return tokens.flatMap(({ text, kind }) => (kind === null ? [] : [`${text} ${kind}`]));
}

describe("createLineTokenizer", () => {
  it("keeps its state from line to line", () => {
    const tokenizer = createLineTokenizer("ts");
    assert.deepEqual(tokenizer?.tokenize("/* a"), [{ text: "/* a", kind: "comment" }]);
    assert.deepEqual(tokenizer?.tokenize('b */ "c"'), [
      { text: "b */", kind: "comment" },
      { text: " ", kind: null },
      { text: '"c"', kind: "string" },
    ]);
  });

  it("distinguishes the kinds that VS Code's themes distinguish", () => {
    assert.deepEqual(kindsOf("ts", "export class Totals"), [
      "export control",
      "class keyword",
      "Totals type",
    ]);
    assert.deepEqual(kindsOf("js", "const a = this.b(1)"), [
      "const keyword",
      "a variable",
      "this keyword",
      "b function",
      "1 number",
    ]);
    assert.deepEqual(kindsOf("py", "def f(a): return 1"), [
      "def keyword",
      "f function",
      "return control",
      "1 number",
    ]);
    assert.deepEqual(kindsOf("html", "<a b='c'>"), ["a tag", "b attribute", "'c' string"]);
  });

  it("keeps every character of a line in every language", () => {
    const names =
      "c c# cpp css dart diff docker go html http java js json kotlin lua ml nginx objc perl php ps1 py r rb rs scala scss sh sql swift toml ts xml yaml";
    const lines = [
      "",
      "  a = b ? 'c' : \"d\" // e # f",
      "<?php $x = <<<E ?>",
      "\u202e\u0000😀 ((((",
      "`${`".repeat(50),
      "'".repeat(1999),
      "x".repeat(5000),
    ];
    for (const name of names.split(" ")) {
      const tokenizer = createLineTokenizer(name);
      assert.ok(tokenizer, name);
      for (const line of lines) {
        const texts: string[] = tokenizer.tokenize(line).map((token) => token.text);
        assert.equal(texts.join(""), line, name);
      }
    }
  });

  it("returns undefined for unknown languages and for names of Object properties", () => {
    for (const name of ["", "klingon", "__proto__", "constructor"])
      assert.equal(createLineTokenizer(name), undefined);
  });
});

describe("readFenceInfo", () => {
  it("reads the language and the file name", () => {
    assert.deepEqual(readFenceInfo("c++"), { language: "c++" });
    assert.deepEqual(readFenceInfo("ts title=src/a.ts"), { language: "ts", path: "src/a.ts" });
    assert.deepEqual(readFenceInfo("ts:src/a.ts"), { language: "ts", path: "src/a.ts" });
    assert.deepEqual(readFenceInfo("src/a.py"), { language: "py", path: "src/a.py" });
    assert.deepEqual(readFenceInfo("js {1,3}"), { language: "js" });
    assert.deepEqual(readFenceInfo(""), { language: "" });
  });
});
