import assert from "node:assert/strict";
import type { AnswerState } from "../../../src/chat/transcript.ts";
import { createTranslate } from "../../../src/l10n.ts";
import type { StopReason } from "../../../src/protocol/conversation.ts";
import { answerNotice } from "../../../src/webview/answerNotice.ts";

const noticeOf = (state: AnswerState, text: string): string | undefined =>
  answerNotice({ state, text }, createTranslate());
const noticeAtEnd = (reason: StopReason, text: string): string | undefined =>
  noticeOf({ kind: "complete", reason }, text);

describe("what is said of how an answer ended", () => {
  it("is nothing where its text is whole, whatever else there was", () => {
    for (const reason of ["stop", "other", "tool-calls"] as const)
      assert.equal(noticeAtEnd(reason, "Hello."), undefined, reason);
  });

  it("is that it holds no text, where it would look as if nothing had come", () => {
    for (const text of ["", "\n "]) {
      assert.equal(noticeAtEnd("stop", text), "The answer holds no text.");
      assert.equal(noticeAtEnd("other", text), "The answer holds no text.");
      assert.match(noticeAtEnd("tool-calls", text) ?? "", /asked for a tool/);
    }
  });

  it("is what cut it, with text or without", () => {
    for (const text of ["", "Hello."]) {
      assert.match(noticeAtEnd("length", text) ?? "", /cut at its token limit/);
      assert.match(noticeAtEnd("content-filter", text) ?? "", /content filter/);
      assert.equal(noticeOf({ kind: "stopped" }, text), "Stopped.");
      assert.match(noticeOf({ kind: "interrupted" }, text) ?? "", /^Interrupted: /);
    }
  });

  it("is nothing while it arrives", () => {
    assert.equal(noticeOf({ kind: "waiting" }, ""), undefined);
    assert.equal(noticeOf({ kind: "streaming" }, ""), undefined);
  });
});
