import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type AnswerOutline,
  countLetters,
  type OutlinePart,
  readOutline,
  withReasoning,
} from "../../../../src/chat/transcript/answerOutline.ts";
import { ReasoningMemory, restoreReasoning } from "../../../../src/chat/session/reasoningMemory.ts";
import type {
  ContentPart,
  Message,
  ReasoningPart,
  ToolCall,
} from "../../../../src/protocol/conversation/conversation.ts";

const thought = (text: string): ReasoningPart => ({
  type: "reasoning",
  form: "thinking",
  text,
  signature: "s",
});
const call = (id: string, value: Record<string, unknown> = {}): ToolCall => ({
  type: "tool-call",
  id,
  name: "look",
  arguments: { kind: "object", value },
});
const text = (value: string): ContentPart => ({ type: "text", text: value });
const said = (value: string): OutlinePart => ({ type: "text", letters: countLetters(value) });
const called = (id: string): OutlinePart => ({ type: "call", id });
const user = (...content: readonly ContentPart[]): Message => ({ role: "user", content });
const assistant = (...content: readonly ContentPart[]): Message => ({ role: "assistant", content });
const result = (callId: string): ContentPart => ({ type: "tool-result", callId, text: `seen ${callId}` });

/** The content in short, with reasoning in angle brackets. */
function sketch(content: readonly ContentPart[]): string {
  return content
    .map((part) => {
      if (part.type === "text") return JSON.stringify(part.text);
      if (part.type === "tool-call") return part.id;
      return part.type === "reasoning" && part.form === "thinking" ? `<${part.text}>` : part.type;
    })
    .join(" ");
}

const letters = (parts: readonly ContentPart[]): string =>
  parts.map((each) => (each.type === "text" ? each.text.replaceAll(/\s/g, "") : sketch([each]))).join("");

describe("the outline of an answer", () => {
  const outline: AnswerOutline = [
    thought("A"),
    said("I look."),
    thought("B"),
    called("1"),
    thought("C"),
    said("And on."),
    called("2"),
  ];

  it("restores reasoning to its places before texts and between calls", () => {
    const content = [text("I look."), call("1"), text("And on."), call("2")];
    assert.equal(sketch(withReasoning(content, outline)), '<A> "I look." <B> 1 <C> "And on." 2');
  });

  it("finds its places even if spaces differ or texts were joined or left out", () => {
    const blanks = [text("\n I  look. \n"), call("1"), call("2")];
    assert.equal(sketch(withReasoning(blanks, outline)), '<A> "\\n I  look. \\n" <B> 1 <C> 2');
    const joined = withReasoning(
      [text("One two"), call("1")],
      [said("One"), thought("A"), said("\n"), said("two"), called("1")],
    );
    assert.equal(sketch(joined), '"One" <A> " two" 1');
  });

  it("restores the reasoning before a turn's calls, even if other calls are missing or the order differs", () => {
    assert.equal(sketch(withReasoning([call("1")], outline)), "<A> <B> 1");
    assert.equal(sketch(withReasoning([call("2")], outline)), "<A> <B> <C> 2");
    assert.equal(sketch(withReasoning([call("2"), call("1")], outline)), "<A> <B> 2 1 <C>");
  });

  it("loses no text or call of any turn", () => {
    const part = fc.oneof(
      fc.constantFrom("", " ", "a b", "One two three").map(text),
      fc.constantFrom("1", "2", "3").map((id): ContentPart => call(id)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (content) => {
        const placed = withReasoning(content, outline).filter(({ type }) => type !== "reasoning");
        assert.equal(letters(placed), letters(content));
      }),
    );
  });

  it("is read from its JSON, and is undefined for other values", () => {
    assert.deepEqual(readOutline(JSON.parse(JSON.stringify(outline))), outline);
    const odd = [
      undefined,
      {},
      [{}],
      [{ type: "reasoning", form: "thinking" }],
      [{ type: "text", letters: -1 }],
    ];
    for (const value of odd) assert.equal(readOutline(value), undefined);
  });
});

describe("the memory for reasoning", () => {
  const question = user(text("Look"));

  it("restores reasoning next to the calls of every turn, even before the last question", () => {
    const memory = new ReasoningMemory();
    memory.remember("source", call("1"), question, [thought("A"), called("1")]);
    memory.remember("source", call("2"), user(result("1")), [thought("B"), called("2")]);
    const messages = [
      question,
      assistant(call("1")),
      user(result("1")),
      assistant(text("More."), call("2")),
      user(result("2")),
      assistant(text("Done.")),
      user(text("Thanks")),
    ];
    const restored = restoreReasoning(messages, memory.recall("source"));
    assert.deepEqual(
      restored.map(({ content }) => sketch(content)),
      ['"Look"', "<A> 1", "tool-result", '<B> "More." 2', "tool-result", '"Done."', '"Thanks"'],
    );
  });

  it("returns nothing for another source", () => {
    const memory = new ReasoningMemory();
    memory.remember("source", call("1"), question, [thought("A"), called("1")]);
    const messages = [question, assistant(call("1"))];
    assert.deepEqual(restoreReasoning(messages, memory.recall("other")), messages);
  });

  it("distinguishes conversations whose calls have the same ID", () => {
    const memory = new ReasoningMemory();
    const other = user(text("Look elsewhere"));
    memory.remember("source", call("0", { at: 1 }), question, [thought("A"), called("0")]);
    memory.remember("source", call("0", { at: 1 }), other, [thought("B"), called("0")]);
    memory.remember("source", call("0", { at: 2 }), user(result("0")), [thought("C"), called("0")]);
    const recall = memory.recall("source");
    const found = (messages: readonly Message[]) =>
      sketch(restoreReasoning(messages, recall)[1]?.content ?? []);
    assert.equal(found([question, assistant(call("0", { at: 1 }))]), "<A> 0");
    assert.equal(found([other, assistant(call("0", { at: 1 }))]), "<B> 0");
    assert.equal(found([user(text("Changed")), assistant(call("0", { at: 2 }))]), "<C> 0");
    assert.equal(found([user(text("Changed")), assistant(call("0", { at: 3 }))]), "0");
  });

  it("stores no answer without reasoning, and drops the oldest beyond its limit", () => {
    const memory = new ReasoningMemory(250);
    memory.remember("source", call("0"), question, [said("No"), called("0")]);
    for (const id of ["1", "2", "3"])
      memory.remember("source", call(id), question, [thought("x".repeat(98)), called(id)]);
    const recall = memory.recall("source");
    const isKnown = (id: string) => recall([call(id)], question) !== undefined;
    assert.deepEqual(["0", "1", "2", "3"].map(isKnown), [false, false, true, true]);
  });
});
