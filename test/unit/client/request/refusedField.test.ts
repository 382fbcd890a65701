import assert from "node:assert/strict";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { readRefusal } from "../../../../src/client/http/refusal.ts";
import { readRefusedField } from "../../../../src/client/request/refusedField.ts";
import type { Adaptation } from "../../../../src/protocol/encode/adaptation.ts";

const sent = {
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
const sentAsMessages = { ...sent, messages: [{ role: "user", content: "Hi" }], system: "Be brief." };

function refused(status: number, body: unknown): Failure {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readRefusal(status, {}, new TextEncoder().encode(text), 0);
}

const chat = (message: string, more: object = {}): object => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...more },
});
const messages = (message: string): object => ({
  type: "error",
  error: { type: "invalid_request_error", message },
});
const pydantic = (loc: readonly (string | number)[], msg: string, type: string): object => ({
  detail: [{ type, loc, msg, input: {} }],
});
const omit = (field: string): Adaptation => ({ kind: "omit", field });
const cap: Adaptation = { kind: "rename-cap" };
const system: Adaptation = { kind: "system-as-user" };

/** Status, body, and what it refuses. Wordings of gateways, model runners and validators. */
const named: readonly (readonly [number, object | string, Adaptation])[] = [
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
  [400, messages("stream_options: Extra inputs are not permitted"), omit("stream_options")],
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

/** Refusals that name no field, a field's value, or something else altogether. */
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
  [400, messages("Your credit balance is too low to use tools")],
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
  for (const [status, body, adaptation] of named) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`reads ${JSON.stringify(adaptation)} from ${status} ${text.slice(0, 110)}`, () => {
      assert.deepEqual(readRefusedField(refused(status, body), sent), adaptation);
    });
  }

  for (const [status, body] of others) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`reads nothing from ${status} ${text.slice(0, 110)}`, () => {
      assert.equal(readRefusedField(refused(status, body), sent), undefined);
    });
  }

  it("leaves out what validators say should not exist", () => {
    const body = { ...sent, seed: 7 };
    for (const message of ["property seed should not exist", "must NOT have additional properties 'seed'"])
      assert.deepEqual(readRefusedField(refused(400, chat(message)), body), omit("seed"), message);
  });

  it("moves instructions of the messages style, and never takes its cap", () => {
    const refusals: readonly (readonly [object, Adaptation | undefined])[] = [
      [messages("system: Extra inputs are not permitted"), system],
      [messages("This model does not support the system prompt"), system],
      [messages("max_tokens: Extra inputs are not permitted"), undefined],
    ];
    for (const [body, adaptation] of refusals) {
      assert.deepEqual(
        readRefusedField(refused(400, body), sentAsMessages),
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
  /** Status and body. Wordings of gateways, model runners and validators, against marks or the blocks that carry them. */
  const marksRefused: readonly (readonly [number, object | string])[] = [
    [400, messages("tools.0.cache_control: Extra inputs are not permitted")],
    [400, messages("tools.0.custom.cache_control: Extra inputs are not permitted")],
    [400, messages("system.0.cache_control: Extra inputs are not permitted")],
    [400, messages("messages.0.content.0.text.cache_control: Extra inputs are not permitted")],
    [400, messages("A maximum of 4 blocks with cache_control may be provided. Found 5.")],
    [400, messages("messages.0.content.0.text: cache_control cannot be set for empty text blocks")],
    [
      422,
      pydantic(["body", "tools", 0, "cache_control"], "Extra inputs are not permitted", "extra_forbidden"),
    ],
    [422, pydantic(["body", "system", "str"], "Input should be a valid string", "string_type")],
    [422, pydantic(["body", "messages", 0, "content"], "str type expected", "type_error.str")],
    [400, messages("system: Input should be a valid string")],
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
    it(`leaves the cache marks out after ${status} ${text.slice(0, 110)}`, () => {
      assert.deepEqual(readRefusedField(refused(status, body), sentMarked), omit("cache_control"));
      const unmarked = readRefusedField(refused(status, body), sentAsMessages);
      assert.notDeepEqual(unmarked, omit("cache_control"));
    });
  }

  const marksKept: readonly (readonly [number, object | string, Adaptation | undefined])[] = [
    [400, messages("system: Extra inputs are not permitted"), system],
    [400, messages("This model does not support the system prompt"), system],
    [400, messages("stop_sequences: Extra inputs are not permitted"), undefined],
    [400, chat("registry.local/library/small:2b does not support tools"), omit("tools")],
    [400, messages("system: String should have at most 4000 characters"), undefined],
    [400, messages("messages.0.content: text content blocks must be non-empty"), undefined],
    [400, messages("prompt is too long: 210000 tokens > 200000 maximum"), undefined],
    [400, messages("messages: roles must alternate between user and assistant"), undefined],
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
      assert.deepEqual(readRefusedField(refused(status, body), sentMarked), adaptation);
    });
  }

  it("names no field that was not sent", () => {
    const body = chat("Unrecognized request argument supplied: stream_options");
    const { stream_options: _without, ...rest } = sent;
    assert.equal(readRefusedField(refused(400, body), rest), undefined);
    assert.equal(readRefusedField({ kind: "network", code: "ECONNRESET" }, sent), undefined);
  });
});
