import assert from "node:assert/strict";
import { hostileAnswers } from "../../../support/page/hostileAnswers.ts";
import { MarkdownSplitter, sourceOf } from "../../../../src/text/markdown/markdownBlocks.ts";
import { cut } from "./drawnBlocks.ts";
import { convertPieceToHtml } from "../../../../src/webview/markdown/markdownHtml.ts";

const htmlOf = (text: string): string | undefined =>
  convertPieceToHtml({ type: "block", text }, {})?.replaceAll("\n", "");

describe("a hostile answer", () => {
  for (const [name, text] of Object.entries(hostileAnswers)) {
    it(`is parsed once, in small pieces: ${name}`, () => {
      const splitter = new MarkdownSplitter();
      let parsed = 0;
      for (const piece of [...cut(text, 4096).flatMap((part) => splitter.push(part)), ...splitter.end()]) {
        if (piece.type === "code-text") continue;
        const { length } = sourceOf(piece);
        assert.ok(length <= 16_384 || convertPieceToHtml(piece, {}) === undefined, `${length} characters`);
        // A piece of table rows contains the table's head, too.
        parsed += piece.type === "table-rows" ? piece.text.length : length;
      }
      assert.ok(parsed <= text.length * 1.2 + 100, `${parsed} of ${text.length} characters`);
    });
  }
});

describe("convertPieceToHtml", () => {
  it("puts a list's text into paragraphs, and marks loose lists", () => {
    assert.equal(htmlOf("- a\n- b"), "<ul><li><p>a</p></li><li><p>b</p></li></ul>");
    assert.equal(
      htmlOf("3. a\n\n4. b"),
      '<ol start="3" data-loose="true"><li><p>a</p></li><li><p>b</p></li></ol>',
    );
    assert.match(htmlOf("- [x] a") ?? "", /^<ul><li><p><input checked=""[^>]*> ?a<\/p><\/li><\/ul>$/);
  });

  it("shows an image's description, and keeps a code block's info string", () => {
    assert.equal(htmlOf('![a "b"](https://example.com/x.png)'), "<p>a &#34;b&#34;</p>");
    assert.equal(
      htmlOf('```c++ title="x"\na < b\n```'),
      '<pre><code data-info="c++ title=&#34;x&#34;">a &#60; b</code></pre>',
    );
  });

  it("returns undefined for text that is too long, too deeply nested or too complex", () => {
    assert.equal(htmlOf("a".repeat(20_000)), undefined);
    assert.equal(htmlOf(`${"> ".repeat(100)}a`), undefined);
    assert.equal(htmlOf(`${"- ".repeat(100)}a`), undefined);
    assert.notEqual(htmlOf("> - > - a"), undefined);
    for (const text of ["*a_ ", "[", "<a ", "`a ", "~~a", "a@b", "![[]()"]) {
      assert.equal(htmlOf(text.repeat(1001)), undefined, text);
      assert.notEqual(htmlOf(text.repeat(100)), undefined, text);
    }
    assert.equal(htmlOf(`${"a.".repeat(200)}@b.example`), undefined);
    assert.match(htmlOf("name@b.example") ?? "", /mailto:/);
    const row = `|${" `a` |".repeat(10)}\n`;
    const head = `|${" a |".repeat(10)}\n|${"---|".repeat(10)}`;
    const rows = { type: "table-rows", head, text: row.repeat(64), first: false } as const;
    assert.match(convertPieceToHtml(rows, {}) ?? "", /<table>/);
    assert.equal(convertPieceToHtml({ ...rows, text: `|${"*a".repeat(1001)}|` }, {}), undefined);
  });
});
