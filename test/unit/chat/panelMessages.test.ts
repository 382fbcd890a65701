import assert from "node:assert/strict";
import { isAboutChat, readPageMessage } from "../../../src/chat/panelMessages.ts";

describe("a message of the page", () => {
  it("about attachments means the chat on the screen; what is offered is the same for all", () => {
    assert.ok(isAboutChat({ type: "context", request: { type: "attach-text", text: "dropped" } }));
    assert.ok(isAboutChat({ type: "context", request: { type: "remove", id: "1" } }));
    assert.ok(!isAboutChat({ type: "context", request: { type: "find", searchId: 1, typed: "" } }));
  });

  it("names the question whose place a draft is to take", () => {
    const posted = { chatId: "a", message: { type: "draft", chatId: "a", turnId: "1", text: "better" } };
    assert.deepEqual(readPageMessage(posted), posted);
  });
});
