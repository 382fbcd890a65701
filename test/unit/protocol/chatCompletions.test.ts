import assert from "node:assert/strict";
import fc from "fast-check";
import { chatCompletions } from "../../../src/protocol/chatCompletions.ts";
import type { StreamPart } from "../../../src/protocol/conversation.ts";
import { UnreadableStreamError } from "../../../src/protocol/unreadableStream.ts";

/** The parts of events given as objects or as raw data, and whether the stream had its end. */
function decode(...events: readonly (object | string)[]): { parts: readonly StreamPart[]; ended: boolean } {
  const decoder = chatCompletions.createStreamDecoder();
  const parts = events.flatMap((event) =>
    decoder.decode(typeof event === "string" ? event : JSON.stringify(event)),
  );
  return { parts, ended: decoder.ended };
}

const chunk = (delta: object, rest: object = {}): object => ({ choices: [{ index: 0, delta, ...rest }] });
const text = (value: string): StreamPart => ({ type: "text-delta", text: value });

describe("chat completions", () => {
  it("encodes a request, with usage asked for in a stream only", () => {
    const request = {
      model: "service-core",
      maxTokens: 7,
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief." }] },
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "text", text: "!" },
          ],
        },
      ],
    } as const;
    const whole = {
      model: "service-core",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi!" },
      ],
      max_tokens: 7,
    };
    assert.deepEqual(chatCompletions.encodeRequest({ ...request, stream: false }), whole);
    assert.deepEqual(chatCompletions.encodeRequest({ ...request, stream: true }), {
      ...whole,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("decodes text, reasoning under either name, usage and the end", () => {
    const { parts, ended } = decode(
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "Hm", reasoning: "Hm" }),
      chunk({ reasoning: "m." }),
      chunk({ content: "Good " }),
      chunk({ content: "day" }, { finish_reason: "stop" }),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
      "[DONE]",
    );
    assert.deepEqual(parts, [
      { type: "reasoning-delta", text: "Hm" },
      { type: "reasoning-delta", text: "m." },
      text("Good "),
      text("day"),
      { type: "finish", reason: "stop", wireReason: "stop" },
      { type: "usage", usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } },
    ]);
    assert.equal(ended, true);
  });

  it("decodes content in parts, and leaves out tool calls and what it does not know", () => {
    const { parts } = decode(
      chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "So" }] }, { type: "odd" }] }),
      chunk({ content: [{ type: "text", text: "Yes" }] }),
      chunk({ content: null, tool_calls: [{ index: 1, id: "", function: { arguments: "{" } }] }),
      { choices: [{ finish_reason: "tool_calls" }] },
      { object: "something.else" },
    );
    assert.deepEqual(parts, [
      { type: "reasoning-delta", text: "So" },
      text("Yes"),
      { type: "finish", reason: "tool-calls", wireReason: "tool_calls" },
    ]);
  });

  it("keeps its end when a later chunk has none, and says it once", () => {
    const { parts, ended } = decode(
      chunk({}, { finish_reason: "length" }),
      chunk({}, { finish_reason: null }),
      chunk({}, { finish_reason: "length" }),
    );
    assert.deepEqual(parts, [{ type: "finish", reason: "length", wireReason: "length" }]);
    assert.equal(ended, true);
  });

  it("calls a refusal what it is, though it ends in stop", () => {
    const { parts } = decode(
      chunk({ refusal: "I can" }),
      chunk({ refusal: "not." }, { finish_reason: "stop" }),
    );
    assert.deepEqual(parts, [
      { type: "finish", reason: "content-filter", wireReason: "stop", explanation: "I cannot." },
    ]);
  });

  it("ignores comments that were wrapped as data", () => {
    assert.deepEqual(decode(": PROCESSING", "", " "), { parts: [], ended: false });
  });

  for (const [name, event] of Object.entries({
    "an object": { error: { message: "no", type: "server_error" } },
    "a string": { error: "no" },
    "beside a choice": {
      choices: [{ delta: { content: "" }, finish_reason: "error" }],
      error: { message: "no" },
    },
    "in the choice": { choices: [{ delta: {}, finish_reason: "error", error: { message: "no" } }] },
    flat: { code: "Odd", message: "no" },
    "a list": [{ error: { message: "no" } }],
  })) {
    it(`finds an error that is ${name}`, () => {
      const { parts, ended } = decode(event);
      const last = parts.at(-1);
      assert.equal(last?.type === "error" ? last.error.message : undefined, "no");
      assert.equal(ended, false);
    });
  }

  it("takes any data of an event named error for an error", () => {
    const [part] = chatCompletions.createStreamDecoder().decode("upstream is gone", "error");
    assert.deepEqual(part, { type: "error", error: { message: "upstream is gone" } });
  });

  it("refuses data that is not JSON, and shows none of it as text", () => {
    assert.throws(() => decode("{oops"), UnreadableStreamError);
  });

  it("finds a request ID in an event, once", () => {
    const group = { x_groq: { id: "req_1" } };
    assert.deepEqual(decode({ ...chunk({ content: "a" }), ...group }, { choices: [], ...group }).parts, [
      { type: "request-id", requestId: "req_1" },
      text("a"),
    ]);
  });

  it("decodes a whole answer that has nothing but the specification's field", () => {
    assert.deepEqual(chatCompletions.decodeAnswer({ choices: [{ message: { content: "Hi" } }] }), [
      text("Hi"),
      { type: "finish", reason: "stop", wireReason: "" },
    ]);
  });

  it("decodes an error in the place of an answer, and nothing of other bodies", () => {
    assert.deepEqual(chatCompletions.decodeAnswer({ error: "no" }), [
      { type: "error", error: { message: "no" } },
    ]);
    for (const body of [{}, { choices: [] }, [], null, 7, "x", { data: [] }]) {
      assert.deepEqual(chatCompletions.decodeAnswer(body), []);
    }
  });

  it("throws on no JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        chatCompletions.decodeAnswer(value);
        chatCompletions
          .createStreamDecoder()
          .decode(JSON.stringify({ choices: value, error: value, usage: value }));
        chatCompletions
          .createStreamDecoder()
          .decode(JSON.stringify({ choices: [{ delta: value, message: value }] }));
      }),
    );
  });
});
