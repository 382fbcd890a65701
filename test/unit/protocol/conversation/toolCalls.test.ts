import assert from "node:assert/strict";
import { chatCompletions } from "../../../../src/protocol/styles/chatCompletions.ts";
import type { ChatRequest, StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { readToolArguments } from "../../../../src/protocol/conversation/toolCalls.ts";
import { messages } from "../../../../src/protocol/styles/messages.ts";
import type { WireStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import { processorTime } from "../../processorTime.ts";

function decode(style: WireStyle, events: readonly (object | string)[]): readonly StreamPart[] {
  const decoder = style.createStreamDecoder();
  const parts = events.map((event) =>
    decoder.decode(typeof event === "string" ? event : JSON.stringify(event)),
  );
  return [...parts.flat(), ...(decoder.finished ? decoder.close() : [])];
}

/** A JSON text with this many objects inside each other. */
const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
/** An event whose text "nested" is replaced by such an object. */
const withNested = (event: object, depth: number): string =>
  JSON.stringify(event).replaceAll('"nested"', nested(depth));

const call = (id: string, name: string, value: object): StreamPart => ({
  type: "tool-call",
  id,
  name,
  arguments: { kind: "object", value: { ...value } },
});
const finish = (wireReason: string): StreamPart => ({ type: "finish", reason: "tool-calls", wireReason });
const delta = (calls: readonly object[], finishReason: string | null = null): object => ({
  choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: finishReason }],
});
const piece = (index: number | undefined, text: string, id?: string | null, name?: string): object => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: "function",
  function: { ...(name === undefined ? {} : { name }), arguments: text },
});
const ended = (finishReason: string): object => delta([], finishReason);

describe("very many tool calls", () => {
  const many = Array.from({ length: 160_000 }, (_, number) => number);
  const styles: readonly (readonly [string, WireStyle, () => readonly object[]])[] = [
    [
      "under indexes",
      chatCompletions,
      () => [delta(many.map((number) => piece(number, "{}", `id${number}`, "read")))],
    ],
    [
      "with ids alone, in two pieces each",
      chatCompletions,
      () => [
        delta(many.map((number) => piece(undefined, "{", `id${number}`, "read"))),
        delta(many.map((number) => piece(undefined, "}", `id${number}`))),
      ],
    ],
    [
      "in blocks that end one by one",
      messages,
      () => [
        ...many.map((index) => ({
          type: "content_block_start",
          index,
          content_block: { type: "tool_use", id: `id${index}`, name: "read", input: {} },
        })),
        ...many.map((index) => ({ type: "content_block_stop", index })),
        { type: "message_delta", delta: { stop_reason: "tool_use" } },
      ],
    ],
  ];
  for (const [name, style, events] of styles) {
    it(`are joined in linear time: ${name}`, () => {
      const sent = [...events(), ended("tool_calls")];
      let parts: readonly StreamPart[] = [];
      // Takes less than a second. A linear search for each call would take a minute.
      const time = processorTime(() => {
        parts = decode(style, sent);
      });
      assert.equal(parts.filter(({ type }) => type === "tool-call").length, many.length);
      assert.deepEqual(parts[many.length - 1], call(`id${many.length - 1}`, "read", {}));
      assert.ok(time < 10_000, `${time} ms`);
    });
  }
});

describe("tool calls of Chat Completions", () => {
  const shapes: readonly (readonly [string, readonly (object | string)[], readonly StreamPart[]])[] = [
    [
      "joined from pieces",
      [delta([piece(0, "", "a", "read")]), delta([piece(0, '{"p":')]), delta([piece(0, "1}")])],
      [call("a", "read", { p: 1 })],
    ],
    [
      "several at once, mixed, with indexes from 1 and later pieces with empty ids and names",
      [
        delta([piece(1, "", "a", "read"), piece(2, "", "b", "write")]),
        delta([piece(2, '{"q":2', "", ""), piece(1, '{"p":1}', "", "")]),
        delta([piece(2, "}", null)]),
      ],
      [call("a", "read", { p: 1 }), call("b", "write", { q: 2 })],
    ],
    [
      "with the id and the name in every piece",
      [delta([piece(0, '{"p"', "a", "read")]), delta([piece(0, ":1}", "a", "read")])],
      [call("a", "read", { p: 1 })],
    ],
    [
      "with another id in every piece of one call",
      [delta([piece(0, '{"p"', "a", "read")]), delta([piece(0, ":1}", "z")])],
      [call("a", "read", { p: 1 })],
    ],
    [
      "two whole ones under the same index",
      [delta([piece(0, '{"p":1}', "a", "read")]), delta([piece(0, '{"p":2}', "b", "read")])],
      [call("a", "read", { p: 1 }), call("b", "read", { p: 2 })],
    ],
    [
      "without an index",
      [
        delta([piece(undefined, '{"p":', "a", "read")]),
        delta([piece(undefined, "1}")]),
        delta([piece(undefined, "{}", "b", "write")]),
      ],
      [call("a", "read", { p: 1 }), call("b", "write", {})],
    ],
    ["without arguments", [delta([piece(0, "", "a", "now")])], [call("a", "now", {})]],
    [
      "after an empty object",
      [delta([piece(0, "{}", "a", "read")]), delta([piece(0, '{"p":1}')])],
      [call("a", "read", { p: 1 })],
    ],
    [
      "if they are repeated whole at the end",
      [delta([piece(0, '{"p":', "a", "read")]), delta([piece(0, "1}")]), delta([piece(0, '{"p":1}', "a")])],
      [call("a", "read", { p: 1 })],
    ],
    [
      "if each piece repeats the earlier ones",
      [delta([piece(0, '{"p"', "a", "read")]), delta([piece(0, '{"p":1')]), delta([piece(0, '{"p":1}')])],
      [call("a", "read", { p: 1 })],
    ],
    [
      "if an object contains an equal object",
      [delta([piece(0, '{"p":', "a", "read")]), delta([piece(0, '{"p":1}')]), delta([piece(0, "}")])],
      [call("a", "read", { p: { p: 1 } })],
    ],
    [
      "if they are encoded twice",
      [delta([piece(0, JSON.stringify('{"p":1}'), "a", "read")])],
      [call("a", "read", { p: 1 })],
    ],
  ];
  for (const [name, events, calls] of shapes) {
    it(`are read: ${name}`, () => {
      const parts = decode(chatCompletions, [...events, ended("tool_calls"), "[DONE]"]);
      assert.deepEqual(parts, [...calls, finish("tool_calls")]);
    });
  }

  it("are read with object arguments, and from the old function_call field", () => {
    const object = { index: 0, id: "a", function: { name: "read", arguments: { p: 1 } } };
    assert.deepEqual(
      decode(chatCompletions, [delta([object], "tool_calls")])[0],
      call("a", "read", { p: 1 }),
    );
    const old = { choices: [{ delta: { function_call: { name: "read", arguments: '{"p":1}' } } }] };
    const [first] = decode(chatCompletions, [old, ended("function_call")]);
    assert.ok(first?.type === "tool-call" && first.id !== "");
    assert.deepEqual(first, call(first.id, "read", { p: 1 }));
  });

  it("get unique IDs if the server sends none", () => {
    const events = [delta([piece(0, "{}", undefined, "read"), piece(1, "{}", undefined, "write")])];
    const answers = [1, 2].map(() => decode(chatCompletions, [...events, ended("tool_calls")]));
    const calls = answers.flat().filter((part) => part.type === "tool-call");
    assert.deepEqual(
      calls.map(({ name }) => name),
      ["read", "write", "read", "write"],
    );
    assert.equal(new Set(calls.map(({ id }) => id)).size, 4);
    // The characters and lengths that services accept in an ID.
    for (const { id } of calls) assert.match(id, /^[\w-]{6,64}$/u);
  });

  it("are two calls if both have index 0 and no ID, but different names or complete arguments", () => {
    const first = piece(0, '{"p":1}', "", "read");
    for (const [second, name] of [
      [piece(0, '{"q":2}', "", "write"), "write"],
      [piece(0, '{"q":2}', "", "read"), "read"],
    ] as const) {
      const [one, other] = decode(chatCompletions, [delta([first]), delta([second]), ended("tool_calls")]);
      assert.deepEqual(one?.type === "tool-call" && [one.name, one.arguments], [
        "read",
        { kind: "object", value: { p: 1 } },
      ]);
      assert.deepEqual(other?.type === "tool-call" && [other.name, other.arguments], [
        name,
        { kind: "object", value: { q: 2 } },
      ]);
    }
  });

  it("are one call if each piece repeats the name or has a string as its index", () => {
    const named = [piece(0, '{"p":', "a", "read"), piece(0, "1}", "", "read")];
    const texts = [
      { ...piece(0, '{"p":', "a", "read"), index: "0" },
      { ...piece(0, "1}"), index: "0" },
    ];
    for (const pieces of [named, texts]) {
      const events = [...pieces.map((each) => delta([each])), ended("tool_calls")];
      assert.deepEqual(decode(chatCompletions, events), [call("a", "read", { p: 1 }), finish("tool_calls")]);
    }
  });

  it("are found in a second choice next to the text of the first", () => {
    const choices = [
      { index: 0, message: { content: "I look." }, finish_reason: "stop" },
      {
        index: 1,
        message: { content: null, tool_calls: [piece(undefined, '{"p":1}', "a", "read")] },
        finish_reason: "tool_calls",
      },
    ];
    assert.deepEqual(chatCompletions.decodeAnswer({ choices }), [
      { type: "text-delta", text: "I look." },
      call("a", "read", { p: 1 }),
      finish("tool_calls"),
    ]);
  });

  it("are reported as invalid if their arguments are not a JSON object", () => {
    for (const text of ['{"p":', "[1]", '"x"', "null"]) {
      const [first] = decode(chatCompletions, [delta([piece(0, text, "a", "read")]), ended("length")]);
      assert.ok(first?.type === "tool-call");
      assert.deepEqual(first.arguments, { kind: "invalid", text });
    }
  });

  it("are invalid if their arguments are nested too deep, as text or as an object", () => {
    assert.deepEqual(readToolArguments(nested(100)), { kind: "object", value: JSON.parse(nested(100)) });
    for (const depth of [101, 200_000]) {
      for (const text of [nested(depth), nested(depth) + nested(depth)]) {
        const [first] = decode(chatCompletions, [delta([piece(0, text, "a", "read")]), ended("tool_calls")]);
        assert.deepEqual(first?.type === "tool-call" && first.arguments, { kind: "invalid", text });
      }
      const event = withNested(delta([piece(0, "nested", "a", "read")]), depth);
      const [first] = decode(chatCompletions, [event, ended("tool_calls")]);
      const text = "(Arguments nested more than 100 levels deep)";
      assert.deepEqual(first?.type === "tool-call" && first.arguments, { kind: "invalid", text });
    }
  });

  it("are returned without extra content and reasoning that are nested too deep", () => {
    const reasoned = { reasoning_details: ["nested", { type: "text", text: "I think." }] };
    const events = [
      withNested({ choices: [{ index: 0, delta: reasoned }] }, 200_000),
      withNested(delta([{ ...piece(0, "{}", "a", "read"), extra_content: "nested" }]), 200_000),
      ended("tool_calls"),
    ];
    assert.deepEqual(
      decode(chatCompletions, events).filter(({ type }) => type !== "reasoning-delta"),
      [
        {
          type: "reasoning",
          form: "list",
          field: "reasoning_details",
          items: [{ type: "text", text: "I think." }],
        },
        call("a", "read", {}),
        finish("tool_calls"),
      ],
    );
  });

  it("end the answer with the reason tool-calls despite stop, and are returned at [DONE] even without a reason", () => {
    const named = decode(chatCompletions, [delta([piece(0, "{}", "a", "read")]), ended("stop")]);
    assert.deepEqual(named, [call("a", "read", {}), finish("stop")]);
    const bare = decode(chatCompletions, [delta([piece(0, "{}", "a", "read")]), "[DONE]"]);
    assert.deepEqual(bare, [call("a", "read", {})]);
    assert.deepEqual(decode(chatCompletions, [delta([piece(0, "{}", "a", "read")])]), []);
  });

  it("are read from a whole answer, with or without a finish reason", () => {
    const message = { content: null, tool_calls: [piece(undefined, '{"p":1}', "a", "read")] };
    const whole = (more: object) => chatCompletions.decodeAnswer({ choices: [{ message, ...more }] });
    assert.deepEqual(whole({ finish_reason: "tool_calls" }), [
      call("a", "read", { p: 1 }),
      finish("tool_calls"),
    ]);
    assert.deepEqual(whole({}), [call("a", "read", { p: 1 }), finish("")]);
  });
});

const start = (index: number, block: object): object => ({
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", ...block },
});
const add = (index: number, text: string): object => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json: text },
});
const stop = (index: number): object => ({ type: "content_block_stop", index });

describe("tool calls of Messages", () => {
  const done = { type: "message_delta", delta: { stop_reason: "tool_use" } };

  it("are joined from alternating pieces, even if no block is stopped", () => {
    const events = [
      start(1, { id: "a", name: "read", input: {} }),
      add(1, '{"p":'),
      start(2, { id: "b", name: "write", input: {} }),
      add(2, '{"q":2}'),
      add(1, "1}"),
    ];
    const calls = [call("a", "read", { p: 1 }), call("b", "write", { q: 2 })];
    assert.deepEqual(decode(messages, [...events, stop(1), stop(2), done]), [...calls, finish("tool_use")]);
    assert.deepEqual(decode(messages, [...events, done]), [...calls, finish("tool_use")]);
    assert.deepEqual(decode(messages, [...events, "[DONE]"]), calls);
  });

  it("accept arguments with a wrong index, with a string index, or as an object, but not those of another block", () => {
    const begun = start(1, { id: "a", name: "read", input: {} });
    const other = {
      ...start(2, { id: "s" }),
      content_block: { type: "server_tool_use", id: "s", name: "s" },
    };
    const object = { type: "input_json_delta", partial_json: { p: 1 } };
    const given: readonly object[] = [
      add(0, '{"p":1}'),
      { ...add(1, '{"p":1}'), index: "1" },
      { ...add(1, ""), delta: object },
    ];
    for (const each of given) {
      const events = [begun, each, stop(1), other, add(2, '{"x":1}'), stop(2), done];
      assert.deepEqual(decode(messages, events), [call("a", "read", { p: 1 }), finish("tool_use")]);
    }
  });

  it("accept their whole input at once, and report invalid JSON", () => {
    const whole = start(0, { id: "a", name: "read", input: { p: 1 } });
    assert.deepEqual(decode(messages, [whole, stop(0), done]), [
      call("a", "read", { p: 1 }),
      finish("tool_use"),
    ]);
    const broken = [start(0, { id: "a", name: "read" }), add(0, '{"p":'), stop(0), done];
    const [first] = decode(messages, broken);
    assert.deepEqual(first?.type === "tool-call" && first.arguments, { kind: "invalid", text: '{"p":' });
  });

  it("are invalid if their input is nested too deep, whole or in a delta", () => {
    const begun = start(0, { id: "a", name: "read", input: {} });
    const inDelta = { ...add(0, ""), delta: { type: "input_json_delta", partial_json: "nested" } };
    for (const events of [[start(0, { id: "a", name: "read", input: "nested" })], [begun, inDelta]]) {
      const texts = events.map((event) => withNested(event, 200_000));
      const [first] = decode(messages, [...texts, stop(0), done]);
      assert.equal(first?.type === "tool-call" && first.arguments.kind, "invalid");
    }
  });

  it("prefer their streamed input, if it is complete, to the input in the block's start", () => {
    const whole = start(0, { id: "a", name: "read", input: { p: 1 } });
    const expected = [call("a", "read", { p: 1 }), finish("tool_use")];
    assert.deepEqual(decode(messages, [whole, add(0, '{"p":'), add(0, "1}"), stop(0), done]), expected);
    assert.deepEqual(decode(messages, [whole, add(0, '{"p'), stop(0), done]), expected);
  });

  it("accept pieces after the end of their block", () => {
    const events = [start(0, { id: "a", name: "read", input: {} }), stop(0), add(0, '{"p":1}'), done];
    assert.deepEqual(decode(messages, events), [call("a", "read", { p: 1 }), finish("tool_use")]);
  });

  it("are read from a whole answer, without server tools", () => {
    const content = [
      { type: "server_tool_use", id: "s", name: "search", input: {} },
      { type: "tool_use", id: "a", name: "read", input: { p: 1 } },
    ];
    assert.deepEqual(messages.decodeAnswer({ content, stop_reason: "tool_use" }), [
      call("a", "read", { p: 1 }),
      finish("tool_use"),
    ]);
  });
});

const conversation: ChatRequest = {
  model: "service-core",
  maxTokens: 9,
  stream: false,
  tools: [{ name: "read", description: "Reads.", schema: { type: "object" } }],
  toolChoice: "required",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image", mediaType: "image/png", data: "AAAA" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "tool-call", id: "a", name: "read", arguments: { kind: "object", value: { p: 1 } } },
        { type: "tool-call", id: "b", name: "read", arguments: { kind: "invalid", text: "{" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "Go on." },
        { type: "tool-result", callId: "a", text: "one" },
        { type: "tool-result", callId: "b", text: "not JSON", isError: true },
      ],
    },
  ],
};

describe("tools, tool results, and images in a request", () => {
  it("are encoded in the Chat Completions style", () => {
    assert.deepEqual(chatCompletions.encodeRequest(conversation), {
      model: "service-core",
      max_tokens: 9,
      tools: [
        {
          type: "function",
          function: { name: "read", description: "Reads.", parameters: { type: "object" } },
        },
      ],
      tool_choice: "required",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "read", arguments: '{"p":1}' } },
            { id: "b", type: "function", function: { name: "read", arguments: "{" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "one" },
        { role: "tool", tool_call_id: "b", content: "not JSON" },
        { role: "user", content: "Go on." },
      ],
    });
  });

  it("are encoded in the Messages style", () => {
    assert.deepEqual(messages.encodeRequest(conversation), {
      model: "service-core",
      max_tokens: 9,
      tools: [
        {
          name: "read",
          description: "Reads.",
          input_schema: { type: "object" },
          cache_control: { type: "ephemeral" },
        },
      ],
      tool_choice: { type: "any" },
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "a", name: "read", input: { p: 1 } },
            { type: "tool_use", id: "b", name: "read", input: { INVALID_JSON: "{" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: "one" },
            { type: "tool_result", tool_use_id: "b", content: "not JSON", is_error: true },
            { type: "text", text: "Go on.", cache_control: { type: "ephemeral" } },
          ],
        },
      ],
    });
  });
});
