import assert from "node:assert/strict";
import fc from "fast-check";
import { adaptBody } from "../../../../src/protocol/encode/adaptation.ts";
import {
  hasCacheMarks,
  withCacheMarks,
  withoutCacheMarks,
} from "../../../../src/protocol/encode/cacheMarks.ts";
import type { ChatRequest, Message } from "../../../../src/protocol/conversation/conversation.ts";
import type { Fields } from "../../../../src/protocol/conversation/json.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { wireStyles } from "../../../../src/protocol/styles/wireStyles.ts";

const said = (role: Message["role"], text: string): Message => ({ role, content: [{ type: "text", text }] });
const tool = { name: "read", description: "Reads.", schema: { type: "object" } };
const mark = { type: "ephemeral" };
const marked = (text: string): object => ({ type: "text", text, cache_control: mark });

const encode = (messages: readonly Message[], more: Partial<ChatRequest> = {}): Fields =>
  wireStyles.messages.encodeRequest({ model: "m", maxTokens: 9, stream: true, messages, ...more });

/** Every mark of the body, wherever it stands. */
const marksIn = (body: Fields): number =>
  JSON.stringify(body).split('"cache_control":{"type":"ephemeral"}').length - 1;

const block = (type: string, more: object = {}): Fields => ({ type, ...more });
/** A second question that says this. */
const questionOf = (content: unknown): Fields => ({
  system: "",
  messages: [
    { role: "assistant", content: "x" },
    { role: "user", content },
  ],
});

describe("cache marks", () => {
  const second = [
    said("system", "Be brief."),
    said("user", "One"),
    said("assistant", "1"),
    said("user", "Two"),
  ];

  it("puts none on a first question without tools, since a cache write costs extra", () => {
    const body = encode([said("system", "Be brief."), said("user", "One")]);
    assert.equal(marksIn(body), 0);
    assert.equal(body["system"], "Be brief.");
  });

  it("marks instructions and the newest message from the second question on", () => {
    const body = encode(second);
    assert.deepEqual(body["system"], [marked("Be brief.")]);
    assert.deepEqual(body["messages"], [
      { role: "user", content: "One" },
      { role: "assistant", content: "1" },
      { role: "user", content: [marked("Two")] },
    ]);
  });

  it("marks the last tool from the first question on", () => {
    const body = encode([said("user", "One")], { tools: [tool, { ...tool, name: "write" }] });
    assert.deepEqual(body["tools"], [
      { name: "read", description: "Reads.", input_schema: { type: "object" } },
      { name: "write", description: "Reads.", input_schema: { type: "object" }, cache_control: mark },
    ]);
    assert.equal(marksIn(body), 2);
  });

  it("marks the last of a tool's results, and an image", () => {
    const calling: readonly Message[] = [
      said("user", "One"),
      {
        role: "assistant",
        content: [{ type: "tool-call", id: "a", name: "read", arguments: { kind: "object", value: {} } }],
      },
      {
        role: "user",
        content: [
          { type: "tool-result", callId: "a", text: "1" },
          { type: "image", mediaType: "image/png", data: "AAAA" },
        ],
      },
    ];
    const text = JSON.stringify(encode(calling, { tools: [tool] })["messages"]);
    assert.match(text, /"data":"AAAA"\},"cache_control":\{"type":"ephemeral"\}\}\]\}\]$/u);
  });

  it("sends none in the other style", () => {
    const request = { model: "m", maxTokens: 9, stream: true, messages: second, tools: [tool] };
    assert.equal(marksIn(wireStyles["chat-completions"].encodeRequest(request)), 0);
  });

  it("puts no mark on thinking, and none on an empty text", () => {
    const kept = [
      block("thinking", { thinking: "t", signature: "s" }),
      block("redacted_thinking"),
      block("text", { text: " " }),
    ];
    assert.deepEqual(withCacheMarks(questionOf(kept)), questionOf(kept));
    assert.deepEqual(withCacheMarks(questionOf("")), questionOf(""));
    const mixed = [block("text", { text: "a" }), ...kept];
    assert.deepEqual(withCacheMarks(questionOf(mixed)), questionOf([marked("a"), ...kept]));
  });

  it("is taken away again by the refusal, to the letter, and has three marks at most", () => {
    const text = fc.constantFrom("a", " ", "\n", "b c");
    const part = fc.oneof(
      text.map((words) => ({ type: "text", text: words }) as const),
      fc.constant({ type: "image", mediaType: "image/png", data: "AA" } as const),
      text.map((words) => ({ type: "tool-result", callId: "a", text: words }) as const),
    );
    const message = fc.record({
      role: fc.constantFrom<Message["role"]>("system", "user", "assistant"),
      content: fc.array(part, { maxLength: 3 }),
    });
    const request = fc.record({
      messages: fc.array(message, { maxLength: 6 }),
      tools: fc.constantFrom([], [tool], [tool, tool]),
    });
    fc.assert(
      fc.property(request, ({ messages, tools }) => {
        const body = encode(messages, { tools });
        assert.ok(marksIn(body) <= 3);
        const omitted = adaptBody(body, [{ kind: "omit", field: "cache_control" }]);
        assert.deepEqual(omitted, withoutCacheMarks(body));
        assert.equal(hasCacheMarks(omitted), false);
        assert.equal(hasCacheMarks(body), marksIn(body) > 0);
        // What is left has nothing but what the style took before, and is marked to the same again.
        assert.deepEqual(withCacheMarks(omitted), body);
      }),
    );
  });

  it("moves marked instructions into the first question where the service takes none of their own", () => {
    const body = adaptBody(encode(second), [{ kind: "system-as-user" }]);
    assert.deepEqual(
      [body["system"], body["messages"]],
      [
        undefined,
        [
          { role: "user", content: "Be brief.\n\nOne" },
          { role: "assistant", content: "1" },
          { role: "user", content: [marked("Two")] },
        ],
      ],
    );
  });

  it("comes to plain texts in whichever order marks and instructions were refused", () => {
    const both = [{ kind: "omit", field: "cache_control" }, { kind: "system-as-user" }] as const;
    const one = encode([said("system", "Be brief."), said("user", "One")], { tools: [tool] });
    const expected = [{ role: "user", content: "Be brief.\n\nOne" }];
    assert.deepEqual(adaptBody(one, both)["messages"], expected);
    assert.deepEqual(adaptBody(one, both.toReversed())["messages"], expected);
  });

  for (const style of clientStyles) {
    it(`leaves the body of ${style} as it is where nothing is marked`, () => {
      const body = wireStyles[style].encodeRequest({
        model: "m",
        maxTokens: 9,
        stream: true,
        messages: [said("user", 'What is "cache_control":{"type":"ephemeral"}?')],
      });
      assert.deepEqual(withoutCacheMarks(body), body);
      assert.equal(hasCacheMarks(body), false);
    });
  }
});
