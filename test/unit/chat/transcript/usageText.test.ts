import assert from "node:assert/strict";
import { createTranslate } from "../../../../src/l10n.ts";
import { convertChatUsageToText, convertUsageToText } from "../../../../src/chat/transcript/usageText.ts";

describe("convertUsageToText", () => {
  const words = { t: createTranslate(), language: "en" };

  it("says what was counted, and what was not reported", () => {
    assert.equal(
      convertUsageToText({ inputTokens: 12, outputTokens: 0 }, undefined, true, words),
      "Tokens: 12 in, 0 out",
    );
    assert.equal(
      convertUsageToText({ outputTokens: 5 }, undefined, true, words),
      "Tokens: not reported in, 5 out",
    );
    assert.equal(convertUsageToText({ totalTokens: 17 }, undefined, true, words), "Tokens: 17 in all");
    assert.equal(convertUsageToText({}, undefined, true, words), "Tokens: not reported");
    assert.match(
      convertUsageToText({ inputTokens: 12, outputTokens: 0 }, undefined, false, words),
      /^Tokens: 12 in, cut/,
    );
    assert.equal(convertUsageToText(undefined, undefined, true, words), "Tokens: not reported");
  });

  it("says what came from the service's cache, and what went into it", () => {
    const usage = { inputTokens: 1234, cacheReadTokens: 1000, outputTokens: 56 };
    assert.equal(
      convertUsageToText(usage, undefined, true, words),
      "Tokens: 1,234 in (1,000 from cache), 56 out",
    );
    assert.equal(
      convertUsageToText(usage, undefined, false, words),
      "Tokens: 1,234 in (1,000 from cache), cut before the rest was counted",
    );
    const price = { input: 0, output: 0, currency: "USD" };
    assert.equal(
      convertUsageToText({ ...usage, cacheWriteTokens: 2000 }, price, true, words),
      "Tokens: 1,234 in (1,000 from cache), 56 out · 2,000 written to cache · $0.00",
    );
    const chat = { inputTokens: 1200, cacheReadTokens: 1000, outputTokens: 34, unreported: 0, costs: [] };
    assert.equal(convertChatUsageToText(chat, words), "This chat: 1,200 in (1,000 from cache), 34 out");
  });

  it("says what an answer cost where the price is known and the answer whole", () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100 };
    const price = { input: 2, output: 10, currency: "USD" };
    assert.match(convertUsageToText(usage, price, true, words), /^Tokens: 1,000,000 in, 100 out · \$2\.00$/);
    assert.doesNotMatch(convertUsageToText(usage, price, false, words), /\$/);
  });

  it("adds up a chat, and says how much of it was not reported", () => {
    const usage = { inputTokens: 1200, outputTokens: 34, cacheReadTokens: 0, unreported: 1, costs: [] };
    assert.equal(convertChatUsageToText(usage, words), "This chat: 1,200 in, 34 out · 1 answer not reported");
    const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, unreported: 2, costs: [] };
    assert.equal(convertChatUsageToText(nothing, words), "This chat: not reported");
  });

  it("writes numbers as the editor's language does, whatever the system's is", () => {
    const german = { t: words.t, language: "de" };
    const euros = { amount: 1234.5, currency: "EUR" };
    const usage = { inputTokens: 1200, outputTokens: 34, cacheReadTokens: 0, unreported: 0, costs: [euros] };
    assert.equal(convertChatUsageToText(usage, german), "This chat: 1.200 in, 34 out · 1.234,50\u00a0€");
    const price = { input: 2, output: 10, currency: "EUR" };
    assert.match(
      convertUsageToText({ inputTokens: 1_000_000, outputTokens: 0 }, price, true, german),
      /2,00/,
    );
  });
});
