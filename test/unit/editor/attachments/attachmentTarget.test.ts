import assert from "node:assert/strict";
import { RunningAttachments } from "../../../../src/editor/attachments/attachmentTarget.ts";

describe("RunningAttachments", () => {
  it("has a question wait for all that its chat is being given, and for no other chat's", async () => {
    const running = new RunningAttachments();
    const [chat, other] = [{}, {}];
    const [first, second, others] = [1, 2, 3].map(() => Promise.withResolvers<void>());
    assert.ok(first && second && others);
    void running.follow(chat, first.promise);
    void running.follow(chat, second.promise);
    void running.follow(other, others.promise);
    let asked = false;
    const settled = running.settled(chat).then(() => (asked = true));
    first.resolve();
    await first.promise;
    await new Promise(setImmediate);
    assert.equal(asked, false);
    second.resolve();
    await settled;
    await running.settled({});
  });

  it("lets the question go where nothing could be attached, and leaves it to others to say so", async () => {
    const running = new RunningAttachments();
    const chat = {};
    const attaching = running.follow(chat, Promise.reject(new Error("It cannot be read.")));
    await running.settled(chat);
    await assert.rejects(attaching, /cannot be read/);
    await running.settled(chat);
  });

  it("waits for nothing that has come since", async () => {
    const running = new RunningAttachments();
    const chat = {};
    const first = Promise.withResolvers<void>();
    void running.follow(chat, first.promise);
    const settled = running.settled(chat);
    void running.follow(chat, new Promise(() => undefined));
    first.resolve();
    await settled;
  });
});
