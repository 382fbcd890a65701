import assert from "node:assert/strict";
import fc from "fast-check";
import {
  convertLanguageModelMessages,
  type LanguageModelMessage,
  type LanguageModelPart,
  promptTreeText,
} from "../../../../src/chat/session/languageModelMessages.ts";
import { estimateMessages, estimateRequest } from "../../../../src/chat/session/tokenEstimate.ts";
import type { Message, Role } from "../../../../src/protocol/conversation/conversation.ts";

const text = (value: string): LanguageModelPart => ({ type: "text", text: value });
const call = (id: string): LanguageModelPart => ({
  type: "tool-call",
  id,
  name: "look",
  arguments: { kind: "object", value: {} },
});
const result = (callId: string, value = "seen"): LanguageModelPart => ({
  type: "tool-result",
  callId,
  parts: [{ type: "text", text: value }],
});
const data = (mediaType: string, value: string): LanguageModelPart & { type: "data" } => ({
  type: "data",
  mediaType,
  bytes: Buffer.from(value),
});
const given = (role: Role, ...parts: readonly LanguageModelPart[]): LanguageModelMessage => ({ role, parts });

/** Each message in short, such as `user: result a first, "Go on"`. */
function sketch(messages: readonly Message[]): readonly string[] {
  return messages.map(({ role, content }) => {
    const parts = content.map((part) => {
      if (part.type === "text") return JSON.stringify(part.text);
      if (part.type === "image") return part.mediaType;
      if (part.type === "pdf") return part.name;
      if (part.type === "reasoning") return part.form;
      return part.type === "tool-call" ? `call ${part.id}` : `result ${part.callId} ${part.text}`;
    });
    return `${role}: ${parts.join(", ")}`;
  });
}

describe("messages from other extensions", () => {
  it("are joined if adjacent ones have the same role, and parts of one message are joined without a gap", () => {
    const messages = [given("user", text("Hel"), text("lo")), given("user", text("there"))];
    assert.deepEqual(sketch(convertLanguageModelMessages(messages)), ['user: "Hello\\n\\nthere"']);
  });

  it("are dropped if empty, and the messages around them are joined", () => {
    const messages = [
      given("user", text(""), text("One")),
      given("assistant", text(" \n"), text("")),
      given("user", text("two")),
      given("user"),
    ];
    assert.deepEqual(sketch(convertLanguageModelMessages(messages)), ['user: "One\\n\\ntwo"']);
    assert.deepEqual(convertLanguageModelMessages([given("user", text(" "))]), []);
  });

  it("are joined with the image of an assistant message between them", () => {
    const messages = [
      given("user", text("One")),
      given("assistant", text(" "), data("image/png", "x")),
      given("user", text("two")),
    ];
    assert.deepEqual(sketch(convertLanguageModelMessages(messages)), ['user: "One", image/png, "two"']);
  });

  it("have one result per call, even if several were given", () => {
    const messages = [
      given("assistant", call("a")),
      given("user", result("a", "first"), text("Go on"), result("a", "second")),
    ];
    assert.deepEqual(sketch(convertLanguageModelMessages(messages)), [
      "assistant: call a",
      'user: result a first\nsecond, "Go on"',
    ]);
  });

  it("start with one system text, which becomes the question if there is no other message", () => {
    const messages = [
      given("system", text("Be brief.")),
      given("user", text("Hi")),
      given("system", text("Now.")),
    ];
    assert.deepEqual(sketch(convertLanguageModelMessages(messages)), [
      'system: "Be brief.\\n\\nNow."',
      'user: "Hi"',
    ]);
    assert.deepEqual(sketch(convertLanguageModelMessages([given("system", text("Be brief."))])), [
      'user: "Be brief."',
    ]);
  });

  it("keep several calls and their results together by ID", () => {
    const messages = [
      given("user", text("Look")),
      given("assistant", text("I do"), call("a"), call("b")),
      given("user", result("a", "first")),
      given("user", result("b", "second"), text("Go on")),
    ];
    assert.deepEqual(sketch(convertLanguageModelMessages(messages)), [
      'user: "Look"',
      'assistant: "I do", call a, call b',
      'user: result a first, result b second, "Go on"',
    ]);
  });

  it("get a result for each call without one, and a text for each result without a call", () => {
    const messages = [
      given("user", result("lost")),
      given("assistant", call("a"), call("b")),
      given("user", result("b")),
      given("assistant", call("c")),
    ];
    assert.deepEqual(sketch(convertLanguageModelMessages(messages)), [
      'user: "A tool came to this result:\\nseen\\n"',
      "assistant: call a, call b",
      "user: result a The tool was not run., result b seen",
      "assistant: call c",
      "user: result c The tool was not run.",
    ]);
  });

  it("accept images and texts as data, describe other data in a sentence, and drop cache notes", () => {
    const parts = [
      data("image/jpg", "x"),
      data("application/json; charset=utf-8", "{}"),
      data("cache_control", "ephemeral"),
      data("application/pdf", "x"),
    ];
    const [message] = convertLanguageModelMessages([given("user", ...parts)]);
    assert.deepEqual(sketch(message === undefined ? [] : [message]), [
      'user: image/jpeg, "{}(Data of the type application/pdf was left out.)"',
    ]);
    assert.deepEqual(message?.content[0], { type: "image", mediaType: "image/jpeg", data: "eA==" });
    const blind = convertLanguageModelMessages([given("user", data("image/png", "x"))], false);
    assert.deepEqual(sketch(blind), ['user: "(An image was left out: the model takes none.)"']);
  });

  it("have the image of a tool's result after the result", () => {
    const seen: LanguageModelPart = { type: "tool-result", callId: "a", parts: [data("image/png", "x")] };
    const messages = [given("assistant", call("a")), given("user", seen)];
    assert.deepEqual(sketch(convertLanguageModelMessages(messages)), [
      "assistant: call a",
      "user: result a (an image, which follows), image/png",
    ]);
  });

  it("are converted to an order that services accept", () => {
    const part = fc.oneof(
      fc.string().map(text),
      fc.constantFrom("", " ", "\n").map(text),
      fc.constantFrom("a", "b", "c").map(call),
      fc.constantFrom("a", "b", "c").map((id) => result(id)),
      fc.constant(data("image/png", "x")),
    );
    const message = fc.record({
      role: fc.constantFrom<Role>("system", "user", "assistant"),
      parts: fc.array(part, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const converted = convertLanguageModelMessages(messages);
        for (const [index, { role, content }] of converted.entries()) {
          assert.ok(content.length > 0);
          assert.notEqual(role, converted[index - 1]?.role);
          assert.ok(role !== "system" || index === 0);
          const before = converted[index - 1]?.content ?? [];
          const asked = before.flatMap((each) => (each.type === "tool-call" ? [each.id] : []));
          const answered = content.flatMap((each) => (each.type === "tool-result" ? [each.callId] : []));
          assert.deepEqual(answered.sort(), [...new Set(asked)].sort());
          for (const each of content) assert.ok(each.type !== "text" || each.text.trim() !== "");
        }
      }),
    );
  });
});

describe("the tree of a tool's result", () => {
  it("is read as the text of its leaves, and any other object as JSON", () => {
    const leaf = { type: 2, text: "second", lineBreakBefore: true };
    const tree = {
      node: { type: 1, children: [{ type: 1, children: [{ type: 2, text: "first" }] }, leaf] },
    };
    assert.equal(promptTreeText(tree), "first\nsecond");
    assert.equal(promptTreeText({ rows: 3 }), '{"rows":3}');
    assert.equal(promptTreeText("plain"), "plain");
  });
});

describe("the estimate of a request", () => {
  it("counts texts, tools, and images", () => {
    const messages = convertLanguageModelMessages([given("user", text("x".repeat(40)))]);
    assert.equal(estimateMessages(messages, 4), 14);
    const tools = [{ name: "look", description: "d".repeat(400), schema: {} }];
    const request = { model: "m", maxTokens: 1, stream: true, messages, tools };
    assert.ok(estimateRequest(request, 4) > 114);
    const image = convertLanguageModelMessages([given("user", data("image/png", "x"))]);
    assert.ok(estimateMessages(image, 4) > 1000);
  });
});
