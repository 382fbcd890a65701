import assert from "node:assert/strict";
import type { AnswerStep } from "../../../../src/chat/transcript/steps.ts";
import type { AnswerState, AnswerTurn } from "../../../../src/chat/transcript/transcript.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import type { StopReason } from "../../../../src/protocol/conversation/conversation.ts";
import { answerNotice, cutOf } from "../../../../src/webview/announcements/answerTexts.ts";

const words = { t: createTranslate(), language: "en" };
const noticeOf = (state: AnswerState, text: string): string | undefined =>
  answerNotice({ state, text, reasoning: "" }, words);
const noticeAtEnd = (reason: StopReason, text: string): string | undefined =>
  noticeOf({ kind: "complete", reason }, text);

const stepOf = (text: string, by: "written-call" | "user"): AnswerStep => ({
  textEnd: text.length,
  reasoningEnd: 0,
  outline: [],
  calls: [],
  messages: [{ by, text: "Use the tool interface." }],
});

const noticeAfter = (first: string, last: string, by: "written-call" | "user"): string | undefined =>
  answerNotice(
    {
      state: { kind: "complete", reason: "stop" },
      text: first + last,
      reasoning: "",
      steps: [stepOf(first, by)],
    },
    words,
  );

describe("answerNotice and cutOf", () => {
  it("gives no notice for a complete answer with text", () => {
    for (const reason of ["stop", "other", "tool-calls"] as const)
      assert.equal(noticeAtEnd(reason, "Hello."), undefined, reason);
  });

  it("says that a complete answer has no text", () => {
    for (const text of ["", "\n "]) {
      assert.equal(noticeAtEnd("stop", text), "The answer is empty.");
      assert.equal(noticeAtEnd("other", text), "The answer is empty.");
      assert.match(noticeAtEnd("tool-calls", text) ?? "", /called a tool/);
    }
  });

  it("says what cut an answer, with or without text", () => {
    for (const text of ["", "Hello."]) {
      assert.match(noticeAtEnd("length", text) ?? "", /reached its token limit/);
      assert.match(noticeAtEnd("content-filter", text) ?? "", /content filter/);
      assert.equal(noticeOf({ kind: "stopped" }, text), "Stopped.");
      assert.match(noticeOf({ kind: "interrupted" }, text) ?? "", /^Interrupted: /);
    }
  });

  it("says that the limit cut the model's reasoning, with the number of tokens", () => {
    const cut = { state: { kind: "complete", reason: "length" }, text: "\n" } as const;
    const noticeWith = (rest: Pick<AnswerTurn, "reasoning" | "usage">): string | undefined =>
      answerNotice({ ...cut, ...rest }, words);
    const usage = { inputTokens: 9, outputTokens: 4096 };
    assert.equal(
      noticeWith({ reasoning: "First", usage }),
      "The answer reached its limit of 4,096 tokens while the model was still reasoning. Raise the token limit, then retry.",
    );
    assert.match(
      noticeWith({ reasoning: "First" }) ?? "",
      /reached its token limit while the model was still reasoning/,
    );
    // Some services do not return the reasoning.
    assert.match(noticeWith({ reasoning: "", usage }) ?? "", /before any text arrived/);
  });

  it("lets an answer be continued only if the token limit cut it after some text", () => {
    const state = { kind: "complete", reason: "length" } as const;
    assert.equal(cutOf({ state, text: "Half a" }), "in-text");
    assert.equal(cutOf({ state, text: " \n" }), "before-text");
    assert.equal(cutOf({ state: { kind: "complete", reason: "stop" }, text: "" }), undefined);
    assert.equal(cutOf({ state: { kind: "stopped" }, text: "Half a" }), undefined);
  });

  describe("after a call that was written as text", () => {
    const written = '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>';
    const notice = "The model wrote a tool call as text instead of calling the tool. Select another model.";
    it("says that the model cannot call tools if it writes a call again", () => {
      assert.equal(noticeAfter(written, written, "written-call"), notice);
      assert.equal(noticeAfter("I look.", written, "written-call"), notice);
    });

    it("says nothing if the model then answers in words", () => {
      assert.equal(noticeAfter(written, "It adds numbers.", "written-call"), undefined);
    });

    it("says nothing before the model was asked again, or about an unknown tool", () => {
      assert.equal(noticeAfter(written, written, "user"), undefined);
      assert.equal(noticeAtEnd("stop", written), undefined);
      assert.equal(
        noticeAfter(written, written.replace("read_file", "delete_all"), "written-call"),
        undefined,
      );
    });

    it("says that the answer was stopped if it was", () => {
      const stopped = { state: { kind: "stopped" }, text: written, reasoning: "" } as const;
      assert.equal(answerNotice({ ...stopped, steps: [stepOf("", "written-call")] }, words), "Stopped.");
    });
  });

  it("gives no notice while an answer streams", () => {
    assert.equal(noticeOf({ kind: "waiting" }, ""), undefined);
    assert.equal(noticeOf({ kind: "streaming" }, ""), undefined);
  });
});
