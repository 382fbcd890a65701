import assert from "node:assert/strict";
import type { AnswerState, AnswerTurn } from "../../../../src/chat/transcript/transcript.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import type { StopReason } from "../../../../src/protocol/conversation/conversation.ts";
import { answerNotice, cutOf } from "../../../../src/webview/announcements/answerTexts.ts";

const words = { t: createTranslate(), language: "en" };
const noticeOf = (state: AnswerState, text: string): string | undefined =>
  answerNotice({ state, text, reasoning: "" }, words);
const noticeAtEnd = (reason: StopReason, text: string): string | undefined =>
  noticeOf({ kind: "complete", reason }, text);

describe("what is said of how an answer ended", () => {
  it("is nothing where its text is whole, whatever else there was", () => {
    for (const reason of ["stop", "other", "tool-calls"] as const)
      assert.equal(noticeAtEnd(reason, "Hello."), undefined, reason);
  });

  it("is that it holds no text, where it would look as if nothing had come", () => {
    for (const text of ["", "\n "]) {
      assert.equal(noticeAtEnd("stop", text), "The answer is empty.");
      assert.equal(noticeAtEnd("other", text), "The answer is empty.");
      assert.match(noticeAtEnd("tool-calls", text) ?? "", /called a tool/);
    }
  });

  it("is what cut it, with text or without", () => {
    for (const text of ["", "Hello."]) {
      assert.match(noticeAtEnd("length", text) ?? "", /reached its token limit/);
      assert.match(noticeAtEnd("content-filter", text) ?? "", /content filter/);
      assert.equal(noticeOf({ kind: "stopped" }, text), "Stopped.");
      assert.match(noticeOf({ kind: "interrupted" }, text) ?? "", /^Interrupted: /);
    }
  });

  it("is that the model was still reasoning, and after how many tokens, where the limit cut it there", () => {
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
    // Some services keep the reasoning to themselves.
    assert.match(noticeWith({ reasoning: "", usage }) ?? "", /before any text arrived/);
  });

  it("is to be gone on from only where it has text", () => {
    const state = { kind: "complete", reason: "length" } as const;
    assert.equal(cutOf({ state, text: "Half a" }), "in-text");
    assert.equal(cutOf({ state, text: " \n" }), "before-text");
    assert.equal(cutOf({ state: { kind: "complete", reason: "stop" }, text: "" }), undefined);
    assert.equal(cutOf({ state: { kind: "stopped" }, text: "Half a" }), undefined);
  });

  it("is nothing while it arrives", () => {
    assert.equal(noticeOf({ kind: "waiting" }, ""), undefined);
    assert.equal(noticeOf({ kind: "streaming" }, ""), undefined);
  });
});
