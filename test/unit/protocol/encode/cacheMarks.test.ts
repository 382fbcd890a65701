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

/** Counts the cache marks in a body. */
const marksIn = (body: Fields): number =>
  JSON.stringify(body).split('"cache_control":{"type":"ephemeral"}').length - 1;

const block = (type: string, more: object = {}): Fields => ({ type, ...more });
/** A second question with this content. */
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

  it("are absent from a first question without tools, because a cache write costs extra", () => {
    const body = encode([said("system", "Be brief."), said("user", "One")]);
    assert.equal(marksIn(body), 0);
    assert.equal(body["system"], "Be brief.");
  });

  it("are on the instructions and the newest message from the second question on", () => {
    const body = encode(second);
    assert.deepEqual(body["system"], [marked("Be brief.")]);
    assert.deepEqual(body["messages"], [
      { role: "user", content: "One" },
      { role: "assistant", content: "1" },
      { role: "user", content: [marked("Two")] },
    ]);
  });

  it("are on the last tool from the first question on", () => {
    const body = encode([said("user", "One")], { tools: [tool, { ...tool, name: "write" }] });
    assert.deepEqual(body["tools"], [
      { name: "read", description: "Reads.", input_schema: { type: "object" } },
      { name: "write", description: "Reads.", input_schema: { type: "object" }, cache_control: mark },
    ]);
    assert.equal(marksIn(body), 2);
  });

  it("are on the last part of a message with tool results, even an image", () => {
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

  it("are absent in the Chat Completions style", () => {
    const request = { model: "m", maxTokens: 9, stream: true, messages: second, tools: [tool] };
    assert.equal(marksIn(wireStyles["chat-completions"].encodeRequest(request)), 0);
  });

  it("are never on reasoning or empty text", () => {
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

  it("are at most three, and are removed completely after a refusal", () => {
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
        // Without marks, the body has the older format. Marking it again restores the marks.
        assert.deepEqual(withCacheMarks(omitted), body);
      }),
    );
  });

  it("are dropped from instructions that move into the first question", () => {
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

  it("leave plain texts if marks and instructions are refused, in either order", () => {
    const both = [{ kind: "omit", field: "cache_control" }, { kind: "system-as-user" }] as const;
    const one = encode([said("system", "Be brief."), said("user", "One")], { tools: [tool] });
    const expected = [{ role: "user", content: "Be brief.\n\nOne" }];
    assert.deepEqual(adaptBody(one, both)["messages"], expected);
    assert.deepEqual(adaptBody(one, both.toReversed())["messages"], expected);
  });

  for (const style of clientStyles) {
    it(`are not found in the text of a ${style} request`, () => {
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
