import fc from "fast-check";
import type { ClientStyle } from "../../src/protocol/conversation/wireStyle.ts";
import { damagedJson } from "./damagedJson.ts";
import { jsonTexts } from "./hostileTexts.ts";

const call = { index: 0, id: "c1", type: "function", function: { name: "look", arguments: '{"a":' } };
const chunkOf = (delta: object, more: object = {}): object => ({
  id: "a1",
  choices: [{ index: 0, delta, ...more }],
});

/** The data of valid events, with every member that a decoder reads. */
export const goodEvents: Readonly<Record<ClientStyle, readonly object[]>> = {
  "chat-completions": [
    chunkOf({ role: "assistant", content: "" }),
    chunkOf({ content: "Hello" }),
    chunkOf({ content: " there", refusal: null }),
    chunkOf({ content: [{ type: "text", text: "in parts" }] }),
    chunkOf({ reasoning_content: "Hm." }),
    chunkOf({ reasoning: "Hm." }),
    chunkOf({ reasoning_details: [{ type: "reasoning.text", index: 0, text: "Hm.", signature: "s" }] }),
    chunkOf({ thinking_blocks: [{ type: "thinking", thinking: "Hm.", signature: "s" }] }),
    chunkOf({ refusal: "I cannot" }),
    chunkOf({ tool_calls: [call] }),
    chunkOf({
      tool_calls: [
        { index: 0, function: { arguments: "1}" } },
        { ...call, index: 1, extra_content: { google: { thought_signature: "s" } } },
      ],
    }),
    chunkOf({ function_call: { name: "look", arguments: "{}" } }),
    chunkOf({}, { finish_reason: "stop" }),
    chunkOf({ content: "." }, { finish_reason: "length" }),
    chunkOf({}, { finish_reason: "error", error: { message: "broke", code: 502 } }),
    {
      request_id: "r1",
      x_groq: { id: "r2", usage: { prompt_tokens: 1, completion_tokens: 2 } },
      choices: [],
    },
    {
      choices: [],
      usage: { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
    },
    { error: { message: "broke", type: "server_error", code: "x" } },
  ],
  messages: [
    {
      type: "message_start",
      message: { id: "m1", role: "assistant", usage: { input_tokens: 1, output_tokens: 1 } },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_start", index: 1, content_block: { type: "thinking", thinking: "Hm." } },
    { type: "content_block_start", index: 3, content_block: { type: "redacted_thinking", data: "r" } },
    {
      type: "content_block_start",
      index: 2,
      content_block: { type: "tool_use", id: "t1", name: "look", input: {} },
    },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " there" } },
    { type: "content_block_delta", index: 1, delta: { type: "thinking_delta", thinking: "Hm." } },
    { type: "content_block_delta", index: 1, delta: { type: "signature_delta", signature: "s" } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"a":' } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "1}" } },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
    { type: "message_delta", delta: { stop_reason: "refusal", stop_details: { explanation: "no" } } },
    { type: "message_stop" },
    { type: "ping" },
    { type: "error", error: { type: "overloaded_error", message: "busy" }, request_id: "r1" },
  ],
};

/** Generates event data of a client style: valid events, events with one error, and other texts. */
export function eventData(style: ClientStyle): fc.Arbitrary<string> {
  const sample = fc.constantFrom(...goodEvents[style]);
  return fc.oneof(
    { weight: 5, arbitrary: sample.map((event) => JSON.stringify(event)) },
    { weight: 4, arbitrary: sample.chain((event) => damagedJson(event, jsonTexts)) },
    { weight: 1, arbitrary: fc.constantFrom("[DONE]", ": c", "") },
    { weight: 2, arbitrary: jsonTexts },
  );
}
