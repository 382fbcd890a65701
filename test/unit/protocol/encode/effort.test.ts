import assert from "node:assert/strict";
import fc from "fast-check";
import { maxBudgetTokens, minBudgetTokens } from "../../../../src/protocol/encode/effort.ts";
import type { ChatRequest } from "../../../../src/protocol/conversation/conversation.ts";
import { isFields } from "../../../../src/protocol/conversation/json.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../../../src/protocol/styles/wireStyles.ts";

const request: ChatRequest = {
  model: "service-core",
  maxTokens: 4096,
  stream: true,
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
};
const both = { level: "high", budgetTokens: 2048 } as const;

/** The budget that is sent for one in the user's own field `thinking`. Sampling is sent only without thinking. */
function sentBudget(budget: number, maxTokens: number): unknown {
  const fields = { thinking: { type: "enabled", budget_tokens: budget, display: "x" }, temperature: 0.5 };
  const { thinking, temperature } = wireStyles.messages.encodeRequest({ ...request, maxTokens, fields });
  assert.equal(temperature, thinking === undefined ? 0.5 : undefined);
  if (isFields(thinking)) assert.equal(thinking["display"], "x");
  return isFields(thinking) ? thinking["budget_tokens"] : undefined;
}

describe("the effort of a request", () => {
  it("sends a level in Chat Completions and a thinking budget in Messages", () => {
    const chat = wireStyles["chat-completions"].encodeRequest({ ...request, effort: both });
    assert.equal(chat["reasoning_effort"], "high");
    assert.equal(chat["thinking"], undefined);
    const messages = wireStyles.messages.encodeRequest({ ...request, effort: both });
    assert.deepEqual(messages["thinking"], { type: "enabled", budget_tokens: 2048 });
    assert.equal(messages["reasoning_effort"], undefined);
    assert.equal(messages["max_tokens"], 4096);
  });

  it("sends nothing if it is off", () => {
    for (const style of clientStyles) {
      const body = wireStyles[style].encodeRequest(request);
      assert.deepEqual(
        Object.keys(body).filter((name) => /effort|thinking/.test(name)),
        [],
      );
    }
  });

  it("leaves out sampling with thinking, and keeps it with a level", () => {
    const sampling = { temperature: 0.2, topP: 0.9, topK: 5, stop: ["END"] };
    const fields = { temperature: 0.1, top_p: 0.8, top_k: 3, metadata: { user_id: "u" } };
    for (const given of [{ sampling }, { fields }, { sampling, fields }]) {
      const messages = wireStyles.messages.encodeRequest({ ...request, ...given, effort: both });
      for (const name of ["temperature", "top_p", "top_k"]) assert.ok(!(name in messages), name);
      const chat = wireStyles["chat-completions"].encodeRequest({ ...request, ...given, effort: both });
      assert.equal(typeof chat["temperature"], "number");
    }
    const kept = wireStyles.messages.encodeRequest({ ...request, fields, effort: both });
    assert.deepEqual(kept["metadata"], { user_id: "u" });
    const off = wireStyles.messages.encodeRequest({
      ...request,
      fields: { ...fields, thinking: { type: "disabled" } },
    });
    assert.equal(off["temperature"], 0.1);
  });

  it("sends no thinking if a tool must be called", () => {
    const body = wireStyles.messages.encodeRequest({ ...request, effort: both, toolChoice: "required" });
    assert.equal(body["thinking"], undefined);
  });

  it("keeps every budget at 1,024 or more and below the token limit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70_000 }),
        fc.integer({ min: 1, max: 70_000 }),
        (maxTokens, budgetTokens) => {
          const { thinking, max_tokens: limit } = wireStyles.messages.encodeRequest({
            ...request,
            maxTokens,
            effort: { budgetTokens },
          });
          assert.equal(limit, maxTokens);
          if (!isFields(thinking))
            return assert.ok(maxTokens <= minBudgetTokens || budgetTokens < minBudgetTokens);
          const sent = Number(thinking["budget_tokens"]);
          assert.ok(sent >= minBudgetTokens && sent < maxTokens && sent <= budgetTokens);
          if (budgetTokens <= maxBudgetTokens(maxTokens)) assert.equal(sent, budgetTokens);
        },
      ),
    );
  });

  it("fits a budget in a field of the user to the token limit", () => {
    assert.equal(sentBudget(64_000, 4096), 2048);
    assert.equal(sentBudget(3072, 4096), 3072);
    assert.equal(sentBudget(64_000, 1500), 1024);
    assert.equal(sentBudget(64_000, 1024), undefined);
    // The service says what is wrong with it.
    assert.equal(sentBudget(5, 4096), 5);
  });

  it("leaves a quarter of the token limit for the answer", () => {
    const body = wireStyles.messages.encodeRequest({ ...request, effort: { budgetTokens: 4095 } });
    assert.deepEqual(body["thinking"], { type: "enabled", budget_tokens: 2048 });
  });

  it("never lets fields of the user replace fields of the request", () => {
    const tools = [{ name: "read", description: "Reads.", schema: { type: "object" } }];
    const asked: ChatRequest = { ...request, tools, toolChoice: "auto", effort: both };
    fc.assert(
      fc.property(fc.constantFrom(...clientStyles), fc.jsonValue(), (style, value) => {
        const own = wireStyles[style].encodeRequest(asked);
        const fields = Object.fromEntries([...Object.keys(own), "top_logprobs"].map((name) => [name, value]));
        assert.deepEqual(wireStyles[style].encodeRequest({ ...asked, fields }), {
          ...own,
          top_logprobs: value,
        });
      }),
    );
  });
});
