import assert from "node:assert/strict";
import { SpokenText } from "../../../src/webview/spokenText.ts";

describe("SpokenText", () => {
  it("gives a sentence when it is complete, not a token", () => {
    const spoken = new SpokenText();
    assert.deepEqual(spoken.push("It is 3.5 met"), []);
    assert.deepEqual(spoken.push("res. Then"), ["It is 3.5 metres."]);
    assert.deepEqual(spoken.push(" more\nand"), ["Then more"]);
    assert.deepEqual(spoken.end(), ["and"]);
    assert.deepEqual(spoken.end(), []);
  });

  it("leaves the marks of Markdown and the lines of code out", () => {
    const spoken = new SpokenText();
    const text =
      "## Title\n\n- **One** `two`\n```js\nlet a;\n```\n| a | [b](https://example.com) |\n|---|---|\n";
    assert.deepEqual(spoken.push(text), ["Title", "One two", "a b"]);
  });

  it("knows where a sentence ends in other scripts", () => {
    const spoken = new SpokenText();
    assert.deepEqual(spoken.push("هل يعمل؟ نعم. یہ ہے۔ यह है। 好的。"), [
      "هل يعمل؟",
      "نعم.",
      "یہ ہے۔",
      "यह है।",
      "好的。",
    ]);
  });

  it("gives an endless sentence in parts", () => {
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
