import assert from "node:assert/strict";
import fc from "fast-check";
import { SpokenText } from "../../../../src/webview/announcements/spokenText.ts";
import { processorTime } from "../../processorTime.ts";

describe("SpokenText", () => {
  it("returns whole sentences, not tokens", () => {
    const spoken = new SpokenText();
    assert.deepEqual(spoken.push("It is 3.5 met"), []);
    assert.deepEqual(spoken.push("res. Then"), ["It is 3.5 metres."]);
    assert.deepEqual(spoken.push(" more\nand"), ["Then more"]);
    assert.deepEqual(spoken.end(), ["and"]);
    assert.deepEqual(spoken.end(), []);
  });

  it("leaves out Markdown marks and lines of code", () => {
    const spoken = new SpokenText();
    const text =
      "## Title\n\n- **One** `two`\n```js\nlet a;\n```\n| a | [b](https://example.com) |\n|---|---|\n";
    assert.deepEqual(spoken.push(text), ["Title", "One two", "a b"]);
  });

  it("reads formulas without their marks", () => {
    const spoken = new SpokenText();
    const text = "The root $\\sqrt{x_1}$ costs $5.\n$$\n\\frac{a}{b} &= c^2 \\\\\n$$\nThen \\(y\\).\n";
    assert.deepEqual(spoken.push(text), ["The root sqrt x 1 costs $5.", "frac a b = c^2", "Then y."]);
    assert.deepEqual(spoken.push("\\[ d\n\\text{e} \\]\n$$ f {g}\n\n{h}\n"), ["d", "text e", "f g", "{h}"]);
  });

  const codeBlocks: Readonly<Record<string, string>> = {
    "a line of tildes in it": "```\nerror TS1005\n~~~~~~~~~\nTraceback. Here\n```",
    "a shorter fence in it": "````md\n```js\nlet a;\n```\n````",
    "a fence with an info string in it": "```text\n```js\nlet a;\n```",
    "Markdown in it that has fences of the same length":
      "```md\nText. More\n```js\nlet a;\n```\nText. More\n```",
    "an info string that contains sentences": "```js a. b? c\nlet a;\n```",
    "a numbered line in it": "```\n1. ```\nlet a;\n```",
    "Windows line breaks": "```\r\nlet a;\r\n```",
    "a bullet before it": "- ```js\n  let a;\n  ```",
    "a number before it": "1. ```js\n   let a;\n   ```",
    "a quote around it": "> ```js\n> let a;\n> ```",
    "a list in a quote around it": "> 1. ```js\n>    let a;\n>    ```",
    "a quote around it that ends before the fence": "> ```js\n> let a;",
  };
  for (const [kind, block] of Object.entries(codeBlocks)) {
    it(`leaves out only the code block with ${kind}`, () => {
      const whole = new SpokenText();
      const text = `Before it.\n${block}\nBehind it.\n`;
      assert.deepEqual(whole.push(text), ["Before it.", "Behind it."]);
      const piecewise = new SpokenText();
      assert.deepEqual(Array.from(text, (character) => piecewise.push(character)).flat(), [
        "Before it.",
        "Behind it.",
      ]);
    });
  }

  it("reads out text that only looks like a code fence", () => {
    const spoken = new SpokenText();
    const text = "```One. Two.``` Three.\n- ```four``` and five.\nBehind ```\n1. Six. Seven.\n";
    assert.deepEqual(spoken.push(text), ["One. Two. Three.", "four and five.", "Behind", "Six.", "Seven."]);
    assert.deepEqual([...spoken.push("```eight"), ...spoken.end()], []);
    const ended = new SpokenText();
    assert.deepEqual([...ended.push("Nine\n```Ten```"), ...ended.end()], ["Nine", "Ten"]);
  });

  it("finds the end of a sentence in other scripts", () => {
    const spoken = new SpokenText();
    assert.deepEqual(spoken.push("هل يعمل؟ نعم. یہ ہے۔ यह है। 好的。"), [
      "هل يعمل؟",
      "نعم.",
      "یہ ہے۔",
      "यह है।",
      "好的。",
    ]);
  });

  it("reads the words of a link, and leaves incomplete links unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("[", "]", "(", ")", "a") }), (text) => {
        const words = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
        assert.deepEqual(new SpokenText().push(`So ${text}\n`), [`So ${words}`.trim()]);
      }),
    );
  });

  for (const unit of ["[", "[](", "[a](b"]) {
    it(`takes linear time for a line of ${unit}`, () => {
      const line = unit.repeat(300_000 / unit.length);
      // In ms. Retrying the rest from each bracket takes far longer.
      const time = processorTime(() => assert.equal(new SpokenText().push(`So ${line}\n`).length, 1));
      assert.ok(time < 2000, `${time} ms`);
    });
  }

  it("splits an endless sentence without splitting a character", () => {
    const parts = new SpokenText().push("a".repeat(399) + "𝒜".repeat(300));
    assert.deepEqual(
      parts.map(({ length }) => length),
      [399, 400],
    );
    assert.ok(parts.every((part) => part.isWellFormed()));
  });

  it("splits an endless sentence", () => {
    const spoken = new SpokenText();
    assert.deepEqual(
      spoken.push("a".repeat(900)).map(({ length }) => length),
      [400, 400],
    );
    assert.deepEqual(
      spoken.end().map(({ length }) => length),
      [100],
    );
  });
});
