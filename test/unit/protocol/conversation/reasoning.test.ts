import assert from "node:assert/strict";
import { chatCompletions } from "../../../../src/protocol/styles/chatCompletions.ts";
import type {
  ChatRequest,
  ContentPart,
  ReasoningPart,
  StreamPart,
} from "../../../../src/protocol/conversation/conversation.ts";
import { messages } from "../../../../src/protocol/styles/messages.ts";
import { cleanReasoning } from "../../../../src/protocol/conversation/reasoning.ts";
import type { WireStyle } from "../../../../src/protocol/conversation/wireStyle.ts";

function decode(style: WireStyle, events: readonly object[]): readonly StreamPart[] {
  const decoder = style.createStreamDecoder();
  const parts = events.flatMap((event) => decoder.decode(JSON.stringify(event)));
  return [...parts, ...(decoder.finished ? decoder.close() : [])];
}

/** The parts to send back (reasoning and calls), in short form. */
function kept(parts: readonly StreamPart[]): readonly unknown[] {
  return parts.flatMap((part): readonly unknown[] => {
    if (part.type === "tool-call") return [part.id];
    if (part.type !== "reasoning") return [];
    const { type: _, ...rest } = part;
    return [rest];
  });
}

const chunk = (delta: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const chatCall = { index: 0, id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
const call = (id = "c1"): ContentPart => ({
  type: "tool-call",
  id,
  name: "look",
  arguments: { kind: "object", value: {} },
});
const text = (value: string): ContentPart => ({ type: "text", text: value });
const thinking = (value: string, signature?: string): ReasoningPart => ({
  type: "reasoning",
  form: "thinking",
  text: value,
  ...(signature === undefined ? {} : { signature }),
});

function encode(style: WireStyle, content: readonly ContentPart[]): unknown {
  const request: ChatRequest = {
    model: "m",
    maxTokens: 1,
    stream: false,
    // Ends with a user's message, which gets the cache mark.
    messages: [
      { role: "assistant", content },
      { role: "user", content: [{ type: "text", text: "Go on." }] },
    ],
  };
  const { messages: encoded } = style.encodeRequest(request);
  return Array.isArray(encoded) ? encoded[0] : encoded;
}

const detail = (more: object): object => ({ type: "reasoning.text", index: 0, ...more });

const signed = (id: string): object => ({ google: { thought_signature: `of ${id}` } });

describe("reasoning of the Chat Completions style", () => {
  it("is kept as one text, together with the name of its field, if a tool is called", () => {
    for (const field of ["reasoning_content", "reasoning"]) {
      const parts = decode(chatCompletions, [
        chunk({ role: "assistant", content: "", [field]: "" }),
        chunk({ [field]: "Hm" }),
        chunk({ [field]: "m.\n" }),
        chunk({ content: "I look." }),
        chunk({ tool_calls: [chatCall] }),
        chunk({}, "tool_calls"),
      ]);
      assert.deepEqual(kept(parts), [{ form: "text", field, text: "Hmm.\n" }, "c1"]);
    }
  });

  it("is read from a whole answer, even from two fields", () => {
    const message = { content: null, reasoning_content: "", reasoning: "So.", tool_calls: [chatCall] };
    const parts = chatCompletions.decodeAnswer({ choices: [{ message, finish_reason: "tool_calls" }] });
    assert.deepEqual(kept(parts), [{ form: "text", field: "reasoning", text: "So." }, "c1"]);
    assert.deepEqual(
      parts.filter(({ type }) => type === "reasoning-delta"),
      [{ type: "reasoning-delta", text: "So." }],
    );
  });

  it("is not returned without a tool call", () => {
    const parts = decode(chatCompletions, [
      chunk({ reasoning_content: "Hm" }),
      chunk({ content: "Yes" }),
      chunk({}, "stop"),
    ]);
    assert.deepEqual(kept(parts), []);
  });

  it("has list items that are joined from their pieces, each with its own signature", () => {
    const encrypted = { type: "reasoning.encrypted", index: 1, data: "abc", id: "e1" };
    const parts = decode(chatCompletions, [
      chunk({ reasoning: "Hm", reasoning_details: [detail({ text: "Hm", format: "x" })] }),
      chunk({ reasoning: "m", reasoning_details: [detail({ text: "m" })] }),
      chunk({ reasoning_details: [detail({ text: "", signature: "s1" })] }),
      chunk({ reasoning_details: [encrypted] }),
      chunk({ tool_calls: [chatCall] }),
      chunk({}, "tool_calls"),
    ]);
    assert.deepEqual(kept(parts), [
      { form: "text", field: "reasoning", text: "Hmm" },
      {
        form: "list",
        field: "reasoning_details",
        items: [{ type: "reasoning.text", index: 0, text: "Hmm", format: "x", signature: "s1" }, encrypted],
      },
      "c1",
    ]);
  });

  it("is split into its signed blocks, and keeps whole blocks unchanged", () => {
    const piece = (value: string, signature: string | null = null): object =>
      chunk({
        reasoning_content: value,
        thinking_blocks: [{ type: "thinking", thinking: value, signature }],
      });
    const parts = decode(chatCompletions, [
      piece("One"),
      piece("", "s1"),
      piece("Two"),
      piece("", "s2"),
      chunk({ thinking_blocks: [{ type: "redacted_thinking", data: "r" }] }),
      chunk({ tool_calls: [chatCall] }),
      chunk({}, "tool_calls"),
    ]);
    const items = [
      { type: "thinking", thinking: "One", signature: "s1" },
      { type: "thinking", thinking: "Two", signature: "s2" },
      { type: "redacted_thinking", data: "r" },
    ];
    assert.deepEqual(kept(parts)[1], { form: "list", field: "thinking_blocks", items });
    const message = { content: null, thinking_blocks: items, tool_calls: [chatCall] };
    const whole = chatCompletions.decodeAnswer({ choices: [{ message }] });
    assert.deepEqual(kept(whole)[0], { form: "list", field: "thinking_blocks", items });
  });

  it("has list items that are distinguished by ID if they have no index", () => {
    const piece = (id: string, more: object): object =>
      chunk({ reasoning_details: [{ type: "reasoning.text", id, ...more }] });
    const parts = decode(chatCompletions, [
      piece("r1", { text: "H" }),
      piece("r1", { text: "m" }),
      piece("r2", { text: "So", signature: "s2" }),
      chunk({ tool_calls: [chatCall] }, "tool_calls"),
    ]);
    const items = [
      { type: "reasoning.text", id: "r1", text: "Hm" },
      { type: "reasoning.text", id: "r2", text: "So", signature: "s2" },
    ];
    assert.deepEqual(kept(parts), [{ form: "list", field: "reasoning_details", items }, "c1"]);
  });

  it("keeps only its text if its list is too large", () => {
    const parts = decode(chatCompletions, [
      chunk({
        reasoning: "Hm",
        reasoning_details: [{ type: "reasoning.text", text: "x".repeat(5_000_000) }],
      }),
      chunk({ tool_calls: [chatCall] }),
      chunk({}, "tool_calls"),
    ]);
    assert.deepEqual(kept(parts), [{ form: "text", field: "reasoning", text: "Hm" }, "c1"]);
  });

  it("includes the extra fields of a call, which are sent back with that call", () => {
    const whole = { ...chatCall, extra_content: signed("c1") };
    const later = { index: 1, id: "c2", type: "function", function: { name: "look", arguments: "{" } };
    const parts = decode(chatCompletions, [
      chunk({ tool_calls: [whole] }),
      chunk({ tool_calls: [later] }),
      chunk({ tool_calls: [{ index: 1, function: { arguments: "}" } }] }),
      chunk({ tool_calls: [{ index: 1, extra_content: signed("c2") }] }),
      chunk({}, "tool_calls"),
    ]);
    const extras = ["c1", "c2"].map((id) => ({ form: "call", callId: id, extra: signed(id) }));
    assert.deepEqual(kept(parts), [...extras, "c1", "c2"]);
    const content = parts.filter((part) => part.type === "reasoning" || part.type === "tool-call");
    const encoded = encode(chatCompletions, content);
    assert.deepEqual(encoded, {
      role: "assistant",
      content: null,
      tool_calls: ["c1", "c2"].map((id) => ({
        id,
        type: "function",
        function: { name: "look", arguments: "{}" },
        extra_content: signed(id),
      })),
    });
    assert.deepEqual(encode(messages, content), {
      role: "assistant",
      content: [use("c1"), use("c2")],
    });
  });

  it("is sent back only with calls, under its own names, and not in the other style", () => {
    const own: readonly ContentPart[] = [
      { type: "reasoning", form: "text", field: "reasoning_content", text: "One. " },
      text("I look."),
      { type: "reasoning", form: "text", field: "reasoning_content", text: "Two." },
      { type: "reasoning", form: "list", field: "reasoning_details", items: [{ data: "x" }] },
      thinking("Hm", "s"),
    ];
    assert.deepEqual(encode(chatCompletions, [...own, call()]), {
      role: "assistant",
      content: "I look.",
      reasoning_content: "One. Two.",
      reasoning_details: [{ data: "x" }],
      tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
    });
    assert.deepEqual(encode(chatCompletions, own), { role: "assistant", content: "I look." });
  });
});

const start = (index: number, block: object): object => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const delta = (index: number, value: object): object => ({
  type: "content_block_delta",
  index,
  delta: value,
});
const stop = (index: number): object => ({ type: "content_block_stop", index });
const use = (id: string): object => ({ type: "tool_use", id, name: "look", input: {} });

describe("reasoning of the Messages style", () => {
  const end = { type: "message_delta", delta: { stop_reason: "tool_use" } };

  it("keeps signed blocks in the order of the stream, also between calls", () => {
    const parts = decode(messages, [
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "On" }),
      delta(0, { type: "thinking_delta", thinking: "e" }),
      delta(0, { type: "signature_delta", signature: "s" }),
      delta(0, { type: "signature_delta", signature: "1" }),
      stop(0),
      start(1, { type: "redacted_thinking", data: "r1" }),
      stop(1),
      start(2, use("c1")),
      stop(2),
      start(3, { type: "thinking", thinking: "Two", signature: "s2" }),
      stop(3),
      start(4, use("c2")),
      stop(4),
      end,
    ]);
    assert.deepEqual(kept(parts), [
      { form: "thinking", text: "One", signature: "s1" },
      { form: "redacted", data: "r1" },
      "c1",
      { form: "thinking", text: "Two", signature: "s2" },
      "c2",
    ]);
  });

  it("keeps blocks without text, without a signature, or without an end", () => {
    const parts = decode(messages, [
      start(0, { type: "thinking", thinking: "" }),
      delta(0, { type: "signature_delta", signature: "s1" }),
      stop(0),
      start(1, { type: "thinking", thinking: "" }),
      delta(1, { type: "thinking_delta", thinking: "No name" }),
      start(2, use("c1")),
      delta(9, { type: "thinking_delta", thinking: "Late" }),
      end,
    ]);
    assert.deepEqual(kept(parts), [
      { form: "thinking", text: "", signature: "s1" },
      { form: "thinking", text: "No name" },
      { form: "thinking", text: "Late" },
      "c1",
    ]);
  });

  it("is read from a whole answer in the order of its blocks", () => {
    const content = [
      { type: "thinking", thinking: "One", signature: "s1" },
      { type: "text", text: "I look." },
      { type: "redacted_thinking", data: "r1" },
      use("c1"),
      use("c2"),
    ];
    assert.deepEqual(kept(messages.decodeAnswer({ content, stop_reason: "tool_use" })), [
      { form: "thinking", text: "One", signature: "s1" },
      { form: "redacted", data: "r1" },
      "c1",
      "c2",
    ]);
  });

  it("is sent back at its position, only with calls, and not in the other style", () => {
    const own: readonly ContentPart[] = [
      thinking("One", "s1"),
      text("I look."),
      { type: "reasoning", form: "redacted", data: "r1" },
      { type: "reasoning", form: "text", field: "reasoning", text: "x" },
    ];
    assert.deepEqual(encode(messages, [...own, call()]), {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "One", signature: "s1" },
        { type: "text", text: "I look." },
        { type: "redacted_thinking", data: "r1" },
        { type: "tool_use", id: "c1", name: "look", input: {} },
      ],
    });
    assert.deepEqual(encode(messages, own), { role: "assistant", content: "I look." });
    assert.deepEqual(encode(messages, [thinking("One"), call()]), {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "One" },
        { type: "tool_use", id: "c1", name: "look", input: {} },
      ],
    });
  });
});

const clean = (value: string): string => value.replaceAll("KEY", "[API key]");
const list = (value: string): ReasoningPart => ({
  type: "reasoning",
  form: "list",
  field: "reasoning_details",
  items: [{ type: "reasoning.text", nested: [value] }],
});

describe("cleanReasoning", () => {
  it("redacts unsigned text, and drops signed, encrypted or listed reasoning that contains a key", () => {
    assert.deepEqual(
      cleanReasoning({ type: "reasoning", form: "text", field: "reasoning", text: "a KEY" }, clean),
      {
        type: "reasoning",
        form: "text",
        field: "reasoning",
        text: "a [API key]",
      },
    );
    assert.deepEqual(cleanReasoning(thinking("a KEY"), clean), thinking("a [API key]"));
    assert.equal(cleanReasoning(thinking("a KEY", "s"), clean), undefined);
    assert.equal(cleanReasoning({ type: "reasoning", form: "redacted", data: "KEY" }, clean), undefined);
    assert.equal(cleanReasoning(list("a KEY"), clean), undefined);
    for (const part of [thinking("a", "s"), list("a")]) assert.equal(cleanReasoning(part, clean), part);
  });
});
