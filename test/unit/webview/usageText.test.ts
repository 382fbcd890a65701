import assert from "node:assert/strict";
import { createTranslate } from "../../../src/l10n.ts";
import { convertUsageToText } from "../../../src/webview/usageText.ts";

describe("convertUsageToText", () => {
  const t = createTranslate();

  it("says what was counted, and what was not reported", () => {
    assert.equal(convertUsageToText({ inputTokens: 12, outputTokens: 0 }, t), "Tokens: 12 in, 0 out");
    assert.equal(convertUsageToText({ outputTokens: 5 }, t), "Tokens: not reported in, 5 out");
    assert.equal(convertUsageToText({ totalTokens: 17 }, t), "Tokens: 17 in all");
    assert.equal(convertUsageToText({}, t), "Tokens: not reported");
    assert.equal(convertUsageToText(undefined, t), "Tokens: not reported");
  });
});
