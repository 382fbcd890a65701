import assert from "node:assert/strict";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { readRefusal } from "../../../../src/client/http/refusal.ts";
import { readRefusedField } from "../../../../src/client/request/refusedField.ts";
import { adaptBody } from "../../../../src/protocol/encode/adaptation.ts";
import type { Adaptation } from "../../../../src/protocol/encode/adaptation.ts";
import type { Fields } from "../../../../src/protocol/conversation/json.ts";
import { failed } from "../../../support/failed.ts";

const sentRequest = {
  model: "service-core",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hi" },
  ],
  max_tokens: 9,
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.5,
  tools: [{ type: "function", function: { name: "read" } }],
  tool_choice: "auto",
};
const sentAsMessages = { ...sentRequest, messages: [{ role: "user", content: "Hi" }], system: "Be brief." };

function refused(status: number, body: unknown): Failure {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readRefusal(status, {}, new TextEncoder().encode(text), 0);
}

const chat = (message: string, more: object = {}): object => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...more },
});
const messagesError = (message: string): object => ({
  type: "error",
  error: { type: "invalid_request_error", message },
});
const pydantic = (loc: readonly (string | number)[], msg: string, type: string): object => ({
  detail: [{ type, loc, msg, input: {} }],
});
const omit = (field: string): Adaptation => ({ kind: "omit", field });
const cap: Adaptation = { kind: "rename-cap" };
const system: Adaptation = { kind: "system-as-user" };

/** Status, body, and expected adaptation. Wordings of gateways, model runners, and validators. */
const namedFields: readonly (readonly [number, object | string, Adaptation])[] = [
  [
    400,
    chat(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: "max_tokens", code: "unsupported_parameter" },
    ),
    cap,
  ],
  [400, chat("'max_tokens' is not supported with this model, try max_completion_tokens"), cap],
  [400, chat("Unrecognized request argument supplied: max_tokens"), cap],
  [400, chat("Unrecognized request argument supplied: stream_options"), omit("stream_options")],
  [400, chat("Unrecognized request arguments supplied: tools, stream_options"), omit("tools")],
  [400, chat("Unrecognized key(s) in object: 'stream_options'"), omit("stream_options")],
  [400, chat('Unrecognized key: "stream_options"'), omit("stream_options")],
  [400, chat('Invalid key: Expected never but received "stream_options"'), omit("stream_options")],
  [
    400,
    { code: "unrecognized_keys", message: 'Unrecognized keys: "stream_options"' },
    omit("stream_options"),
  ],
  [
    422,
    pydantic(["body", "stream_options"], "Extra inputs are not permitted", "extra_forbidden"),
    omit("stream_options"),
  ],
  [400, pydantic(["body", "tools"], "extra fields not permitted", "value_error.extra"), omit("tools")],
  [400, messagesError("stream_options: Extra inputs are not permitted"), omit("stream_options")],
  [400, chat("property 'stream_options' is unsupported"), omit("stream_options")],
  [400, chat('json: unknown field "stream_options"'), omit("stream_options")],
  [
    400,
    chat("unknown field `tools`, expected one of `model`, `messages`, `stream`, `stream_options`"),
    omit("tools"),
  ],
  [
    400,
    chat(
      'Unrecognized field "tool_choice" (class Request), not marked as ignorable (3 known properties: "stream", "tools", "model")',
    ),
    omit("tool_choice"),
  ],
  [
    400,
    chat('Invalid JSON payload received. Unknown name "stream_options": Cannot find field.'),
    omit("stream_options"),
  ],
  [
    400,
    chat(
      "Malformed input request: extraneous key [tools] is not permitted, please reformat your input and try again.",
    ),
    omit("tools"),
  ],
  [
    422,
    "Failed to deserialize the JSON body into the target type: unknown field `stream_options` at line 1 column 99",
    omit("stream_options"),
  ],
  [400, chat("schema violation (stream_options: unknown field)"), omit("stream_options")],
  [400, chat("Unsupported param: tools"), omit("tools")],
  [400, chat("registry.local/library/small:2b does not support tools"), omit("tools")],
  [400, chat("Tool use is not supported by this endpoint."), omit("tools")],
  [400, chat("Function calling is not enabled for this deployment"), omit("tools")],
  [
    400,
    chat('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    omit("tools"),
  ],
  [400, chat("small-model does not support parameters: ['tools', 'tool_choice']"), omit("tools")],
  [
    400,
    chat("Invalid tool_choice type: 'object'. Supported string values: none, auto, required"),
    omit("tool_choice"),
  ],
  [400, chat("Stream options can only be defined when `stream=True`."), omit("stream_options")],
  [
    400,
    chat(
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
      {
        param: "temperature",
        code: "unsupported_value",
      },
    ),
    omit("temperature"),
  ],
  [
    400,
    chat("Unsupported value: 'stream' does not support true with this model. Supported values are: false.", {
      param: "stream",
      code: "unsupported_value",
    }),
    omit("stream"),
  ],
  [400, chat("Streaming is not supported for this model."), omit("stream")],
  [400, chat("This endpoint does not support streaming"), omit("stream")],
  [
    400,
    chat("Unsupported value: 'messages[0].role' does not support 'system' with this model.", {
      param: "messages[0].role",
      code: "unsupported_value",
    }),
    system,
  ],
  [400, chat("System role not supported"), system],
  [400, chat("Only user and assistant roles are supported!"), system],
  [400, chat("Developer instruction is not enabled for this one"), system],
  [
    422,
    pydantic(["body", "messages", 0, "role"], "Input should be 'user' or 'assistant'", "literal_error"),
    system,
  ],
];

/** Refusals after which no field may be omitted. They are about values, unsent fields, keys, limits, or models. */
const others: readonly (readonly [number, object | string])[] = [
  [
    400,
    chat("max_tokens is too large: 9. This model supports at most 8 completion tokens.", {
      param: "max_tokens",
      code: "invalid_value",
    }),
  ],
  [400, chat("temperature: Input should be less than or equal to 1")],
  [400, chat("'temperature' and 'top_p' are both out of range", { param: "temperature" })],
  [
    400,
    chat("Invalid schema for function 'read': 'additionalProperties' is required to be false", {
      param: "tools[0].function.parameters",
      code: "invalid_function_parameters",
    }),
  ],
  [400, pydantic(["body", "tools", 0, "strict"], "Extra inputs are not permitted", "extra_forbidden")],
  [400, chat("unknown field `logprobs`, expected one of `model`, `messages`, `tools`, `stream`")],
  [
    422,
    pydantic(
      ["body", "tools", 0, "function", "temperature"],
      "Extra inputs are not permitted",
      "extra_forbidden",
    ),
  ],
  [400, chat("messages: roles must alternate between user and assistant")],
  [400, chat("The model `service-core` does not exist", { code: "model_not_found" })],
  [400, messagesError("Your credit balance is too low to use tools")],
  [400, chat("Budget has been exceeded! 'stream_options' is not supported either")],
  [401, chat("Incorrect API key provided; tools are not supported")],
  [403, chat("This key is not allowed to access model 'tools'")],
  [429, chat("Rate limit reached: streaming is not supported at this rate")],
  [500, chat("tools is not supported")],
  [400, chat("This model's maximum context length is 8 tokens; 'stream_options' is unsupported")],
  [400, chat("The response was filtered: 'tools' is not supported", { code: "content_filter" })],
  [400, chat("Unrecognized request argument supplied: logprobs")],
  [400, "<!doctype html><title>stream_options is not supported</title>"],
  [400, ""],
  [400, chat("The upstream closed the stream")],
];

describe("readRefusedField", () => {
  for (const [status, body, adaptation] of namedFields) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`reads ${JSON.stringify(adaptation)} from ${status} ${text.slice(0, 110)}`, () => {
      assert.deepEqual(readRefusedField(failed(refused(status, body)), sentRequest), adaptation);
    });
  }

  for (const [status, body] of others) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`reads nothing from ${status} ${text.slice(0, 110)}`, () => {
      assert.equal(readRefusedField(failed(refused(status, body)), sentRequest), undefined);
    });
  }

  it("omits a field if a validator says that the field should not exist", () => {
    const body = { ...sentRequest, seed: 7 };
    for (const message of ["property seed should not exist", "must NOT have additional properties 'seed'"])
      assert.deepEqual(readRefusedField(failed(refused(400, chat(message))), body), omit("seed"), message);
  });

  it("moves refused system text to the user message in the Messages style, and never renames max_tokens", () => {
    const refusals: readonly (readonly [object, Adaptation | undefined])[] = [
      [messagesError("system: Extra inputs are not permitted"), system],
      [messagesError("This model does not support the system prompt"), system],
      [messagesError("max_tokens: Extra inputs are not permitted"), undefined],
    ];
    for (const [body, adaptation] of refusals) {
      assert.deepEqual(
        readRefusedField(failed(refused(400, body)), sentAsMessages),
        adaptation,
        JSON.stringify(body),
      );
    }
  });

  const mark = { cache_control: { type: "ephemeral" } };
  const sentMarked = {
    ...sentAsMessages,
    system: [{ type: "text", text: "Be brief.", ...mark }],
    messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...mark }] }],
    tools: [{ name: "read", input_schema: {}, ...mark }],
    tool_choice: { type: "auto" },
  };
  /** Status and body. Wordings that refuse cache marks or the blocks that contain them. */
  const marksRefused: readonly (readonly [number, object | string])[] = [
    [400, messagesError("tools.0.cache_control: Extra inputs are not permitted")],
    [400, messagesError("tools.0.custom.cache_control: Extra inputs are not permitted")],
    [400, messagesError("system.0.cache_control: Extra inputs are not permitted")],
    [400, messagesError("messages.0.content.0.text.cache_control: Extra inputs are not permitted")],
    [400, messagesError("A maximum of 4 blocks with cache_control may be provided. Found 5.")],
    [400, messagesError("messages.0.content.0.text: cache_control cannot be set for empty text blocks")],
    [
      422,
      pydantic(["body", "tools", 0, "cache_control"], "Extra inputs are not permitted", "extra_forbidden"),
    ],
    [422, pydantic(["body", "system", "str"], "Input should be a valid string", "string_type")],
    [422, pydantic(["body", "messages", 0, "content"], "str type expected", "type_error.str")],
    [400, messagesError("system: Input should be a valid string")],
    [400, chat("Unknown field: cache_control")],
    [400, chat('json: unknown field "cache_control"')],
    [400, chat("json: cannot unmarshal array into Go struct field Request.system of type string")],
    [400, chat("property cache_control should not exist")],
    [400, chat("Unrecognized key(s) in object: 'cache_control'", { param: "messages[0].content[0]" })],
    [
      400,
      chat("Invalid JSON payload received. Unknown name \"cache_control\" at 'tools[0]': Cannot find field."),
    ],
    [400, chat("tools[0] must NOT have additional properties (cache_control)", { code: "invalid_request" })],
    [400, chat("Expected string, received array", { param: "system" })],
    [400, chat("Invalid type for 'messages[0].content': expected a string, but got an array instead.")],
    [400, chat("Value is wrong", { param: "system[0].cache_control.type" })],
    [
      422,
      "Failed to deserialize the JSON body into the target type: invalid type: sequence, expected a string",
    ],
    [400, chat("Cannot deserialize value of type `java.lang.String` from Array value (token `START_ARRAY`)")],
    [400, chat("The JSON value could not be converted to System.String. Path: $.system")],
    [400, chat("content must be a string")],
    [400, chat("#/system: expected type: String, found: JSONArray")],
    [400, chat("'list' object has no attribute 'strip'", { code: "invalid_request" })],
    [400, chat("sequence item 0: expected str instance, dict found")],
    [400, chat("Unsupported block type: cachePoint")],
    [400, chat("Caching is not supported by this model")],
    [400, chat("Cached content is too small: it must have at least 1024 tokens")],
    [400, chat("cache control is not available for this account")],
    [404, chat("No endpoints found that support cache control")],
    [400, chat("Message content of type list is not supported")],
    [400, chat("Prompt caching is not supported for this model.")],
    [403, chat("You do not have access to explicit prompt caching")],
    [404, chat("No endpoint of this model supports cacheControl")],
    [400, chat("该模型不支持 cache_control 参数")],
  ];
  for (const [status, body] of marksRefused) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`omits the cache marks after ${status} ${text.slice(0, 110)}`, () => {
      assert.deepEqual(readRefusedField(failed(refused(status, body)), sentMarked), omit("cache_control"));
      const unmarked = readRefusedField(failed(refused(status, body)), sentAsMessages);
      assert.notDeepEqual(unmarked, omit("cache_control"));
    });
  }

  const marksKept: readonly (readonly [number, object | string, Adaptation | undefined])[] = [
    [400, messagesError("system: Extra inputs are not permitted"), system],
    [400, messagesError("This model does not support the system prompt"), system],
    [400, messagesError("stop_sequences: Extra inputs are not permitted"), undefined],
    [400, chat("registry.local/library/small:2b does not support tools"), omit("tools")],
    [400, messagesError("system: String should have at most 4000 characters"), undefined],
    [400, messagesError("messages.0.content: text content blocks must be non-empty"), undefined],
    [400, messagesError("prompt is too long: 210000 tokens > 200000 maximum"), undefined],
    [400, messagesError("messages: roles must alternate between user and assistant"), undefined],
    [400, chat("content must be a string with at most 100 characters"), undefined],
    [401, chat("Incorrect API key provided; cache_control is not supported"), undefined],
    [402, chat("Insufficient credits for prompt caching"), undefined],
    [429, chat("Rate limit reached: too many cache_control blocks a minute"), undefined],
    [500, chat("cache_control is not supported"), undefined],
    [400, chat("unknown field `foo`, expected one of `type`, `text`, `cache_control`"), undefined],
  ];
  for (const [status, body, adaptation] of marksKept) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`keeps the cache marks after ${status} ${text.slice(0, 110)}`, () => {
      assert.deepEqual(readRefusedField(failed(refused(status, body)), sentMarked), adaptation);
    });
  }

  it("ignores a field that was not sent", () => {
    const body = chat("Unrecognized request argument supplied: stream_options");
    const { stream_options: _without, ...rest } = sentRequest;
    assert.equal(readRefusedField(failed(refused(400, body)), rest), undefined);
    assert.equal(readRefusedField(failed({ kind: "network", code: "ECONNRESET" }), sentRequest), undefined);
  });
});

const tools = [{ type: "function", function: { name: "look" } }];
const chatCall = { id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
const reasoningChat = (reasoning: object): Fields => ({
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
const bareChat = reasoningChat({});
const fullChat = reasoningChat({ reasoning_content: "Hm" });
const signedChat: Fields = {
  model: "m",
  messages: [{ role: "assistant", content: null, tool_calls: [{ ...chatCall, extra_content: { s: 1 } }] }],
};
const bareBlocks = blocks();
const fullBlocks = blocks({ type: "thinking", thinking: "Hm", signature: "s" });

function adaptationOf(message: string, sent: Fields, more: object = {}): string {
  const body = JSON.stringify({ error: { message, type: "invalid_request_error", ...more } });
  const found = readRefusedField(failed(readRefusal(400, {}, new TextEncoder().encode(body), 0)), sent);
  return found === undefined ? "none" : found.kind === "omit" ? `omit ${found.field}` : found.kind;
}

describe("a refusal about reasoning", () => {
  it("leads to filled-in reasoning if reasoning is missing", () => {
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

  it("leads to the omission of the field or block that it names", () => {
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
        reasoningChat({ reasoning: "Hm" }),
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

  it("leads to the omission of reasoning if the service calls the reasoning altered", () => {
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

  it("leads to the omission of reasoning if the service requires a missing signature", () => {
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

  it("leaves the reasoning unchanged if it only names the thinking mode", () => {
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

  it("leads to no change if there is no reasoning to omit, or if the required reasoning is present", () => {
    assert.equal(adaptationOf("Invalid `signature` in `thinking` block", bareBlocks), "none");
    assert.equal(adaptationOf("reasoning_content is missing", fullChat), "none");
    assert.equal(adaptationOf("messages: at least one message is needed", bareChat), "none");
    assert.equal(adaptationOf("The tool result `c1` answers no call before it.", bareBlocks), "none");
    assert.equal(adaptationOf("No tool call found for call_id c1", fullChat), "none");
    const missing = "Function call is missing a thought_signature in functionCall parts.";
    assert.equal(adaptationOf(missing, bareChat), "none");
  });
});

describe("a refusal of a part of a field of the user", () => {
  const own = { provider: { foo: 1 }, reasoning: { effort: "xhigh" }, web_search_depth: 3 };
  const readFrom = (body: object): Adaptation | undefined =>
    readRefusedField(failed(refused(400, body)), { ...sentRequest, ...own }, own);

  it("leads to the omission of the whole field", () => {
    for (const [message, field, param] of [
      ["Unknown parameter: 'provider.foo'.", "provider", "provider.foo"],
      ["Unknown parameter: 'provider.foo'.", "provider"],
      ["This parameter is unsupported.", "provider", "provider.foo.bar"],
      ["Unknown parameter: 'temperature'.", "provider", "provider.temperature"],
      ["Unrecognized request argument supplied: provider.foo", "provider"],
      ["provider.foo: Extra inputs are not permitted", "provider"],
      ["Unknown parameter: 'provider[0].stream_options'.", "provider"],
      [
        "Unsupported value: 'reasoning.effort' does not support 'xhigh' with this model.",
        "reasoning",
        "reasoning.effort",
      ],
      ["Unsupported value: 'reasoning.effort' does not support 'xhigh' with this model.", "reasoning"],
    ] as const)
      assert.deepEqual(readFrom(chat(message, { param: param ?? null })), omit(field), `${message} ${param}`);
    const found = pydantic(["body", "provider", "foo"], "Extra inputs are not permitted", "extra_forbidden");
    assert.deepEqual(readFrom(found), omit("provider"));
  });

  it("leads to nothing if only a value is wrong", () => {
    for (const message of [
      "provider.foo: Input should be a valid string",
      "'provider.foo' must be at most 3",
    ])
      assert.equal(readFrom(chat(message)), undefined, message);
  });
});

describe("a body with adapted reasoning", () => {
  it("lacks the refused field or blocks", () => {
    assert.deepEqual(adaptBody(fullChat, [{ kind: "omit", field: "reasoning_content" }]), bareChat);
    assert.deepEqual(adaptBody(fullBlocks, [{ kind: "omit", field: "thinking" }]), bareBlocks);
    assert.deepEqual(adaptBody(fullBlocks, [{ kind: "omit-reasoning" }]), bareBlocks);
    assert.deepEqual(adaptBody(fullChat, [{ kind: "omit", field: "thinking" }]), fullChat);
    assert.deepEqual(adaptBody(signedChat, [{ kind: "omit", field: "extra_content" }])["messages"], [
      { role: "assistant", content: null, tool_calls: [chatCall] },
    ]);
  });

  it("has a placeholder for missing reasoning, or a copy of reasoning from another field", () => {
    const fill = [{ kind: "fill-reasoning" }] as const;
    assert.deepEqual(adaptBody(bareChat, fill), reasoningChat({ reasoning_content: " " }));
    assert.deepEqual(adaptBody(fullChat, fill), fullChat);
    const named = adaptBody(reasoningChat({ reasoning: "Hm" }), fill);
    assert.deepEqual(named, reasoningChat({ reasoning: "Hm", reasoning_content: "Hm" }));
  });

  it("describes calls and results as text if a thinking block would be required", () => {
    const filled = adaptBody(fullBlocks, [{ kind: "fill-reasoning" }, { kind: "omit-reasoning" }]);
    assert.deepEqual(filled["messages"], [
      { role: "user", content: "Look" },
      { role: "assistant", content: [{ type: "text", text: '(Called the tool look with {"at":1}.)' }] },
      { role: "user", content: [{ type: "text", text: "(The tool came to this result: Seen.)" }] },
    ]);
    assert.deepEqual(adaptBody(fullBlocks, [{ kind: "fill-reasoning" }]), fullBlocks);
  });

  it("describes only the results of a turn's own calls as text if IDs repeat", () => {
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
