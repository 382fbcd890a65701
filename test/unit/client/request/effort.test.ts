import assert from "node:assert/strict";
import type { InferenceError } from "../../../../src/client/failure/failure.ts";
import { readRefusal } from "../../../../src/client/http/refusal.ts";
import { RefusedValues } from "../../../../src/client/request/requestMemory.ts";
import { readRefusedField } from "../../../../src/client/request/refusedField.ts";
import { failed } from "../../../support/failed.ts";
import type { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import {
  type Adaptation,
  adaptBody,
  type LastingAdaptation,
} from "../../../../src/protocol/encode/adaptation.ts";
import type {
  ChatRequest,
  ContentPart,
  Message,
  StreamPart,
} from "../../../../src/protocol/conversation/conversation.ts";
import {
  type ClientStyle,
  clientStyles,
  styleFacts,
} from "../../../../src/protocol/conversation/wireStyle.ts";
import type { Ask } from "../../../service/generation.ts";
import { noQuirks } from "../../../service/quirks.ts";
import { type ReferenceService, startReferenceService } from "../../../service/serve.ts";
import { fakeKey, soon } from "../../service/fixture.ts";
import { createTestClient } from "./testClient.ts";

const tools = [{ name: "get_time", description: "Tells the time.", schema: { type: "object" } }];
const twoRounds = ({ messages, tools: offered }: Ask) =>
  offered.length === 0 || messages.filter(({ role }) => role === "assistant").length >= 2
    ? []
    : [{ name: "get_time", arguments: "{}" }];

const request: ChatRequest = {
  model: "service-core",
  maxTokens: 4096,
  stream: true,
  messages: [{ role: "user", content: [{ type: "text", text: "How late is it?" }] }],
  effort: { level: "high", budgetTokens: 2048 },
  fields: { temperature: 0.2 },
};

describe("an effort on the wire", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  let service: ReferenceService;
  let learnt: LastingAdaptation[];
  let client: InferenceClient;
  let key: string;

  before(async () => {
    service = await startReferenceService({ calls: twoRounds });
    key = service.keys.add({}, fakeKey("effort"));
  });
  beforeEach(() => {
    learnt = [];
    service.quirks = noQuirks;
    service.journal.clear();
    client = createTestClient({
      transport,
      origin: service.origin,
      key,
      memory: {
        adaptationsFor: () => learnt,
        learnNoImages: () => undefined,
        learn: (_asked, adaptation) => void learnt.push(adaptation),
        refusedValues: new RefusedValues(),
      },
    });
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  interface Answer {
    readonly parts: readonly StreamPart[];
    readonly omitted: readonly string[];
  }

  async function ask(style: ClientStyle, more: Partial<ChatRequest> = {}): Promise<Answer> {
    const parts: StreamPart[] = [];
    const omitted: string[] = [];
    const asked = { ...request, ...more };
    const stream = client.streamChat(style, asked, soon(), undefined, (field, value) =>
      omitted.push(value === undefined ? field : `${field}: ${value}`),
    );
    for await (const batch of stream) parts.push(...batch);
    return { parts, omitted };
  }

  const reasons = ({ parts }: Answer): boolean => parts.some(({ type }) => type === "reasoning-delta");
  const sentFields = (): readonly (readonly string[])[] =>
    service.journal.entries.map(({ fields = [] }) =>
      fields.filter((name) => /effort|thinking|temperature/.test(name)),
    );

  for (const style of clientStyles) {
    const field = styleFacts[style].effort.field;

    it(`makes the model reason (${style})`, async () => {
      const answer = await ask(style);
      assert.ok(reasons(answer));
      assert.deepEqual(answer.omitted, []);
      assert.ok(sentFields()[0]?.includes(field));
      assert.ok(!reasons(await ask(style, { effort: {} })));
    });

    it(`is left out once refused, and reported only once (${style})`, async () => {
      service.quirks = { ...noQuirks, refuse: [field] };
      const first = await ask(style);
      assert.deepEqual(first.omitted, [field]);
      assert.ok(!reasons(first) && first.parts.some(({ type }) => type === "text-delta"));
      const second = await ask(style);
      assert.deepEqual(second.omitted, []);
      assert.equal(learnt.length, 1);
      // The field that thinking excludes is sent again without it.
      const refusedFields = style === "messages" ? ["thinking"] : ["temperature", "reasoning_effort"];
      assert.deepEqual(
        sentFields().map((names) => names.toSorted()),
        [refusedFields.toSorted(), ["temperature"], ["temperature"]],
      );
      assert.deepEqual(
        service.journal.entries.map(({ status }) => status),
        [400, 200, 200],
      );
    });

    it(`leaves out a refused field of the user, and reports it once (${style})`, async () => {
      service.quirks = { ...noQuirks, refuse: ["repetition_penalty"] };
      const fields = { repetition_penalty: 1.1, min_p: 0.1 };
      assert.deepEqual((await ask(style, { fields })).omitted, ["repetition_penalty"]);
      assert.deepEqual((await ask(style, { fields })).omitted, []);
      const last = service.journal.entries.at(-1)?.fields ?? [];
      assert.ok(last.includes("min_p") && !last.includes("repetition_penalty"));
      assert.deepEqual(learnt, []);
    });

    it(`leaves out a field of the user if a part of its value is refused (${style})`, async () => {
      service.quirks = { ...noQuirks, refuse: ["provider.order"] };
      const fields = { provider: { order: ["a"] }, min_p: 0.1 };
      assert.deepEqual((await ask(style, { fields })).omitted, ["provider"]);
      assert.ok(service.journal.entries.at(-1)?.fields?.includes("min_p"));
      const other = { ...fields, provider: { sort: "price" } };
      assert.deepEqual((await ask(style, { fields: other })).omitted, []);
      assert.ok(service.journal.entries.at(-1)?.fields?.includes("provider"));
    });

    it(`sends a field of the user again with another value (${style})`, async () => {
      service.quirks = { ...noQuirks, refuse: ["repetition_penalty", field] };
      const own = style === "messages" ? { type: "enabled", budget_tokens: 1024 } : "high";
      const fields = { repetition_penalty: 9, [field]: own };
      const refused = await ask(style, { fields, effort: {} });
      assert.deepEqual(refused.omitted.toSorted(), ["repetition_penalty", field].toSorted());
      service.quirks = noQuirks;
      assert.deepEqual((await ask(style, { fields: { repetition_penalty: 1.1 }, effort: {} })).omitted, []);
      assert.ok(service.journal.entries.at(-1)?.fields?.includes("repetition_penalty"));
      // The selected effort is another value as well.
      assert.ok(reasons(await ask(style, { fields })));
      assert.deepEqual(learnt, []);
    });

    it(`sends a field of the user although the effort of this name was refused before (${style})`, async () => {
      service.quirks = { ...noQuirks, refuse: [field] };
      await ask(style);
      assert.equal(learnt.length, 1);
      const own = style === "messages" ? { type: "enabled", budget_tokens: 1024 } : "low";
      const fields = { [field]: own };
      assert.deepEqual((await ask(style, { fields, effort: {} })).omitted, [field], "told once");
      assert.deepEqual((await ask(style, { fields, effort: {} })).omitted, []);
      service.quirks = noQuirks;
      const other = { [field]: style === "messages" ? { ...Object(own), budget_tokens: 2048 } : "high" };
      assert.ok(reasons(await ask(style, { fields: other, effort: {} })));
      assert.equal(learnt.length, 1);
    });

    it(`returns reasoning unchanged between two tool calls (${style})`, async () => {
      // With thinking, the service refuses missing or changed thinking blocks.
      const messages: Message[] = [...request.messages];
      for (;;) {
        const { parts } = await ask(style, { messages, tools, required: ["tools"] });
        const content = parts.flatMap((part): readonly ContentPart[] => {
          if (part.type === "text-delta") return [{ type: "text", text: part.text }];
          return part.type === "reasoning" || part.type === "tool-call" ? [part] : [];
        });
        messages.push({ role: "assistant", content });
        const calls = content.filter((part) => part.type === "tool-call");
        if (calls.length === 0) break;
        const results = calls.map(({ id }) => ({ type: "tool-result" as const, callId: id, text: "noon" }));
        messages.push({ role: "user", content: results });
      }
      assert.deepEqual(
        service.journal.entries.map(({ status }) => status),
        [200, 200, 200],
      );
      assert.deepEqual(learnt, []);
    });
  }

  it("keeps the effort if the service refuses the field thinking of the user", async () => {
    service.quirks = { ...noQuirks, refuse: ["thinking"] };
    const fields = { thinking: { type: "enabled" } };
    for (const omitted of [["thinking"], []]) {
      const answer = await ask("chat-completions", { fields });
      assert.deepEqual(answer.omitted, omitted);
      assert.ok(reasons(answer));
    }
    assert.deepEqual(sentFields(), [
      ["thinking", "reasoning_effort"].toSorted(),
      ["reasoning_effort"],
      ["reasoning_effort"],
    ]);
  });

  it("asks for a refused level of the effort only once, and still for another", async () => {
    service.quirks = { ...noQuirks, refuse: ["reasoning_effort=high"] };
    for (const omitted of [["reasoning_effort: high"], [], []])
      assert.deepEqual((await ask("chat-completions")).omitted, omitted);
    const statuses = (): readonly number[] => service.journal.entries.map(({ status }) => status ?? 0);
    assert.deepEqual(statuses(), [400, 200, 200, 200]);
    assert.ok(reasons(await ask("chat-completions", { effort: { level: "low" } })));
    assert.equal((await ask("chat-completions")).omitted.length, 0);
    assert.deepEqual(
      statuses().filter((status) => status === 400),
      [400],
    );
    assert.deepEqual(learnt, []);
  });

  it("keeps calls as calls once the effort is off again", async () => {
    // Resumed with a budget, after calls that the model made without thinking.
    const call = {
      type: "tool-call",
      id: "1",
      name: "get_time",
      arguments: { kind: "object", value: {} },
    } as const;
    const messages: Message[] = [
      ...request.messages,
      { role: "assistant", content: [call] },
      { role: "user", content: [{ type: "tool-result", callId: "1", text: "noon" }] },
    ];
    const asked = { messages, tools, required: ["tools"] };
    assert.ok(reasons(await ask("messages", asked)));
    assert.deepEqual(learnt, []);
    assert.deepEqual(
      service.journal.entries.map(({ status }) => status),
      [400, 200],
    );
  });
});

const sent = {
  model: "service-core",
  messages: [{ role: "user", content: "Hi" }],
  max_tokens: 4096,
  stream: true,
  temperature: 0.5,
};
const omitBlocks: Adaptation = { kind: "omit", field: "thinking" };

function refusal(message: string): InferenceError {
  const body = JSON.stringify({ error: { message, type: "invalid_request_error" } });
  return failed(readRefusal(400, {}, new TextEncoder().encode(body), 0));
}

describe("a refusal of the effort", () => {
  const withLevel = { ...sent, reasoning_effort: "high" };
  const withBudget = { ...sent, thinking: { type: "enabled", budget_tokens: 1024 } };

  it("leads to its omission if the service refuses the field or the feature", () => {
    for (const message of [
      "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
      "Unrecognized request argument supplied: reasoning_effort",
      "small-model does not support reasoning effort",
      "Unsupported value: 'reasoning_effort' does not support 'high' with this model. Supported values are: 'none'.",
    ])
      assert.deepEqual(
        readRefusedField(refusal(message), withLevel),
        { kind: "omit", field: "reasoning_effort" },
        message,
      );
    for (const message of [
      "thinking: Extra inputs are not permitted",
      "thinking is not supported for this model",
      "This model does not support extended thinking.",
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" instead.',
      "Unsupported parameter: 'thinking' is not supported with this model.",
    ])
      assert.deepEqual(readRefusedField(refusal(message), withBudget), { kind: "omit-thinking" }, message);
  });

  it("leads to its omission from one request if another level may work", () => {
    for (const message of [
      "Unsupported value: 'reasoning_effort' does not support 'high' with this model. Supported values are: 'low'.",
      "Unsupported value: 'reasoning_effort' does not support 'high' with this model.",
      "reasoning_effort 'high' is not supported, use 'low' or 'medium'",
    ])
      assert.deepEqual(
        readRefusedField(refusal(message), withLevel),
        { kind: "omit-value", field: "reasoning_effort" },
        message,
      );
  });

  it("leads to nothing if only a value is wrong, or if thinking was not sent", () => {
    for (const message of [
      "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
      "`max_tokens` must be greater than `thinking.budget_tokens`.",
    ])
      assert.equal(readRefusedField(refusal(message), withBudget), undefined, message);
    const message = "thinking is not supported for this model";
    assert.equal(readRefusedField(refusal(message), sent), undefined);
  });

  it("keeps the budget if the service refuses blocks of earlier turns, and the blocks if it refuses the budget", () => {
    const block = { type: "thinking", thinking: "Hm." };
    const turn = { role: "assistant", content: [block, { type: "tool_use", id: "1", name: "a", input: {} }] };
    const looped = { ...withBudget, messages: [...withBudget.messages, turn] };
    const refusedBlocks = "messages.1.content.0: thinking blocks are not supported";
    assert.deepEqual(readRefusedField(refusal(refusedBlocks), looped), omitBlocks);
    assert.deepEqual(adaptBody(looped, [omitBlocks])["thinking"], withBudget.thinking);
    const without = adaptBody(looped, [{ kind: "omit-thinking" }]);
    assert.deepEqual([without["thinking"], without["messages"]], [undefined, looped.messages]);
  });
});
