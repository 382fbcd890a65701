import assert from "node:assert/strict";
import { isAboutChat, readPageMessage } from "../../../../src/chat/page/messageSchema.ts";
import { maxAnswerCharacters } from "../../../../src/client/http/body.ts";

const isTaken = (message: object): boolean => readPageMessage({ chatId: "a", message }) !== undefined;

describe("a message of the page", () => {
  it("about attachments means the chat on the screen; what is offered is the same for all", () => {
    assert.ok(isAboutChat({ type: "context", request: { type: "attach-text", text: "dropped" } }));
    assert.ok(isAboutChat({ type: "context", request: { type: "remove", id: "1" } }));
    assert.ok(!isAboutChat({ type: "context", request: { type: "find", searchId: 1, typed: "" } }));
  });

  it("says of a question of the chat on the screen whether later ones send it", () => {
    const posted = { chatId: "a", message: { type: "include", turnId: "1", included: true } };
    assert.deepEqual(readPageMessage(posted), posted);
    assert.ok(isAboutChat({ type: "include", turnId: "1", included: true }));
    assert.ok(!isTaken({ type: "include", turnId: "1" }));
    assert.ok(isTaken({ type: "open-limit" }));
  });

  it("names the question whose place a draft is to take", () => {
    const posted = { chatId: "a", message: { type: "draft", chatId: "a", turnId: "1", text: "better" } };
    assert.deepEqual(readPageMessage(posted), posted);
  });

  it("holds the longest answer where it is copied or its code is used, and no such question", () => {
    // What the last read has brought is kept, although it is beyond the limit.
    const text = "x".repeat(maxAnswerCharacters + 1);
    const block = { text, info: "", language: "", above: "" };
    assert.ok(isTaken({ type: "copy", text }));
    assert.ok(isTaken({ type: "code-action", action: "save", block }));
    assert.ok(!isTaken({ type: "send", text }));
  });
});
