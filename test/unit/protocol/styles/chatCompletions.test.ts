import assert from "node:assert/strict";
import fc from "fast-check";
import { chatCompletions } from "../../../../src/protocol/styles/chatCompletions.ts";
import type { StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { UnreadableStreamError } from "../../../../src/protocol/conversation/wireStyle.ts";

interface Decoded {
  readonly parts: readonly StreamPart[];
  readonly finished: boolean;
  readonly ended: boolean;
}

/** Decodes events, given as objects or raw data. `finished` and `ended` are read before the body ends. */
function decode(...events: readonly (object | string)[]): Decoded {
  const decoder = chatCompletions.createStreamDecoder();
  const parts = events.flatMap((event) =>
    decoder.decode(typeof event === "string" ? event : JSON.stringify(event)),
  );
  const { finished, ended } = decoder;
  return { parts: finished ? [...parts, ...decoder.close()] : parts, finished, ended };
}

const chunk = (delta: object, rest: object = {}): object => ({ choices: [{ index: 0, delta, ...rest }] });
const text = (value: string): StreamPart => ({ type: "text-delta", text: value });
const finish = (reason: "stop" | "length"): StreamPart => ({ type: "finish", reason, wireReason: reason });
const stop = { finish_reason: "stop" };
const piece = (name: string | undefined, given: string): object => ({
  tool_calls: [
    { index: 0, ...(name === undefined ? {} : { id: "c" }), function: { name, arguments: given } },
  ],
});
const called = { type: "tool-call", id: "c", name: "look", arguments: { kind: "object", value: { a: 1 } } };

describe("chatCompletions", () => {
  it("encodes a request and asks for usage in streams only", () => {
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

  it("decodes text, reasoning in either field, usage, and the end", () => {
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
      { type: "usage", usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } },
      { type: "finish", reason: "stop", wireReason: "stop" },
    ]);
    assert.equal(ended, true);
  });

  it("shows reasoning from fields that are never sent back", () => {
    for (const name of ["reasoning_text", "thinking"]) {
      const decoder = chatCompletions.createStreamDecoder();
      const event = { choices: [{ index: 0, delta: { [name]: "Hm." } }] };
      assert.deepEqual(decoder.decode(JSON.stringify(event)), [{ type: "reasoning-delta", text: "Hm." }]);
    }
  });

  it("reads reasoning from the list `reasoning_details` if no text field has it", () => {
    const { parts } = decode(
      chunk({ reasoning_content: "", reasoning_details: [{ type: "reasoning.text", text: "Hm" }] }),
      chunk({ reasoning: "m.", reasoning_details: [{ type: "reasoning.text", text: "m." }] }),
    );
    assert.deepEqual(parts, [
      { type: "reasoning-delta", text: "Hm" },
      { type: "reasoning-delta", text: "m." },
    ]);
  });

  it("reads usage in a choice, and keeps a count when zero follows", () => {
    const { parts } = decode(
      { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 3, completion_tokens: 4 } }] },
      { choices: [], usage: { prompt_tokens: 0, completion_tokens: 5 } },
    );
    assert.deepEqual(parts, [
      { type: "usage", usage: { inputTokens: 3, outputTokens: 4 } },
      { type: "usage", usage: { inputTokens: 3, outputTokens: 5 } },
    ]);
  });

  it("reads only the first of several choices", () => {
    const { parts } = decode({
      choices: [
        { index: 0, delta: { content: "One" } },
        { index: 1, delta: { content: "Two" } },
      ],
    });
    assert.deepEqual(parts, [text("One")]);
  });

  it("decodes content parts, and ignores unknown parts and a call without a name", () => {
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

  it("finishes once, even if later chunks have no finish reason", () => {
    const { parts, finished } = decode(
      chunk({}, { finish_reason: "length" }),
      chunk({ content: "", tool_calls: [] }, { finish_reason: null }),
      chunk({}, { finish_reason: "length" }),
      chunk({ content: null, reasoning: "", tool_calls: [{ index: 0, function: { arguments: "" } }] }),
      { choices: [], usage: {} },
    );
    assert.deepEqual(parts, [{ type: "finish", reason: "length", wireReason: "length" }]);
    assert.equal(finished, true);
  });

  it("continues after a finish reason until the next one", () => {
    const thoughts = [chunk({ reasoning: "H" }, stop), chunk({ reasoning: "m" }, stop)];
    const said = [
      { type: "reasoning-delta", text: "H" },
      { type: "reasoning-delta", text: "m" },
      text("Yes"),
    ];
    assert.deepEqual(decode(...thoughts, chunk({ content: "Yes" })), {
      parts: said,
      finished: false,
      ended: false,
    });
    assert.deepEqual(decode(...thoughts, chunk({ content: "Yes" }), chunk({}, { finish_reason: "length" })), {
      parts: [...said, finish("length")],
      finished: true,
      ended: false,
    });
    assert.deepEqual(decode(...thoughts, chunk({ content: "Yes" }), "[DONE]").parts, [
      ...said,
      finish("stop"),
    ]);
  });

  it("continues with text, a call, or a refusal after a finish reason, but not after [DONE]", () => {
    const before = [chunk({ content: "a" }), chunk({ content: "b" }), chunk({}, stop)];
    for (const more of [
      { content: "c" },
      piece("look", ""),
      { refusal: "No" },
      { content: [{ text: "c" }] },
    ]) {
      assert.equal(decode(...before, chunk(more)).finished, false, JSON.stringify(more));
    }
    assert.equal(decode(...before, "[DONE]", chunk({ content: "c" })).finished, true);
  });

  it("accepts a finish reason in every chunk and reports it once", () => {
    const events = ["a", "b", "c"].map((content) => chunk({ content }, stop));
    assert.deepEqual(decode(...events).parts, [text("a"), text("b"), text("c"), finish("stop")]);
    const calls = [piece("look", ""), piece(undefined, '{"a"'), piece(undefined, ":1}")];
    assert.deepEqual(decode(...calls.map((call) => chunk(call, stop))).parts, [
      called,
      { type: "finish", reason: "tool-calls", wireReason: "stop" },
    ]);
  });

  it("treats the string null as no finish reason", () => {
    const none = { finish_reason: "null" };
    const events = ["a", "b"].map((content) => chunk({ content }, none));
    assert.deepEqual(decode(...events), { parts: [text("a"), text("b")], finished: false, ended: false });
    assert.deepEqual(decode(...events, chunk({}, stop)).parts, [text("a"), text("b"), finish("stop")]);
    const message = { content: "Hi" };
    assert.deepEqual(chatCompletions.decodeAnswer({ choices: [{ message, ...none }] }), [
      text("Hi"),
      { type: "finish", reason: "stop", wireReason: "" },
    ]);
  });

  it("reports a refusal as a content filter, even if it ends with stop", () => {
    const { parts } = decode(
      chunk({ refusal: "I can" }),
      chunk({ refusal: "not." }, { finish_reason: "stop" }),
    );
    assert.deepEqual(parts, [
      { type: "finish", reason: "content-filter", wireReason: "stop", explanation: "I cannot." },
    ]);
  });

  it("ignores comments sent as data", () => {
    assert.deepEqual(decode(": PROCESSING", "", " "), { parts: [], finished: false, ended: false });
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
    it(`finds an error: ${name}`, () => {
      const { parts, finished } = decode(event);
      const last = parts.at(-1);
      assert.equal(last?.type === "error" ? last.error.message : undefined, "no");
      assert.equal(finished, false);
    });
  }

  it("reads any data of an event named error as an error", () => {
    const [part] = chatCompletions.createStreamDecoder().decode("upstream is gone", "error");
    assert.deepEqual(part, { type: "error", error: { message: "upstream is gone" } });
  });

  it("throws on data that is not JSON", () => {
    assert.throws(() => decode("{oops"), UnreadableStreamError);
  });

  it("reports a request ID from events once", () => {
    const group = { x_groq: { id: "req_1" } };
    assert.deepEqual(decode({ ...chunk({ content: "a" }), ...group }, { choices: [], ...group }).parts, [
      { type: "request-id", requestId: "req_1" },
      text("a"),
    ]);
  });

  it("decodes a whole answer with only the required fields", () => {
    assert.deepEqual(chatCompletions.decodeAnswer({ choices: [{ message: { content: "Hi" } }] }), [
      text("Hi"),
      { type: "finish", reason: "stop", wireReason: "" },
    ]);
  });

  it("prefers `message` to `delta` in a whole answer, and `delta` to `message` in a stream", () => {
    const message = { content: "Hi" };
    for (const delta of [{}, { content: "" }, { role: "assistant" }]) {
      assert.deepEqual(chatCompletions.decodeAnswer({ choices: [{ delta, message }] })[0], text("Hi"));
    }
    assert.deepEqual(chatCompletions.decodeAnswer({ choices: [{ delta: message }] })[0], text("Hi"));
    assert.deepEqual(decode({ choices: [{ delta: { content: "a" }, message }] }).parts, [text("a")]);
  });

  it("decodes an error body, and returns nothing for other bodies", () => {
    assert.deepEqual(chatCompletions.decodeAnswer({ error: "no" }), [
      { type: "error", error: { message: "no" } },
    ]);
    for (const body of [{}, { choices: [] }, [], null, 7, "x", { data: [] }]) {
      assert.deepEqual(chatCompletions.decodeAnswer(body), []);
    }
  });

  it("accepts any JSON without throwing", () => {
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
