import assert from "node:assert/strict";
import { RunningAttachments } from "../../../../src/editor/attachments/attachmentTarget.ts";

describe("RunningAttachments", () => {
  it("waits for all running attachments of a chat and of no other chat", async () => {
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

  it("stops waiting when an attachment fails, and leaves the error to the caller", async () => {
    const running = new RunningAttachments();
    const chat = {};
    const attaching = running.follow(chat, Promise.reject(new Error("The file cannot be read.")));
    await running.settled(chat);
    await assert.rejects(attaching, /cannot be read/);
    await running.settled(chat);
  });

  it("does not wait for attachments started later", async () => {
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
