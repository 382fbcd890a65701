import assert from "node:assert/strict";
import fc from "fast-check";
import { Lexer } from "marked";
import { convertTokensToHtml, lexMarkdown } from "../../../../src/webview/markdown/markdownHtml.ts";
import { blocksInParts, cut } from "./drawnBlocks.ts";

const htmlOf = (text: string): string => convertTokensToHtml(lexMarkdown(text, {})).trim();
/** The HTML inside the paragraph, or all HTML if it is not one paragraph. */
const lineOf = (text: string): string => /^<p>(.*)<\/p>$/s.exec(htmlOf(text))?.[1] ?? htmlOf(text);
const byParser = (text: string): string => convertTokensToHtml(new Lexer({ gfm: true }).lex(text)).trim();
const linksIn = (text: string): readonly string[] =>
  Array.from(htmlOf(text).matchAll(/href="([^"]*)"/g), ([, address = ""]) => decodeURI(address));

describe("emphasis in Chinese, Japanese and Korean", () => {
  const emphasised: Readonly<Record<string, string>> = {
    "请看**“要点”**一节": "请看<strong>“要点”</strong>一节",
    "**结论：**可以": "<strong>结论：</strong>可以",
    "**完成！**下一步": "<strong>完成！</strong>下一步",
    "使用**《指南》**即可": "使用<strong>《指南》</strong>即可",
    "**警告。**データは戻りません": "<strong>警告。</strong>データは戻りません",
    "これは**「必須」**です": "これは<strong>「必須」</strong>です",
    "*（任意）*の項目": "<em>（任意）</em>の項目",
    "***「両方」***も": "<em><strong>「両方」</strong></em>も",
    '**"설정"**을 여세요': "<strong>&quot;설정&quot;</strong>을 여세요",
    "**파일(필수)**이 없습니다": "<strong>파일(필수)</strong>이 없습니다",
    "调用**`run()`**方法": "调用<strong><code>run()</code></strong>方法",
    "函数**foo()**的值": "函数<strong>foo()</strong>的值",
    "~~“旧版”~~新版": "<del>“旧版”</del>新版",
    "現在は~~（廃止）~~削除": "現在は<del>（廃止）</del>削除",
    "**「甲」**と**「乙」**と": "<strong>「甲」</strong>と<strong>「乙」</strong>と",
    "𠮷**（名）**𠮷": "𠮷<strong>（名）</strong>𠮷",
    "葛\u{e0100}**（姓）**です": "葛\u{e0100}<strong>（姓）</strong>です",
    "见[**文档。**续](/a)": '见<a href="/a"><strong>文档。</strong>续</a>',
    "省略号……**重点**": "省略号……<strong>重点</strong>",
  };
  for (const [text, html] of Object.entries(emphasised)) {
    it(`is found beside full-width punctuation: ${text}`, () => assert.equal(lineOf(text), html));
  }

  const plain = [
    "** 空格 **",
    "**中文 **后",
    "变量_名称_值",
    "数据_(旧)_值",
    "snake_case_名",
    "2**3个",
    "\\*\\*“重”**文",
    "约3~5天",
  ];
  for (const text of plain) {
    it(`is not found if marks do not touch words or are plain characters: ${text}`, () =>
      assert.ok(!/<(?:em|strong|del)>/.test(htmlOf(text)), htmlOf(text)));
  }

  it("equals the parser's own result in other scripts", () => {
    const pieces = [
      "*",
      "**",
      "***",
      "_",
      "__",
      "~",
      "~~",
      " ",
      "\n",
      "a",
      "é",
      "ж",
      "1",
      "(",
      ")",
      ".",
      "“",
      "”",
      "!",
      "`",
      "\\",
      "[x](y)",
      "😀",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (parts) => {
        const text = `x${parts.join("")}`;
        assert.equal(htmlOf(text), byParser(text), JSON.stringify(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it("gives the same result while it streams", () => {
    const pieces = [
      "**",
      "*",
      "~~",
      "_",
      "“",
      "”",
      "。",
      "（",
      "）",
      "文字",
      "かな",
      "한국어",
      "a",
      " ",
      "\n",
      "https://a.example/b",
      "，",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), fc.nat(9), (parts, size) => {
        const text = parts.join("");
        assert.deepEqual(blocksInParts(cut(text, size + 1)), blocksInParts([text]));
      }),
      { numRuns: 500 },
    );
  });
});

describe("an address in Chinese, Japanese and Korean", () => {
  const addresses: Readonly<Record<string, string>> = {
    "请看 https://a.example/b，谢谢": "https://a.example/b",
    "https://a.example。": "https://a.example",
    "（https://a.example/b_(c)）": "https://a.example/b_(c)",
    "“https://a.example/b”": "https://a.example/b",
    "《https://a.example/b》、": "https://a.example/b",
    "【https://a.example/b?c=d】": "https://a.example/b?c=d",
    "https://a.example/b！好": "https://a.example/b",
    "https://a.example/b：说明": "https://a.example/b",
    "https://a.example/b.，": "https://a.example/b",
    "https://a.example/b——说明": "https://a.example/b",
    "https://a.example/b…": "https://a.example/b",
    "**见 https://a.example/b。**后": "https://a.example/b",
    "https://a.example/docs를 보세요": "https://a.example/docs",
    "https://a.example/docsを参照": "https://a.example/docs",
    "访问https://a.example然后": "https://a.example",
    "http://localhost:3000/にアクセス": "http://localhost:3000/",
    "https://a.example/wiki/日本語、": "https://a.example/wiki/日本語",
    "https://a.example/?q=中文&n=1；": "https://a.example/?q=中文&amp;n=1",
    "详见www.a.example/b。": "http://www.a.example/b",
    "（www.a.example）": "http://www.a.example",
    "联系 me@a.example，谢谢": "mailto:me@a.example",
    "me@a.example까지": "mailto:me@a.example",
  };
  for (const [text, address] of Object.entries(addresses)) {
    it(`ends where the surrounding text begins: ${text}`, () => assert.deepEqual(linksIn(text), [address]));
  }

  it("equals the parser's own result in other scripts", () => {
    const texts = [
      "see https://a.example/b, and",
      "(https://a.example/(b))",
      "https://a.example/é/ж?x=ü",
      "awww.a.example",
      "x www.a.example/b.",
      "me@a.example.",
    ];
    for (const text of texts) assert.equal(htmlOf(text), byParser(text));
  });

  it("takes linear time", () => {
    const started = performance.now();
    for (const text of [
      "**“".repeat(300),
      "（**".repeat(300),
      "~~。".repeat(300),
      "https://a.example/" + "中".repeat(8000),
    ])
      htmlOf(text);
    assert.ok(performance.now() - started < 2000);
  });
});
