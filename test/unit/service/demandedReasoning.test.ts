import assert from "node:assert/strict";
import { Anthropic } from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { chatPath, type Desk, messagesPath, openDesk, post } from "./fixture.ts";

const model = "service-core";
const schema = { type: "object" as const, properties: { place: { type: "string" } } };
const question = { role: "user" as const, content: 'Call get_weather for "Ulm" and get_time.' };
const names = ["get_weather", "get_time"];
const chatTools = names.map((name) => ({
  type: "function" as const,
  function: { name, parameters: schema },
}));
const tools = names.map((name) => ({ name, input_schema: schema }));

const openThinkingDesk = (): Promise<Desk> => openDesk({ quirks: { demandsReasoning: true } });

function openaiOf({ service, key }: Desk): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${service.origin}/v1`, maxRetries: 0, timeout: 45_000 });
}

function anthropicOf({ service, key }: Desk): Anthropic {
  const options = { apiKey: null, authToken: key, baseURL: service.origin };
  return new Anthropic({ ...options, maxRetries: 0, timeout: 45_000 });
}

/** Status and text of the answer to a body. */
async function answerTo(desk: Desk, path: string, body: object): Promise<string> {
  const response = await post(desk, path, { model, max_tokens: 500, ...body });
  return `${response.status} ${await response.text()}`;
}

describe("reference service: demanded reasoning", () => {
  it("is accepted unchanged from the official client, and required (openai)", async () => {
    await using desk = await openThinkingDesk();
    const request = { model, messages: [question], tools: chatTools };
    const { choices } = await openaiOf(desk).chat.completions.create(request);
    const message = choices[0]?.message ?? assert.fail("no choice");
    assert.match(String(Reflect.get(message, "reasoning_content")), /I need get_weather/u);
    const results = (message.tool_calls ?? []).map(({ id }) => ({
      role: "tool" as const,
      tool_call_id: id,
      content: "Rain.",
    }));
    assert.equal(results.length, 2);
    const next = await openaiOf(desk).chat.completions.create({
      ...request,
      messages: [question, message, ...results],
    });
    assert.match(next.choices[0]?.message.content ?? "", /Rain\./u);
    const { reasoning_content: _, ...bare } = { reasoning_content: "", ...message };
    const without = await answerTo(desk, chatPath, {
      tools: chatTools,
      messages: [question, bare, ...results],
    });
    assert.match(without, /^400 .*reasoning_content is missing in assistant tool call message at index 1/u);
    const altered = { ...message, reasoning_content: "I need nothing." };
    const changed = await answerTo(desk, chatPath, {
      tools: chatTools,
      messages: [question, altered, ...results],
    });
    assert.match(changed, /^400 .*unchanged/u);
  });

  it("is accepted unchanged from the official client, and required (@anthropic-ai/sdk)", async () => {
    await using desk = await openThinkingDesk();
    const request = { model, max_tokens: 500, messages: [question], tools };
    const whole = await anthropicOf(desk).messages.create(request);
    const streamed = await anthropicOf(desk).messages.stream(request).finalMessage();
    for (const { content } of [whole, streamed]) {
      assert.deepEqual(
        content.map(({ type }) => type),
        ["thinking", "text", "redacted_thinking", "tool_use", "thinking", "tool_use"],
      );
      const results = content.flatMap((block) =>
        block.type === "tool_use"
          ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "Rain." }]
          : [],
      );
      const turns = (given: typeof content) => [
        question,
        { role: "assistant" as const, content: given },
        { role: "user" as const, content: results },
      ];
      const next = await anthropicOf(desk).messages.create({ ...request, messages: turns(content) });
      const last = next.content.at(-1);
      assert.match(last?.type === "text" ? last.text : "", /Rain\./u);
      const bare = content.filter(({ type }) => type === "text" || type === "tool_use");
      const refused = [
        [bare, /Expected `thinking` or `redacted_thinking`, but found `text`/u],
        [content.filter(({ type }) => type !== "redacted_thinking"), /cannot be modified/u],
        [content.toReversed(), /Expected `thinking`/u],
        [
          content.map((block) => (block.type === "thinking" ? { ...block, thinking: "No." } : block)),
          /messages\.1\.content\.0: Invalid `signature` in `thinking` block/u,
        ],
      ] as const;
      for (const [given, words] of refused) {
        const answer = await answerTo(desk, messagesPath, { tools, messages: turns(given) });
        assert.ok(answer.startsWith("400 "), answer);
        assert.match(answer, words);
      }
    }
  });

  it("is sent only with tools and only if the option is on", async () => {
    await using desk = await openThinkingDesk();
    const plain = await answerTo(desk, messagesPath, { messages: [question] });
    assert.doesNotMatch(plain, /thinking/u);
    await using easy = await openDesk();
    const { choices } = await openaiOf(easy).chat.completions.create({
      model,
      messages: [question],
      tools: chatTools,
    });
    assert.equal(Reflect.get(choices[0]?.message ?? {}, "reasoning_content"), undefined);
  });
});
