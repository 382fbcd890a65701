import assert from "node:assert/strict";
import { isAboutChat, readPageMessage } from "../../../../src/chat/page/messageSchema.ts";
import { maxAnswerCharacters } from "../../../../src/client/http/body.ts";

const isTaken = (message: object): boolean => readPageMessage({ chatId: "a", message }) !== undefined;

describe("a message from the page", () => {
  it("is about the visible chat if it changes attachments, but not if it finds files", () => {
    assert.ok(isAboutChat({ type: "context", request: { type: "attach-text", text: "dropped" } }));
    assert.ok(isAboutChat({ type: "context", request: { type: "remove", id: "1" } }));
    assert.ok(!isAboutChat({ type: "context", request: { type: "find", searchId: 1, typed: "" } }));
  });

  it("sets whether later requests include a question of the visible chat", () => {
    const posted = { chatId: "a", message: { type: "include", turnId: "1", included: true } };
    assert.deepEqual(readPageMessage(posted), posted);
    assert.ok(isAboutChat({ type: "include", turnId: "1", included: true }));
    assert.ok(!isTaken({ type: "include", turnId: "1" }));
    assert.ok(isTaken({ type: "open-limit" }));
  });

  it("names the question that a draft edits", () => {
    const posted = { chatId: "a", message: { type: "draft", chatId: "a", turnId: "1", text: "better" } };
    assert.deepEqual(readPageMessage(posted), posted);
  });

  it("can contain the longest answer, to copy it or to use its code, but not as a question", () => {
    // An answer keeps the last chunk even if the chunk exceeds the limit.
    const text = "x".repeat(maxAnswerCharacters + 1);
    const block = { text, info: "", language: "", above: "" };
    assert.ok(isTaken({ type: "copy", text }));
    assert.ok(isTaken({ type: "code-action", action: "save", block }));
    assert.ok(!isTaken({ type: "send", text }));
  });
});
