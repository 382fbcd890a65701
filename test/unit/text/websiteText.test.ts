import assert from "node:assert/strict";
import fc from "fast-check";
import { readHtml, readWebsiteText } from "../../../src/text/websiteText.ts";
import { maxWebsiteText, WebsiteWriter } from "../../../src/text/websiteWriter.ts";
import { endsInTime } from "./endsInTime.ts";

const url = "https://docs.example/guide/start.html";

function textOf(html: string): string {
  return readHtml(html, url).text;
}

const frame = (content: string): string =>
  `<header>head</header><p>before</p>${content}<footer>foot</footer>`;
const news = (row: string): string => `<tr><td>${row}</td><td><a href=/a>News</a></td></tr>`;
const read = (contentType: string, content: string | Uint8Array) =>
  readWebsiteText({
    url,
    contentType,
    bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
  });
const plain = (text: string) => ({ kind: "text", title: "", text, isCut: false });
const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** A page of documentation as generators write it. */
const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Getting   started &amp; more</title>
<style>main { color: red }</style><script>document.write("<p>never</p>")</script></head>
<body>
<header><a href="/">Logo</a></header>
<nav><ul><li><a href="/other">Other page</a></li></ul></nav>
<main>
  <header><h1>Getting <em>started</em></h1></header>
  <p>Install it with <code>npm install</code>, then read
     <a href="../api/index.html?a=1&amp;b=2#top">the <b>API</b></a>.<br>It takes&nbsp;a minute.</p>
  <h2 id="steps">Steps<a class="anchor" href="#steps" aria-hidden="true">#</a></h2>
  <ol start="3"><li>Open a terminal</li><li><p>Run it:</p><ul><li>on Linux</li><li>on macOS</li></ul></li></ol>
  <pre><code class="hljs language-sh">npm test
  # &lt;two&gt;
</code></pre>
  <table><thead><tr><th>Name</th><th>Default</th></tr></thead>
    <tbody><tr><td>a|b</td><td><p>1</p><p>2</p></td></tr><tr><td><code>c</code></td><td></td></tr></tbody></table>
  <figure><img src="a.png" alt="A diagram"><figcaption>How it works</figcaption></figure>
  <blockquote><p>Quoted.</p></blockquote>
  <dl><dt>Term</dt><dd>Meaning</dd></dl>
  <div hidden>hidden</div><div style="color: red; display: none">hidden</div><template>template</template>
  <svg><title>icon</title><text>svg</text></svg>
  <aside>Note</aside>
</main>
<aside>Advertisement</aside>
<footer>Imprint</footer>
</body></html>`;

describe("the text of a page", () => {
  it("has its title, headings, lists, tables, code, links, images and quotes, and only the main part", () => {
    assert.deepEqual(readHtml(page, url), {
      kind: "text",
      title: "Getting started & more",
      isCut: false,
      text: [
        "# Getting started",
        "",
        "Install it with `npm install`, then read [the API](https://docs.example/api/index.html?a=1&b=2#top).",
        "It takes a minute.",
        "",
        "## Steps",
        "",
        "3. Open a terminal",
        "4. Run it:",
        "  - on Linux",
        "  - on macOS",
        "",
        "```sh",
        "npm test",
        "  # <two>",
        "```",
        "",
        "| Name | Default |",
        "| --- | --- |",
        String.raw`| a\|b | 1 2 |`,
        "| `c` |  |",
        "",
        "(Image: A diagram)",
        "How it works",
        "",
        "> Quoted.",
        "",
        "Term",
        "",
        ": Meaning",
        "",
        "Note",
      ].join("\n"),
    });
  });

  it("is that of articles without a main part, and of all but the frame without articles", () => {
    assert.equal(textOf(frame("<article>one</article><article>two</article>")), "one\n\ntwo");
    assert.equal(textOf(frame("<div>rest</div>")), "before\n\nrest");
    assert.equal(textOf(frame('<div role="main">main</div><article>no</article>')), "main");
    // Scripts fill the main part of this page.
    assert.equal(textOf(frame("<main><div id=app></div></main>")), "before");
  });

  it("keeps tables that only place content apart from tables of data", () => {
    assert.equal(
      textOf(
        `<table><tr><td><table>${news("1.")}${news("2.")}</table></td></tr><tr><td>end</td></tr></table>`,
      ),
      "| 1. | [News](https://docs.example/a) |\n| 2. | [News](https://docs.example/a) |\n\nend",
    );
    assert.equal(textOf('<table role="presentation"><tr><td>a<td>b</table>'), "a\nb");
  });

  it("is read from broken pages as far as it goes", () => {
    for (const [html, text] of [
      ["<p>one<p>two <b>three <i>four</p> five", "one\n\ntwo three four\n\nfive"],
      [
        "a<a href='javascript:alert(1)'>b</a><a href='#c'>c</a><a>d</a><a href='//e.example/(f)'>e</a>",
        "abcd[e](https://e.example/%28f%29)",
      ],
      ["text <!-- open", "text"],
      ["text <script>never</scrip", "text"],
      ["</div></p></td>text<td>cell</td>", "text\ncell"],
      ["a &lt; b &amp;amp; &#x41; &bogus; &", "a < b &amp; A &bogus; &"],
      ["<pre>a\n````\nb</pre>", "`````\na\n````\nb\n`````"],
      ["", ""],
    ] as const)
      assert.equal(textOf(html), text, html);
  });

  it("takes links from the page's base, and ignores a base that is none", () => {
    assert.equal(
      textOf('<base href="/b/"><base href="/c/"><a href=d>d</a>'),
      "[d](https://docs.example/b/d)",
    );
    assert.equal(textOf('<base href="javascript:x"><a href=d>d</a>'), "[d](https://docs.example/guide/d)");
  });

  it("keeps invisible characters, so that they can be shown", () => {
    const hidden = "a\u200bb\u202ec\u{e0041}d\u00ade";
    assert.equal(textOf(`<p>${hidden}&#x200b;&rlm;</p>`), `${hidden}\u200b\u200f`);
  });

  it("is cut at its limit, in one long line as in many lines, and says so", () => {
    for (const html of [
      "x ".repeat(200_000),
      "<p>text</p>".repeat(50_000),
      `<h1>${"<a href=a>b</a>".repeat(50_000)}`,
    ]) {
      const { text, isCut } = readHtml(`<main>${html}`, `https://a.example/${"p".repeat(1900)}`);
      assert.ok(isCut);
      assert.ok(text.length > maxWebsiteText / 2 && text.length <= maxWebsiteText, `${text.length}`);
    }
    assert.ok(!readHtml("<main>text</main>", url).isCut);
  });

  it("takes no more links once its line is too long", () => {
    const writer = new WebsiteWriter();
    writer.beginHeading(1);
    let links = 0;
    const target = (): string => {
      links += 1;
      return "x".repeat(2000);
    };
    for (let at = 0; at < 1000; at += 1) {
      const endLink = writer.beginLink(target);
      writer.add("text");
      endLink?.();
    }
    assert.ok(writer.isFull && links <= maxWebsiteText / 2000 + 1, `${links}`);
  });

  it("ends where elements are nested too deep, and says so", () => {
    const { text, isCut } = readHtml(`${"<div>".repeat(500)}shown${"<div>".repeat(600)}lost`, url);
    assert.deepEqual([text, isCut], ["shown", true]);
  });

  it("takes time in proportion to the page, whatever the page holds", () => {
    const pieces = [
      "<div>",
      "</b>",
      "<b></i>",
      "<!--",
      "<a ",
      "<a b='",
      "&",
      "&#",
      "<![CDATA[",
      "<p",
      "<",
      "</",
      "<script>",
      "<title>",
      "<textarea>",
      "<table><tr><td>",
      "<ul><li>",
      "<a href=a>b</a>",
      "<h1>",
      "<code>x</code>",
      "<pre>",
      "`",
      "<svg><title>",
      "<a a=1 ",
      "x ",
      "\\n",
      "<li>a",
      "<td>x|",
      "<form>",
      "</p>",
      "&nbsp;",
      "<base href=b>",
      "<?",
    ];
    const statements = `const read = (html) => its.readHtml(html, "https://a.example/" + "p".repeat(1900));
      for (const piece of ${JSON.stringify(pieces)}) read(piece.repeat(300_000 / piece.length));
      for (const piece of ["</i>", "<b></b>", "<form>"]) read("<b>".repeat(990) + piece.repeat(50_000));
      read("<p>" + "a".repeat(10_000_000));`;
    assert.ok(endsInTime("src/text/websiteText.ts", statements));
  });

  it("shows what is visible in any sequence of tags, and nothing that is hidden", () => {
    const tags = "div section p ul ol li table tr td th h1 h2 blockquote dl dd b a code form".split(" ");
    const pieces = fc.constantFrom(
      ...tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
      "<br>",
      "<a href=x>",
      " word ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const before = parts.join("");
        const { text } = readHtml(`${before}SHOWN<script>HIDDEN</script><p hidden>HIDDEN</p>`, url);
        assert.equal(text.match(/SHOWN/g)?.length, 1);
        assert.ok(!text.includes("HIDDEN"));
        assert.equal(text.match(/word/g)?.length ?? 0, parts.filter((part) => part === " word ").length);
      }),
    );
  });
});

describe("an answer of a website", () => {
  it("is taken as it is if it is plain text, Markdown, JSON or another text format", () => {
    for (const type of [
      "text/plain",
      "text/markdown; charset=utf-8",
      "application/json",
      "application/ld+json",
      "TEXT/CSV",
      "application/xml",
      "application/x-ndjson",
      "",
    ])
      assert.deepEqual(read(type, "<b> {} \u200b"), plain("<b> {} \u200b"), type);
  });

  it("is read as a page if it says so, or says nothing and begins like one", () => {
    for (const type of ["text/html", "application/xhtml+xml; charset=utf-8", ""])
      assert.deepEqual(read(type, "<!DOCTYPE html><p>a"), plain("a"), type);
  });

  it("is refused by its name if it is no text", () => {
    for (const type of [
      "image/png",
      "application/pdf",
      "application/octet-stream",
      "image/svg+xml",
      "video/mp4",
    ])
      assert.deepEqual(read(`${type}; x=y`, "text"), { kind: "unreadable", mediaType: type });
    for (const type of ["text/plain", "text/html", "text/plain; charset=utf-8"])
      assert.deepEqual(read(type, new Uint8Array([0, 1, 0, 2, 0x89])), {
        kind: "unreadable",
        mediaType: type.split(";")[0],
      });
  });

  it("has the encoding of its byte order mark, header or head, in this order", () => {
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("ä", "utf16le")]);
    assert.deepEqual(read("text/plain; charset=iso-8859-1", marked), plain("ä"));
    assert.deepEqual(read('text/html; Charset="ISO-8859-1"', latin("<meta charset=utf-8><p>ä")), plain("ä"));
    assert.deepEqual(read("text/html", latin("<meta charset='windows-1252'><p>ä\u0080")), plain("ä€"));
    const older = '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">';
    assert.deepEqual(
      read("text/html", Buffer.concat([latin(older), new Uint8Array([0x93, 0xfa, 0x96, 0x7b])])),
      plain("日本"),
    );
    assert.deepEqual(read("text/html; charset=none-such", "<p>ä"), plain("ä"));
    assert.deepEqual(read("text/html", "<meta charset=utf-16><p>ä"), plain("ä"));
  });
});
