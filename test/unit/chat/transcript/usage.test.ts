import assert from "node:assert/strict";
import {
  costOf,
  type Price,
  tokensOf,
  usageOfChat,
  convertChatUsageToText,
  convertUsageToText,
} from "../../../../src/chat/transcript/usage.ts";
import type { AnswerTurn } from "../../../../src/chat/transcript/transcript.ts";
import type { Usage } from "../../../../src/protocol/conversation/conversation.ts";
import { createTranslate } from "../../../../src/text/translate.ts";

const inEuro: Price = { input: 2, output: 10, currency: "EUR" };

const answer = (id: string, usage?: Usage, priced?: Price): AnswerTurn => ({
  kind: "answer",
  id,
  parentId: "question",
  text: "text",
  reasoning: "",
  state: { kind: "complete", reason: "stop" },
  connection: "Work",
  model: "service-core",
  clientStyle: "messages",
  at: "2026-01-01T00:00:00.000Z",
  ...(usage === undefined ? {} : { usage }),
  ...(priced === undefined ? {} : { price: priced }),
});

describe("the usage of a chat", () => {
  it("has a cost only if both counts and the price are known", () => {
    assert.deepEqual(costOf({ inputTokens: 500_000, outputTokens: 100_000 }, inEuro), {
      amount: 2,
      currency: "EUR",
    });
    assert.equal(costOf({ inputTokens: 5 }, inEuro), undefined);
    assert.equal(costOf({ inputTokens: 5, outputTokens: 5 }, undefined), undefined);
    assert.equal(costOf(undefined, inEuro), undefined);
  });

  it("has the service's total number of tokens, or else the sum of both counts", () => {
    assert.equal(tokensOf({ inputTokens: 3, outputTokens: 4, totalTokens: 9 }), 9);
    assert.equal(tokensOf({ inputTokens: 3, outputTokens: 4 }), 7);
    assert.equal(tokensOf(undefined), 0);
  });

  it("sums all versions of a chat's answers by currency, and counts unreported answers", () => {
    const turns = [
      answer("one", { inputTokens: 100, outputTokens: 10 }, inEuro),
      answer("two", { inputTokens: 200, outputTokens: 20 }, { ...inEuro, currency: "USD" }),
      answer("three", { inputTokens: 300, cacheReadTokens: 150, outputTokens: 30 }, inEuro),
      answer("four"),
    ];
    const { costs, ...counts } = usageOfChat({ turns, arriving: null, leafId: "four" });
    assert.deepEqual(counts, { inputTokens: 600, cacheReadTokens: 150, outputTokens: 60, unreported: 1 });
    assert.deepEqual(
      costs.map(({ amount, currency }) => `${amount.toFixed(4)} ${currency}`),
      ["0.0012 EUR", "0.0006 USD"],
    );
  });

  it("counts a stopped answer as unreported, and ignores empty failed and arriving answers", () => {
    const diagnosis = {
      cause: "invalid-key",
      title: "",
      explanation: "",
      evidence: [],
      actions: [],
    } as const;
    const turns: readonly AnswerTurn[] = [
      { ...answer("stopped", { inputTokens: 120, outputTokens: 1 }, inEuro), state: { kind: "stopped" } },
      { ...answer("refused", undefined, inEuro), text: "", state: { kind: "failed", diagnosis } },
      { ...answer("arriving"), state: { kind: "streaming" } },
      answer("in all", { totalTokens: 500 }, inEuro),
      answer("whole", { inputTokens: 100, outputTokens: 10 }, inEuro),
    ];
    const { costs, ...counts } = usageOfChat({ turns, arriving: null, leafId: "whole" });
    assert.deepEqual(counts, { inputTokens: 220, cacheReadTokens: 0, outputTokens: 10, unreported: 2 });
    assert.deepEqual(
      costs.map(({ amount }) => amount.toFixed(4)),
      ["0.0003"],
    );
  });
});

describe("convertUsageToText", () => {
  const words = { t: createTranslate(), language: "en" };

  it("states counted and unreported tokens", () => {
    assert.equal(
      convertUsageToText({ inputTokens: 12, outputTokens: 0 }, undefined, true, words),
      "Tokens: 12 in, 0 out",
    );
    assert.equal(
      convertUsageToText({ outputTokens: 5 }, undefined, true, words),
      "Tokens: not reported in, 5 out",
    );
    assert.equal(convertUsageToText({ totalTokens: 17 }, undefined, true, words), "Tokens: 17 in total");
    assert.equal(convertUsageToText({}, undefined, true, words), "Tokens: not reported");
    assert.match(
      convertUsageToText({ inputTokens: 12, outputTokens: 0 }, undefined, false, words),
      /^Tokens: 12 in, output unknown because the answer was cut off/,
    );
    assert.equal(convertUsageToText(undefined, undefined, true, words), "Tokens: not reported");
  });

  it("states tokens read from and written to the service's cache", () => {
    const usage = { inputTokens: 1234, cacheReadTokens: 1000, outputTokens: 56 };
    assert.equal(
      convertUsageToText(usage, undefined, true, words),
      "Tokens: 1,234 in (1,000 from cache), 56 out",
    );
    assert.equal(
      convertUsageToText(usage, undefined, false, words),
      "Tokens: 1,234 in (1,000 from cache), output unknown because the answer was cut off",
    );
    const price = { input: 0, output: 0, currency: "USD" };
    assert.equal(
      convertUsageToText({ ...usage, cacheWriteTokens: 2000 }, price, true, words),
      "Tokens: 1,234 in (1,000 from cache), 56 out · 2,000 written to cache · $0.00",
    );
    const chat = { inputTokens: 1200, cacheReadTokens: 1000, outputTokens: 34, unreported: 0, costs: [] };
    assert.equal(
      convertChatUsageToText(chat, words),
      "Tokens of this chat: 1,200 in (1,000 from cache), 34 out",
    );
  });

  it("states an answer's cost if the price is known and the answer is complete", () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100 };
    const price = { input: 2, output: 10, currency: "USD" };
    assert.match(convertUsageToText(usage, price, true, words), /^Tokens: 1,000,000 in, 100 out · \$2\.00$/);
    assert.doesNotMatch(convertUsageToText(usage, price, false, words), /\$/);
  });

  it("sums a chat and states how many answers were not reported", () => {
    const usage = { inputTokens: 1200, outputTokens: 34, cacheReadTokens: 0, unreported: 1, costs: [] };
    assert.equal(
      convertChatUsageToText(usage, words),
      "Tokens of this chat: 1,200 in, 34 out · not reported for 1 answer",
    );
    const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, unreported: 2, costs: [] };
    assert.equal(convertChatUsageToText(nothing, words), "Tokens of this chat: not reported");
  });

  it("formats numbers in VS Code's language, not in the system's", () => {
    const german = { t: words.t, language: "de" };
    const euros = { amount: 1234.5, currency: "EUR" };
    const usage = { inputTokens: 1200, outputTokens: 34, cacheReadTokens: 0, unreported: 0, costs: [euros] };
    assert.equal(
      convertChatUsageToText(usage, german),
      "Tokens of this chat: 1.200 in, 34 out · 1.234,50\u00a0€",
    );
    const price = { input: 2, output: 10, currency: "EUR" };
    assert.match(
      convertUsageToText({ inputTokens: 1_000_000, outputTokens: 0 }, price, true, german),
      /2,00/,
    );
  });
});
