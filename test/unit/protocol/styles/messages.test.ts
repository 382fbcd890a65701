import assert from "node:assert/strict";
import fc from "fast-check";
import type { StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { messages } from "../../../../src/protocol/styles/messages.ts";

interface Decoded {
  readonly parts: readonly StreamPart[];
  readonly finished: boolean;
  readonly ended: boolean;
}

function decode(...events: readonly (object | string)[]): Decoded {
  const decoder = messages.createStreamDecoder();
  const parts = events.flatMap((event) =>
    decoder.decode(typeof event === "string" ? event : JSON.stringify(event)),
  );
  return { parts, finished: decoder.finished, ended: decoder.ended };
}

const start = (usage: object): object => ({
  type: "message_start",
  message: { id: "m", content: [], usage },
});
const delta = (value: object): object => ({ type: "content_block_delta", index: 0, delta: value });
const end = (reason: string, rest: object = {}): object => ({
  type: "message_delta",
  delta: { stop_reason: reason, ...rest },
});
const turn = (role: "system" | "user" | "assistant", text: string) =>
  ({ role, content: [{ type: "text", text }] }) as const;

const marked = (text: string) => [{ type: "text", text, cache_control: { type: "ephemeral" } }];

describe("messages", () => {
  it("encodes a request with separate instructions, cache marks, and the API version", () => {
    const encoded = messages.encodeRequest({
      model: "service-core",
      maxTokens: 1,
      stream: true,
      messages: [
        turn("system", "A"),
        turn("user", "Hi"),
        turn("assistant", "Yes?"),
        turn("system", "B"),
        turn("user", "Go"),
      ],
    });
    assert.deepEqual(encoded, {
      model: "service-core",
      max_tokens: 1,
      system: marked("A\n\nB"),
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Yes?" },
        { role: "user", content: marked("Go") },
      ],
      stream: true,
    });
    assert.deepEqual(messages.headers, { "anthropic-version": "2023-06-01" });
  });

  it("omits empty instructions, and `stream` in a request for a whole answer", () => {
    const message = { role: "user", content: [{ type: "text", text: "Hi" }] } as const;
    const encoded = messages.encodeRequest({ model: "m", maxTokens: 1, stream: false, messages: [message] });
    assert.deepEqual(Object.keys(encoded), ["model", "max_tokens", "messages"]);
  });

  it("decodes text, thinking, the end, and revised token counts", () => {
    const { parts, ended } = decode(
      start({ input_tokens: 5, output_tokens: 1 }),
      start({ input_tokens: 5, output_tokens: 1 }),
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "thinking", thinking: "", signature: "" },
      },
      delta({ type: "thinking_delta", thinking: "Hm" }),
      delta({ type: "signature_delta", signature: "xyz" }),
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "Go" } },
      { type: "ping" },
      delta({ type: "text_delta", text: "od" }),
      { ...end("end_turn"), usage: { input_tokens: 6, output_tokens: 9 } },
      { type: "message_stop" },
    );
    assert.deepEqual(parts, [
      { type: "usage", usage: { inputTokens: 5, outputTokens: 1 } },
      { type: "usage", usage: { inputTokens: 5, outputTokens: 1 } },
      { type: "reasoning-delta", text: "Hm" },
      { type: "reasoning", form: "thinking", text: "Hm", signature: "xyz" },
      { type: "text-delta", text: "Go" },
      { type: "text-delta", text: "od" },
      { type: "usage", usage: { inputTokens: 6, outputTokens: 9 } },
      { type: "finish", reason: "stop", wireReason: "end_turn" },
    ]);
    assert.equal(ended, true);
  });

  it("counts cache reads and writes as input", () => {
    const { parts } = decode(
      start({
        input_tokens: 4,
        cache_read_input_tokens: 90,
        cache_creation_input_tokens: 6,
        output_tokens: 1,
      }),
      { ...end("end_turn"), usage: { input_tokens: 5, cache_read_input_tokens: null, output_tokens: 9 } },
    );
    assert.deepEqual(
      parts.filter(({ type }) => type === "usage"),
      [
        {
          type: "usage",
          usage: { inputTokens: 100, cacheReadTokens: 90, cacheWriteTokens: 6, outputTokens: 1 },
        },
        {
          type: "usage",
          usage: { inputTokens: 101, cacheReadTokens: 90, cacheWriteTokens: 6, outputTokens: 9 },
        },
      ],
    );
  });

  it("ignores unknown blocks and events, and a call without a name", () => {
    const { parts, finished } = decode(
      { type: "content_block_start", content_block: { type: "tool_use", id: "t", input: {} } },
      delta({ type: "input_json_delta", partial_json: "{" }),
      delta({ type: "odd_delta", content: "x" }),
      { type: "something_new", text: "x" },
    );
    assert.deepEqual({ parts, finished }, { parts: [], finished: false });
  });

  it("ends at a stop reason, at message_stop, and at [DONE]", () => {
    for (const event of [end("max_tokens"), { type: "message_stop" }, "[DONE]"]) {
      assert.equal(decode(event).finished, true);
      assert.equal(decode(event).ended, typeof event === "string" || !("delta" in event));
    }
    assert.equal(decode({ type: "content_block_stop" }).finished, false);
  });

  it("continues after a stop reason, but not after message_stop", () => {
    const text = delta({ type: "text_delta", text: "a" });
    const more = [
      text,
      delta({ type: "thinking_delta", thinking: "a" }),
      { type: "content_block_start", content_block: { type: "text", text: "a" } },
      { type: "content_block_start", content_block: { type: "tool_use", id: "t", name: "n" } },
    ];
    for (const event of more) {
      assert.equal(decode(text, text, end("end_turn"), event).finished, false, JSON.stringify(event));
      assert.equal(decode(end("end_turn"), event, end("end_turn")).finished, true);
      assert.equal(decode({ type: "message_stop" }, event).finished, true);
    }
    const empty = { type: "content_block_start", content_block: { type: "text", text: "" } };
    assert.equal(decode(end("end_turn"), empty, { type: "content_block_stop" }).finished, true);
  });

  it("keeps the explanation of a refusal", () => {
    const details = { stop_details: { type: "refusal", explanation: "Not this." } };
    assert.deepEqual(decode(end("refusal", details)).parts, [
      { type: "finish", reason: "content-filter", wireReason: "refusal", explanation: "Not this." },
    ]);
  });

  it("finds errors in the formats of both styles", () => {
    const own = { type: "error", error: { type: "overloaded_error", message: "Full" } };
    assert.deepEqual(decode(own).parts, [
      { type: "error", error: { type: "overloaded_error", message: "Full" } },
    ]);
    assert.deepEqual(decode({ error: { message: "Full", code: 503 } }).parts, [
      { type: "error", error: { message: "Full", code: "503", status: 503 } },
    ]);
  });

  it("ignores unknown events, unless they contain an error", () => {
    const unknown = [
      { message: "Searching" },
      { message: { id: "m", content: [] }, request_id: "r1" },
      { message: "Searching", status: "running" },
      { message: "Searching", error: null },
      { detail: { step: 1 } },
    ];
    for (const event of unknown) {
      assert.deepEqual(decode({ type: "progress", ...event }).parts, [], JSON.stringify(event));
    }
    const errors = [
      { type: "failed", error: { message: "Full" } },
      { type: "failed", message: "Full", code: "x" },
      { type: "about:blank", detail: "Full", status: 503 },
      { type: "overloaded_error", message: "Full" },
      { type: "BadRequestError", message: "Full" },
      { type: "x", object: "error", message: "Full" },
      { message: "Full", code: 1 },
    ];
    for (const event of errors) {
      const [part] = decode(event).parts;
      assert.equal(part?.type === "error" && part.error.message, "Full", JSON.stringify(event));
    }
  });

  it("decodes a whole answer with separate thinking", () => {
    const content = [
      { type: "thinking", thinking: "Hm" },
      { type: "text", text: "Yes" },
    ];
    assert.deepEqual(messages.decodeAnswer({ content }), [
      { type: "reasoning-delta", text: "Hm" },
      { type: "reasoning", form: "thinking", text: "Hm" },
      { type: "text-delta", text: "Yes" },
      { type: "finish", reason: "stop", wireReason: "" },
    ]);
    assert.deepEqual(messages.decodeAnswer({ choices: [] }), []);
  });

  it("accepts any JSON without throwing", () => {
    const types = fc.constantFrom(
      "message_start",
      "message_delta",
      "content_block_delta",
      "content_block_start",
      "error",
      "x",
    );
    fc.assert(
      fc.property(fc.jsonValue(), types, (value, type) => {
        messages.decodeAnswer(value);
        const event = {
          type,
          message: value,
          delta: value,
          content_block: value,
          usage: value,
          error: value,
        };
        messages.createStreamDecoder().decode(JSON.stringify(event));
      }),
    );
  });
});
