import assert from "node:assert/strict";
import { Anthropic } from "@anthropic-ai/sdk";
import { BadRequestError, NotFoundError, OpenAI } from "openai";
import { picture } from "../../../src/connection/compatibility/probes.ts";
import type { Quirks } from "../../service/quirks.ts";
import { openDesk, type Desk } from "./fixture.ts";

const model = "service-core";
const schema = {
  type: "object" as const,
  properties: { place: { type: "string" }, days: { type: "integer" } },
};
const question = 'Call get_weather for "Ulm" and 3 days.';
const asked = [{ role: "user" as const, content: question }];
const expected = { place: "Ulm", days: 3 };
const dataUrl = `data:${picture.mediaType};base64,${picture.data}`;

function openaiOf({ service, key }: Desk): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${service.origin}/v1`, maxRetries: 0, timeout: 45_000 });
}

function anthropicOf({ service, key }: Desk): Anthropic {
  return new Anthropic({
    apiKey: null,
    authToken: key,
    baseURL: service.origin,
    maxRetries: 0,
    timeout: 45_000,
  });
}

describe("reference service: tools and images, by the official clients", () => {
  it("calls a tool and accepts its result (openai)", async () => {
    await using desk = await openDesk();
    const client = openaiOf(desk);
    const tools = [{ type: "function" as const, function: { name: "get_weather", parameters: schema } }];
    const answer = await client.chat.completions.create({ model, messages: asked, tools });
    const [choice] = answer.choices;
    assert.equal(choice?.finish_reason, "tool_calls");
    const call = choice.message.tool_calls?.[0];
    assert.ok(call?.type === "function");
    assert.deepEqual(JSON.parse(call.function.arguments), expected);
    const result = { role: "tool" as const, tool_call_id: call.id, content: "Rain." };
    const next = await client.chat.completions.create({
      model,
      messages: [...asked, choice.message, result],
      tools,
    });
    assert.match(next.choices[0]?.message.content ?? "", /Rain\./u);
  });

  it("streams a tool call (openai)", async () => {
    await using desk = await openDesk();
    const tools = [{ type: "function" as const, function: { name: "get_weather", parameters: schema } }];
    const stream = openaiOf(desk).chat.completions.stream({ model, messages: asked, tools });
    const completion = await stream.finalChatCompletion();
    const call = completion.choices[0]?.message.tool_calls?.[0];
    assert.ok(call?.type === "function");
    assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ["get_weather", expected]);
  });

  it("calls a tool, whole and streamed, and accepts its result (@anthropic-ai/sdk)", async () => {
    await using desk = await openDesk();
    const client = anthropicOf(desk);
    const tools = [{ name: "get_weather", input_schema: schema }];
    const request = { model, max_tokens: 500, messages: asked, tools };
    const whole = await client.messages.create(request);
    const streamed = await client.messages.stream(request).finalMessage();
    for (const { content, stop_reason: reason } of [whole, streamed]) {
      assert.equal(reason, "tool_use");
      assert.equal(content.length, 1);
      assert.ok(content[0]?.type === "tool_use");
      assert.deepEqual([content[0].name, content[0].input], ["get_weather", expected]);
    }
    const [call] = streamed.content;
    assert.ok(call?.type === "tool_use");
    const result = { type: "tool_result" as const, tool_use_id: call.id, content: "Rain." };
    const next = await client.messages.create({
      ...request,
      messages: [
        ...asked,
        { role: "assistant", content: streamed.content },
        { role: "user", content: [result] },
      ],
    });
    assert.ok(next.content[0]?.type === "text");
    assert.match(next.content[0].text, /Rain\./u);
  });

  it("calls a tool only if asked to or if a tool is required", async () => {
    await using desk = await openDesk();
    const client = openaiOf(desk);
    const tools = [{ type: "function" as const, function: { name: "get_weather", parameters: schema } }];
    const messages = [{ role: "user" as const, content: "hello" }];
    const free = await client.chat.completions.create({ model, messages, tools });
    assert.equal(free.choices[0]?.message.tool_calls, undefined);
    const bound = await client.chat.completions.create({ model, messages, tools, tool_choice: "required" });
    assert.equal(bound.choices[0]?.message.tool_calls?.length, 1);
  });

  it("sees an image in both styles", async () => {
    await using desk = await openDesk();
    const answer = await openaiOf(desk).chat.completions.create({
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: dataUrl } },
            { type: "text", text: "What is this?" },
          ],
        },
      ],
    });
    assert.match(answer.choices[0]?.message.content ?? "", /yellow above, blue below/u);
    const source = { type: "base64" as const, media_type: "image/png" as const, data: picture.data };
    const message = await anthropicOf(desk).messages.create({
      model,
      max_tokens: 50,
      messages: [{ role: "user", content: [{ type: "image", source }] }],
    });
    assert.ok(message.content[0]?.type === "text");
    assert.match(message.content[0].text, /yellow above, blue below/u);
  });
});

async function refusal(quirks: Partial<Quirks>, more: object): Promise<unknown> {
  await using desk = await openDesk({ quirks });
  return await openaiOf(desk)
    .chat.completions.create({ model, messages: asked, max_tokens: 5, ...more })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

describe("reference service: quirks", () => {
  it("refuses fields by name and accepts requests without them", async () => {
    const error = await refusal({ refuse: ["stream_options"] }, { stream: true, stream_options: {} });
    assert.ok(error instanceof BadRequestError);
    assert.deepEqual([error.code, error.param], ["unsupported_parameter", "stream_options"]);
    assert.equal(await refusal({ refuse: ["stream_options"] }, {}), undefined);
    const cap = await refusal({ refuse: ["max_tokens"] }, {});
    assert.match(String(cap), /Use 'max_completion_tokens' instead/u);
  });

  it("has no path for a style that is off, but lists models", async () => {
    assert.ok((await refusal({ styles: ["messages"] }, {})) instanceof NotFoundError);
    await using desk = await openDesk({ quirks: { styles: [] } });
    assert.ok((await openaiOf(desk).models.list()).data.length > 0);
  });
});
