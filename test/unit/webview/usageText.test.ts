import assert from "node:assert/strict";
import { createTranslate } from "../../../src/l10n.ts";
import { convertUsageToText } from "../../../src/webview/usageText.ts";

describe("convertUsageToText", () => {
  const t = createTranslate();

  it("says what was counted, and what was not reported", () => {
    assert.equal(convertUsageToText({ inputTokens: 12, outputTokens: 0 }, true, t), "Tokens: 12 in, 0 out");
    assert.equal(convertUsageToText({ outputTokens: 5 }, true, t), "Tokens: not reported in, 5 out");
    assert.equal(convertUsageToText({ totalTokens: 17 }, true, t), "Tokens: 17 in all");
    assert.equal(convertUsageToText({}, true, t), "Tokens: not reported");
    assert.match(convertUsageToText({ inputTokens: 12, outputTokens: 0 }, false, t), /^Tokens: 12 in, cut/);
    assert.equal(convertUsageToText(undefined, true, t), "Tokens: not reported");
  });
});
