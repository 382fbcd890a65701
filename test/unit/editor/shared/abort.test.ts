import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { untilAborted } from "../../../../src/editor/shared/abort.ts";

describe("untilAborted", () => {
  it("settles like the work and leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve("done"), signal), "done");
    await assert.rejects(untilAborted(Promise.reject(new Error("broken")), signal), /broken/);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  it("returns undefined once the signal is aborted, even if the work fails later", async () => {
    const stopping = new AbortController();
    const work = Promise.withResolvers<string>();
    const waited = untilAborted(work.promise, stopping.signal);
    stopping.abort();
    assert.equal(await waited, undefined);
    work.reject(new Error("too late"));
    assert.equal(await untilAborted(Promise.reject(new Error("too late")), stopping.signal), undefined);
    // An unhandled rejection would end the test run.
    await new Promise(setImmediate);
  });
});
