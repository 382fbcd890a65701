import assert from "node:assert/strict";
import { Journal } from "../../service/journal.ts";
import { ask, chatPath, fakeKey, messagesPath, openDesk, post, soon } from "./fixture.ts";

const opening = { method: "GET", path: "/", requestId: "req_1", headerNames: [] };

describe("reference service: journal", () => {
  it("records method, path, status, request ID, model, and counts of each request", async () => {
    await using desk = await openDesk();
    const { journal } = desk.service;
    const response = await post(desk, chatPath, ask("hello", { max_tokens: 2, stream: true }));
    await response.text();
    const entry = await journal.next(({ state }) => state === "finished", soon());
    const { time, milliseconds, headerNames, ...rest } = entry;
    assert.deepEqual(rest, {
      sequence: 1,
      method: "POST",
      path: chatPath,
      requestId: response.headers.get("x-request-id"),
      status: 200,
      model: "service-core",
      fields: ["model", "max_tokens", "messages", "stream"],
      cacheMarks: 0,
      streamed: true,
      piecesSent: 2,
      inputTokens: 1,
      outputTokens: 2,
      state: "finished",
    });
    assert.ok(time instanceof Date && (milliseconds ?? -1) >= 0);
    assert.ok(headerNames.includes("authorization") && !headerNames.includes("x-api-key"));
  });

  it("contains no key, wherever the client sends one", async () => {
    await using desk = await openDesk();
    const { journal } = desk.service;
    await post(desk, chatPath, ask(`hello ${desk.key}`));
    await post(desk, `/v1/${desk.key}/messages?key=${desk.key}`, {}, { [`x-${desk.key}`]: desk.key });
    await post(desk, messagesPath, ask("hi", { model: desk.key }));
    await journal.next(({ sequence, state }) => sequence === 3 && state === "finished", soon());
    assert.equal(journal.entries.length, 3);
    assert.equal(journal.entries[1]?.path, "/v1/[key]/messages");
    assert.ok(!JSON.stringify(journal.entries).includes(desk.key));
  });

  it("contains no key of another service", async () => {
    await using desk = await openDesk();
    const key = fakeKey("elsewhere");
    await post({ ...desk, key }, `/v1/${key}`, {});
    assert.equal(desk.service.journal.entries[0]?.path, "/v1/[key]");
  });

  it("records why a request was refused", async () => {
    await using desk = await openDesk();
    desk.service.keys.revoke(desk.key);
    await post(desk, chatPath, ask("hi"));
    assert.equal(desk.service.journal.entries[0]?.refusal, "revoked-key");
  });

  it("returns a matching entry, or waits for the next one", async () => {
    const journal = new Journal();
    const waiting = journal.next(({ status }) => status === 204, soon());
    const change = journal.open(opening);
    change({ status: 204 });
    assert.equal((await waiting).sequence, 1);
    assert.equal((await journal.next(() => true, soon())).status, 204);
  });

  it("stops waiting at a signal", async () => {
    const controller = new AbortController();
    const waiting = new Journal().next(() => true, controller.signal);
    controller.abort(new Error("enough"));
    await assert.rejects(waiting, /enough/u);
    await assert.rejects(
      new Journal().next(() => true, controller.signal),
      /enough/u,
    );
  });

  it("drops the oldest entries first, and all entries when cleared", () => {
    const journal = new Journal(2);
    for (let call = 0; call < 3; call += 1) {
      journal.open(opening);
    }
    assert.deepEqual(
      journal.entries.map(({ sequence }) => sequence),
      [2, 3],
    );
    journal.clear();
    assert.deepEqual(journal.entries, []);
  });
});
