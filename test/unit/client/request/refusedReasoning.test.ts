import assert from "node:assert/strict";
import { readRefusal } from "../../../../src/client/http/refusal.ts";
import { readRefusedField } from "../../../../src/client/request/refusedField.ts";
import { adaptBody } from "../../../../src/protocol/encode/adaptation.ts";
import type { Fields } from "../../../../src/protocol/conversation/json.ts";

const tools = [{ type: "function", function: { name: "look" } }];
const chatCall = { id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
const chat = (reasoning: object): Fields => ({
  model: "m",
  tools,
  messages: [
    { role: "user", content: "Look" },
    { role: "assistant", content: null, ...reasoning, tool_calls: [chatCall] },
    { role: "tool", tool_call_id: "c1", content: "Seen." },
  ],
});
const blocks = (...thinking: readonly object[]): Fields => ({
  model: "m",
  tools,
  max_tokens: 9,
  messages: [
    { role: "user", content: "Look" },
    {
      role: "assistant",
      content: [...thinking, { type: "tool_use", id: "c1", name: "look", input: { at: 1 } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "Seen." }] },
  ],
});
const bareChat = chat({});
const fullChat = chat({ reasoning_content: "Hm" });
const signedChat: Fields = {
  model: "m",
  messages: [{ role: "assistant", content: null, tool_calls: [{ ...chatCall, extra_content: { s: 1 } }] }],
};
const bareBlocks = blocks();
const fullBlocks = blocks({ type: "thinking", thinking: "Hm", signature: "s" });

function adaptationOf(message: string, sent: Fields, more: object = {}): string {
  const body = JSON.stringify({ error: { message, type: "invalid_request_error", ...more } });
  const found = readRefusedField(readRefusal(400, {}, new TextEncoder().encode(body), 0), sent);
  return found === undefined ? "none" : found.kind === "omit" ? `omit ${found.field}` : found.kind;
}

describe("a refusal that speaks of reasoning", () => {
  it("wants something in its place where it is missing", () => {
    const sentences: readonly (readonly [string, Fields])[] = [
      [
        "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
        bareChat,
      ],
      ["Missing `reasoning_content` field in the assistant message at message index 1.", bareChat],
      ["The `reasoning_content` in the thinking mode must be passed back to the API.", bareChat],
      ["Param Incorrect: reasoning_content is required for assistant messages with tool_calls", bareChat],
      ["messages[1]: reasoning content must be provided when thinking is on", bareChat],
      ["assistant message at index 1 lacks reasoning_content", bareChat],
      ["reasoning_content 不能为空", bareChat],
      ["在思考模式下必须回传 reasoning_content", bareChat],
      ["An assistant message that calls tools must have reasoning_content", bareChat],
      ["Field required: messages.1.assistant.reasoning_content", bareChat],
      ["Missing required parameter: 'messages[1].reasoning_content'.", bareChat],
      ["You have to return the reasoning_content together with its tool calls", bareChat],
      ["Please send back the thinking of the turn before", bareBlocks],
      [
        "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). To avoid this requirement, disable `thinking`.",
        bareBlocks,
      ],
      ["a final `assistant` message must start with a thinking block", bareBlocks],
      ["The `content[].thinking` in the thinking mode must be passed back to the API.", bareBlocks],
    ];
    for (const [message, sent] of sentences)
      assert.equal(adaptationOf(message, sent), "fill-reasoning", message);
  });

  it("names a field or a block that is not taken", () => {
    const sentences: readonly (readonly [string, Fields, string, object?])[] = [
      [
        "messages.1.assistant.reasoning_content: Extra inputs are not permitted",
        fullChat,
        "reasoning_content",
      ],
      [
        "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
        fullChat,
        "reasoning_content",
      ],
      [
        "Unrecognized request argument supplied: messages[1].reasoning_content",
        fullChat,
        "reasoning_content",
      ],
      [
        "Additional properties are not allowed ('reasoning' was unexpected)",
        chat({ reasoning: "Hm" }),
        "reasoning",
      ],
      [
        "Unknown field",
        fullChat,
        "reasoning_content",
        { param: "messages[1].reasoning_content", code: "unknown_parameter" },
      ],
      [
        "messages.1.content.0: Input tag 'thinking' found using 'type' does not match any of the expected tags: 'text', 'image', 'tool_use'",
        fullBlocks,
        "thinking",
      ],
      ["content block type `thinking` is not supported", fullBlocks, "thinking"],
      ["Unrecognized field: messages[1].tool_calls[0].extra_content", signedChat, "extra_content"],
      ["property messages.1.reasoning_content should not exist", fullChat, "reasoning_content"],
      [
        "body/messages/1 must NOT have additional properties (reasoning_content)",
        fullChat,
        "reasoning_content",
      ],
      ["The input must not contain reasoning_content, please remove it", fullChat, "reasoning_content"],
      ["Thinking blocks are not supported by this model", fullBlocks, "thinking"],
      ["Invalid content block type 'thinking'", fullBlocks, "thinking"],
      [
        "messages.1.content.0.type: Input should be 'text', 'image', 'tool_use' or 'tool_result'",
        fullBlocks,
        "thinking",
      ],
      ["Invalid content type. It must be one of text, image; got thinking", fullBlocks, "thinking"],
    ];
    for (const [message, sent, field, more] of sentences)
      assert.equal(adaptationOf(message, sent, more), `omit ${field}`, message);
  });

  it("takes reasoning for altered", () => {
    const sentences = [
      "messages.1.content.0: Invalid `signature` in `thinking` block",
      "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
      "The signature of a thinking block could not be verified",
      "Thinking block signature is invalid",
      "messages.1.content.0: Invalid `data` in `redacted_thinking` block",
      "Signature verification failed for the thinking block at messages.1",
      "Unable to verify the signature of a thinking block",
    ];
    for (const message of sentences)
      assert.equal(adaptationOf(message, fullBlocks), "omit-reasoning", message);
    assert.equal(adaptationOf("Corrupted thought_signature", signedChat), "omit-reasoning");
  });

  it("wants a signature that the service never gave", () => {
    const unsigned = blocks({ type: "thinking", thinking: "Hm" });
    const sentences = [
      "messages.1.content.0.thinking.signature: Field required",
      "messages.1.content.0.thinking.signature: String should have at least 1 character",
      "Each `thinking` block must contain a `signature`",
      "missing field `signature` at line 1 column 44",
      "thinking.signature cannot be empty",
    ];
    for (const message of sentences) assert.equal(adaptationOf(message, unsigned), "omit-reasoning", message);
  });

  it("is none where only the mode is spoken of", () => {
    const sentences = [
      "tool_choice required is not supported while thinking is enabled",
      "When `thinking` is enabled, tool_choice must be auto: any is not supported",
      "The tool_choice parameter does not support being set to required in thinking mode",
    ];
    for (const message of sentences) {
      for (const sent of [bareBlocks, fullBlocks])
        assert.equal(
          adaptationOf(message, { ...sent, tool_choice: { type: "any" } }),
          "omit tool_choice",
          message,
        );
    }
    assert.equal(adaptationOf("This model requires reasoning to be enabled", bareChat), "none");
  });

  it("is none where there is no reasoning to leave out, or none that is missing", () => {
    assert.equal(adaptationOf("Invalid `signature` in `thinking` block", bareBlocks), "none");
    assert.equal(adaptationOf("reasoning_content is missing", fullChat), "none");
    assert.equal(adaptationOf("messages: at least one message is needed", bareChat), "none");
    assert.equal(adaptationOf("The tool result `c1` answers no call before it.", bareBlocks), "none");
    assert.equal(adaptationOf("No tool call found for call_id c1", fullChat), "none");
    const missing = "Function call is missing a thought_signature in functionCall parts.";
    assert.equal(adaptationOf(missing, bareChat), "none");
  });
});

describe("a body whose reasoning is adapted", () => {
  it("has none of the field or the blocks that are refused", () => {
    assert.deepEqual(adaptBody(fullChat, [{ kind: "omit", field: "reasoning_content" }]), bareChat);
    assert.deepEqual(adaptBody(fullBlocks, [{ kind: "omit", field: "thinking" }]), bareBlocks);
    assert.deepEqual(adaptBody(fullBlocks, [{ kind: "omit-reasoning" }]), bareBlocks);
    assert.deepEqual(adaptBody(fullChat, [{ kind: "omit", field: "thinking" }]), fullChat);
    assert.deepEqual(adaptBody(signedChat, [{ kind: "omit", field: "extra_content" }])["messages"], [
      { role: "assistant", content: null, tool_calls: [chatCall] },
    ]);
  });

  it("has a placeholder where nothing is known, and what is known under another name", () => {
    const fill = [{ kind: "fill-reasoning" }] as const;
    assert.deepEqual(adaptBody(bareChat, fill), chat({ reasoning_content: " " }));
    assert.deepEqual(adaptBody(fullChat, fill), fullChat);
    const named = adaptBody(chat({ reasoning: "Hm" }), fill);
    assert.deepEqual(named, chat({ reasoning: "Hm", reasoning_content: "Hm" }));
  });

  it("tells calls and results as text where a block of thinking would have to stand", () => {
    const filled = adaptBody(fullBlocks, [{ kind: "fill-reasoning" }, { kind: "omit-reasoning" }]);
    assert.deepEqual(filled["messages"], [
      { role: "user", content: "Look" },
      { role: "assistant", content: [{ type: "text", text: '(Called the tool look with {"at":1}.)' }] },
      { role: "user", content: [{ type: "text", text: "(The tool came to this result: Seen.)" }] },
    ]);
    assert.deepEqual(adaptBody(fullBlocks, [{ kind: "fill-reasoning" }]), fullBlocks);
  });

  it("tells the results of a turn's own calls as text where ids are used again", () => {
    const [question, , result] = turnsOf(bareBlocks);
    const [, known] = turnsOf(fullBlocks);
    const sent = { ...bareBlocks, messages: [...turnsOf(bareBlocks), known, result] };
    const filled = adaptBody(sent, [{ kind: "fill-reasoning" }]);
    assert.deepEqual(turnsOf(filled).slice(3), [known, result]);
    assert.deepEqual(turnsOf(filled)[0], question);
    assert.ok(!JSON.stringify(turnsOf(filled).slice(0, 3)).includes("tool_"));
  });
});

function turnsOf({ messages }: Fields): readonly unknown[] {
  return Array.isArray(messages) ? messages : [];
}
