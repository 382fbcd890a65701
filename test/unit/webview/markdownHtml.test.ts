import assert from "node:assert/strict";
import { convertPieceToHtml } from "../../../src/webview/markdownHtml.ts";

const htmlOf = (text: string): string | undefined =>
  convertPieceToHtml({ type: "block", text }, {})?.replaceAll("\n", "");

describe("convertPieceToHtml", () => {
  it("sets a list's text in paragraphs, and says when they stand apart", () => {
    assert.equal(htmlOf("- a\n- b"), "<ul><li><p>a</p></li><li><p>b</p></li></ul>");
    assert.equal(
      htmlOf("3. a\n\n4. b"),
      '<ol start="3" data-loose="true"><li><p>a</p></li><li><p>b</p></li></ol>',
    );
    assert.match(htmlOf("- [x] a") ?? "", /^<ul><li><p><input checked=""[^>]*> ?a<\/p><\/li><\/ul>$/);
  });

  it("shows an image's description, and keeps what a code block says of itself", () => {
    assert.equal(htmlOf('![a "b"](https://example.com/x.png)'), "<p>a &#34;b&#34;</p>");
    assert.equal(
      htmlOf('```c++ title="x"\na < b\n```'),
      '<pre><code data-info="c++ title=&#34;x&#34;">a &#60; b</code></pre>',
    );
  });

  it("leaves what is no prose as it is: too long, or nested too deep", () => {
    assert.equal(htmlOf("a".repeat(20_000)), undefined);
    assert.equal(htmlOf(`${"> ".repeat(100)}a`), undefined);
    assert.equal(htmlOf(`${"- ".repeat(100)}a`), undefined);
    assert.notEqual(htmlOf("> - > - a"), undefined);
  });
});
