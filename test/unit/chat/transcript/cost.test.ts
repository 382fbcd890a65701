import assert from "node:assert/strict";
import { costOf, type Price, tokensOf, usageOfChat } from "../../../../src/chat/transcript/cost.ts";
import type { AnswerTurn } from "../../../../src/chat/transcript/transcript.ts";
import type { Usage } from "../../../../src/protocol/conversation/conversation.ts";

const price: Price = { input: 2, output: 10, currency: "EUR" };

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

describe("cost", () => {
  it("is known only where both counts and the price are", () => {
    assert.deepEqual(costOf({ inputTokens: 500_000, outputTokens: 100_000 }, price), {
      amount: 2,
      currency: "EUR",
    });
    assert.equal(costOf({ inputTokens: 5 }, price), undefined);
    assert.equal(costOf({ inputTokens: 5, outputTokens: 5 }, undefined), undefined);
    assert.equal(costOf(undefined, price), undefined);
  });

  it("counts tokens by the sum the service gives, else by its parts", () => {
    assert.equal(tokensOf({ inputTokens: 3, outputTokens: 4, totalTokens: 9 }), 9);
    assert.equal(tokensOf({ inputTokens: 3, outputTokens: 4 }), 7);
    assert.equal(tokensOf(undefined), 0);
  });

  it("adds up every version of a chat's answers, by currency, and counts what was not reported", () => {
    const turns = [
      answer("one", { inputTokens: 100, outputTokens: 10 }, price),
      answer("two", { inputTokens: 200, outputTokens: 20 }, { ...price, currency: "USD" }),
      answer("three", { inputTokens: 300, cacheReadTokens: 150, outputTokens: 30 }, price),
      answer("four"),
    ];
    const { costs, ...counts } = usageOfChat({ turns, arriving: null, leafId: "four" });
    assert.deepEqual(counts, { inputTokens: 600, cacheReadTokens: 150, outputTokens: 60, unreported: 1 });
    assert.deepEqual(
      costs.map(({ amount, currency }) => `${amount.toFixed(4)} ${currency}`),
      ["0.0012 EUR", "0.0006 USD"],
    );
  });

  it("takes no count for one that is not whole, and counts nothing where nothing was generated", () => {
    const diagnosis = {
      cause: "invalid-key",
      title: "",
      explanation: "",
      evidence: [],
      actions: [],
    } as const;
    const turns: readonly AnswerTurn[] = [
      { ...answer("stopped", { inputTokens: 120, outputTokens: 1 }, price), state: { kind: "stopped" } },
      { ...answer("refused", undefined, price), text: "", state: { kind: "failed", diagnosis } },
      { ...answer("arriving"), state: { kind: "streaming" } },
      answer("in all", { totalTokens: 500 }, price),
      answer("whole", { inputTokens: 100, outputTokens: 10 }, price),
    ];
    const { costs, ...counts } = usageOfChat({ turns, arriving: null, leafId: "whole" });
    assert.deepEqual(counts, { inputTokens: 220, cacheReadTokens: 0, outputTokens: 10, unreported: 2 });
    assert.deepEqual(
      costs.map(({ amount }) => amount.toFixed(4)),
      ["0.0003"],
    );
  });
});
