import assert from "node:assert/strict";
import {
  Anthropic,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "@anthropic-ai/sdk";
import { fakeKey, openDesk, soon, type Desk } from "./fixture.ts";

function connectClient({ service }: Desk, authToken: string): Anthropic {
  return new Anthropic({ apiKey: null, authToken, baseURL: service.origin, maxRetries: 0, timeout: 45_000 });
}

const request = {
  model: "service-core",
  max_tokens: 500,
  messages: [{ role: "user" as const, content: "hello" }],
};

describe("reference service, by the official @anthropic-ai/sdk client", () => {
  it("lists models, and creates and streams answers, with the key as auth token", async () => {
    await using desk = await openDesk();
    const client = connectClient(desk, desk.key);
    const models = await client.models.list();
    assert.deepEqual(
      models.data.map(({ id }) => id),
      ["service-core", "service-mini", "service-large"],
    );
    const answer = await client.messages.create(request);
    assert.equal(answer.stop_reason, "end_turn");
    assert.match(answer._request_id ?? "", /^req_/u);
    const streamed = await client.messages.stream(request).finalMessage();
    assert.deepEqual(streamed.content, answer.content);
    assert.deepEqual(streamed.usage, answer.usage);
    assert.equal(streamed.stop_reason, "end_turn");
  });

  it("reasons within a thinking budget, and refuses what real services refuse with it", async () => {
    await using desk = await openDesk();
    const client = connectClient(desk, desk.key);
    const thinking = { type: "enabled", budget_tokens: 1024 } as const;
    const answer = await client.messages.create({ ...request, max_tokens: 2000, thinking });
    assert.deepEqual(
      answer.content.map(({ type }) => type),
      ["thinking", "text"],
    );
    for (const [more, message] of [
      [{ thinking, max_tokens: 1024 }, /must be greater than `thinking.budget_tokens`/u],
      [{ thinking, max_tokens: 2000, temperature: 0.5 }, /`temperature` may not be set/u],
      [{ thinking: { type: "enabled", budget_tokens: 1023 }, max_tokens: 2000 }, /budget_tokens/u],
    ] as const)
      await assert.rejects(client.messages.create({ ...request, ...more }), (error) => {
        assert.ok(error instanceof BadRequestError);
        assert.match(error.message, message);
        return true;
      });
  });

  it("returns a specific error for each refusal", async () => {
    await using desk = await openDesk();
    const { keys } = desk.service;
    const create = (key: string, more: object = {}) =>
      connectClient(desk, key).messages.create({ ...request, ...more });
    const revoked = keys.add({}, fakeKey("revoked"));
    keys.revoke(revoked);
    const expired = keys.add({ expiresAt: new Date(0) }, fakeKey("expired"));
    const spent = keys.add({ budget: 0 }, fakeKey("spent"));
    const narrow = keys.add({ models: [] }, fakeKey("narrow"));
    const expected = [
      [create(fakeKey("none")), AuthenticationError, 401, /Incorrect API key/u],
      [create("a b"), AuthenticationError, 401, /Malformed API Key/u],
      [create(expired), AuthenticationError, 401, /Expired Key/u],
      [create(revoked), PermissionDeniedError, 403, /Key is blocked/u],
      [create(narrow), PermissionDeniedError, 403, /not allowed to access model/u],
      [create(spent), RateLimitError, 429, /billing_error.*Budget has been exceeded/u],
      [create(desk.key, { model: "none" }), NotFoundError, 404, /does not exist/u],
      [create(desk.key, { max_tokens: 0 }), BadRequestError, 400, /max_tokens: /u],
      [create(desk.key, { messages: "hi" }), BadRequestError, 400, /messages: /u],
    ] as const;
    for (const [call, errorClass, status, message] of expected) {
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof errorClass, String(message));
        assert.equal(error.status, status);
        assert.match(error.message, message);
        assert.match(error.requestID ?? "", /^req_/u);
        return true;
      });
    }
  });

  it("notices that the client stops a stream", async () => {
    await using desk = await openDesk({ pace: 1 });
    const messages = [{ role: "user" as const, content: "/long 100000" }];
    const stream = connectClient(desk, desk.key).messages.stream({
      ...request,
      max_tokens: 90_000,
      messages,
    });
    stream.once("text", () => {
      stream.abort();
    });
    await assert.rejects(stream.done(), APIUserAbortError);
    const entry = await desk.service.journal.next(({ state }) => state === "aborted", soon());
    assert.equal(entry.path, "/v1/messages");
  });
});
