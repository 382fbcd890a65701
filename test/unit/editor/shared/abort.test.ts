import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { untilAborted } from "../../../../src/editor/shared/abort.ts";

describe("work that is waited for until a signal", () => {
  it("gives what comes of it, and holds on to no signal", async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve("done"), signal), "done");
    await assert.rejects(untilAborted(Promise.reject(new Error("broken")), signal), /broken/);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  it("gives nothing once that is aborted, also where the work breaks afterwards", async () => {
    const stopping = new AbortController();
    const work = Promise.withResolvers<string>();
    const waited = untilAborted(work.promise, stopping.signal);
    stopping.abort();
    assert.equal(await waited, undefined);
    work.reject(new Error("too late"));
    assert.equal(await untilAborted(Promise.reject(new Error("too late")), stopping.signal), undefined);
    // A rejection that nobody hears would end the run.
    await new Promise(setImmediate);
  });
});
