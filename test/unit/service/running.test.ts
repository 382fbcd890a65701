import assert from "node:assert/strict";
import { startReferenceService } from "../../service/serve.ts";
import { ask, chatPath, messagesPath, openDesk, post, soon, splitEvents } from "./fixture.ts";

describe("reference service: running", () => {
  it("listens on 127.0.0.1 only", async () => {
    await using desk = await openDesk();
    assert.match(desk.service.origin, /^http:\/\/127\.0\.0\.1:\d+$/u);
    const elsewhere = desk.service.origin.replace("127.0.0.1", "127.0.0.2");
    await assert.rejects(fetch(`${elsewhere}/v1/models`, { signal: soon() }), TypeError);
  });

  it("stops writing and billing when the client leaves a stream", async () => {
    await using desk = await openDesk({ pace: 1 });
    const { journal, keys } = desk.service;
    const client = new AbortController();
    const body = ask("/long 100000", { stream: true, max_tokens: 100_000 });
    const response = await post(desk, messagesPath, body, {}, client.signal);
    assert.equal(response.status, 200);
    await journal.next(({ piecesSent }) => piecesSent >= 3, soon());
    client.abort();
    const aborted = await journal.next(({ state }) => state === "aborted", soon());
    const spent = keys.spent(desk.key);
    assert.equal(spent, aborted.inputTokens + aborted.outputTokens);
    assert.equal((await post(desk, chatPath, ask("hi", { max_tokens: 1 }))).status, 200);
    assert.equal(keys.spent(desk.key), spent + 2);
    assert.equal(journal.entries[0]?.piecesSent, aborted.piecesSent);
  });

  it("finishes current answers at once when hurried, then paces the next one", async () => {
    await using desk = await openDesk();
    const { journal } = desk.service;
    // At this pace, the answer would take longer than the test's timeout.
    const slow = ask("/long 400 /pace 30000", { stream: true });
    const response = await post(desk, chatPath, slow);
    await journal.next(({ status }) => status === 200, soon());
    desk.service.hurry();
    assert.match(await response.text(), /\[DONE\]/u);
    assert.equal(journal.entries[0]?.state, "finished");
    const client = new AbortController();
    await post(desk, chatPath, slow, {}, client.signal);
    assert.equal(journal.entries[1]?.piecesSent, 0);
    client.abort();
    await journal.next(({ state }) => state === "aborted", soon());
  });

  it("notices that the client of a whole answer left", async () => {
    await using desk = await openDesk({ pace: 5 });
    const client = new AbortController();
    const refused = assert.rejects(post(desk, chatPath, ask("/long 9000"), {}, client.signal));
    await desk.service.journal.next(({ model }) => model !== undefined, soon());
    client.abort();
    await refused;
    const entry = await desk.service.journal.next(({ state }) => state === "aborted", soon());
    assert.equal(entry.status, undefined);
  });

  it("waits for a client that does not read", async () => {
    await using desk = await openDesk();
    const body = ask("/long 5000000", { stream: true, max_tokens: 5_000_000 });
    const response = await post(desk, chatPath, body);
    await desk.service.journal.next(({ piecesSent }) => piecesSent > 10_000, soon());
    // Other requests serve as a clock: a service that keeps writing would have written more after each request.
    let sent = -1;
    let calls = 0;
    for (let before = -2; before !== sent && calls < 500; calls += 1) {
      assert.equal((await post(desk, chatPath, ask("hi", { max_tokens: 1 }))).status, 200);
      before = sent;
      sent = desk.service.journal.entries[0]?.piecesSent ?? -1;
    }
    assert.ok(calls < 500, `still writing after ${calls} calls and ${sent} pieces`);
    assert.equal(desk.service.journal.entries[0]?.state, "open");
    // Keeps the response referenced until here, because `fetch` cancels the stream of an unreferenced response.
    await response.body?.cancel();
    await desk.service.journal.next(({ state }) => state === "aborted", soon());
  });

  it("uses a new pace for the next answer, unless the message sets its own pace", async () => {
    await using desk = await openDesk({ pace: 60_000 });
    const own = await post(desk, chatPath, ask("/pace 0 hi", { stream: true }));
    assert.equal(splitEvents(await own.text()).at(-1)?.data, "[DONE]");
    desk.service.pace = 0;
    const next = await post(desk, chatPath, ask("hi", { stream: true }));
    assert.equal(splitEvents(await next.text()).at(-1)?.data, "[DONE]");
  });

  it("fails the next requests if told to, and serves later ones", async () => {
    await using desk = await openDesk();
    desk.service.failNext({ status: 529, headers: { "retry-after-ms": "5" }, body: { error: {} }, times: 2 });
    for (const status of [529, 529, 200]) {
      const response = await post(desk, chatPath, ask("hi"));
      assert.equal(response.status, status);
      assert.equal(response.headers.get("retry-after-ms"), status === 529 ? "5" : null);
      assert.ok(response.headers.get("x-request-id") !== null);
      await response.text();
    }
    assert.deepEqual(
      desk.service.journal.entries.map(({ status }) => status),
      [529, 529, 200],
    );
  });

  it("closes despite open streams, and can be closed again", async () => {
    const desk = await openDesk({ pace: 1000 });
    const response = await post(desk, chatPath, ask("/long 9000", { stream: true }));
    const cut = assert.rejects(response.text());
    await desk.service.close();
    await desk.service.close();
    await cut;
  });

  it("rejects if the port is in use", async () => {
    await using desk = await openDesk();
    const port = Number(new URL(desk.service.origin).port);
    await assert.rejects(startReferenceService({ port }), { code: "EADDRINUSE" });
  });
});
