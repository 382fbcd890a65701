import assert from "node:assert/strict";
import { tokenText } from "../../../../src/webview/controls/numberText.ts";

describe("tokenText", () => {
  it("formats a token count in few characters", () => {
    const texts = [0, 999, 1000, 1234, 9960, 34_500].map(tokenText);
    assert.deepEqual(texts, ["0", "999", "1k", "1.2k", "10k", "35k"]);
  });
});
