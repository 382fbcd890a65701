import assert from "node:assert/strict";
import {
  OpenAI,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "openai";
import { fakeKey, openDesk, soon, type Desk } from "./fixture.ts";

function connectClient({ service }: Desk, apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${service.origin}/v1`, maxRetries: 0, timeout: 45_000 });
}

const request = {
  model: "service-core",
  max_tokens: 500,
  messages: [{ role: "user" as const, content: "hello" }],
};

const reasons = ({ choices }: OpenAI.ChatCompletion): boolean =>
  choices[0] !== undefined && "reasoning_content" in choices[0].message;

describe("reference service, by the official openai client", () => {
  it("lists models, and completes and streams answers", async () => {
    await using desk = await openDesk();
    const client = connectClient(desk, desk.key);
    const models = await client.models.list();
    assert.deepEqual(
      models.data.map(({ id }) => id),
      ["service-core", "service-mini", "service-large"],
    );
    const answer = await client.chat.completions.create(request);
    assert.equal(answer.choices[0]?.finish_reason, "stop");
    assert.match(answer._request_id ?? "", /^req_/u);
    const stream = await client.chat.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    const texts: string[] = [];
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      texts.push(chunk.choices[0]?.delta.content ?? "");
      usage = chunk.usage ?? usage;
    }
    assert.equal(texts.join(""), answer.choices[0]?.message.content);
    assert.deepEqual(usage, answer.usage);
  });

  it("reasons with an effort", async () => {
    await using desk = await openDesk();
    const client = connectClient(desk, desk.key);
    const create = (effort: "low" | undefined) =>
      client.chat.completions.create({
        ...request,
        ...(effort === undefined ? {} : { reasoning_effort: effort }),
      });
    assert.equal(reasons(await create("low")), true);
    assert.equal(reasons(await create(undefined)), false);
  });

  it("returns a specific error for each refusal", async () => {
    await using desk = await openDesk();
    const { keys } = desk.service;
    const complete = (key: string, more: object = {}) =>
      connectClient(desk, key).chat.completions.create({ ...request, ...more });
    const revoked = keys.add({}, fakeKey("revoked"));
    keys.revoke(revoked);
    const expired = keys.add({ expiresAt: new Date(0) }, fakeKey("expired"));
    const spent = keys.add({ budget: 0 }, fakeKey("spent"));
    const narrow = keys.add({ models: [] }, fakeKey("narrow"));
    const expected = [
      [complete(fakeKey("none")), AuthenticationError, 401, "invalid_api_key"],
      [complete("a b"), AuthenticationError, 401, "malformed_api_key"],
      [complete(expired), AuthenticationError, 401, "expired_key"],
      [complete(revoked), PermissionDeniedError, 403, "revoked_api_key"],
      [complete(narrow), PermissionDeniedError, 403, "key_model_access_denied"],
      [complete(spent), RateLimitError, 429, "insufficient_quota"],
      [complete(desk.key, { model: "none" }), NotFoundError, 404, "model_not_found"],
      [complete(desk.key, { max_tokens: 0 }), BadRequestError, 400, "invalid_value"],
      [complete(desk.key, { messages: "hi" }), BadRequestError, 400, "invalid_type"],
    ] as const;
    for (const [call, errorClass, status, code] of expected) {
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof errorClass, code);
        assert.deepEqual([error.status, error.code], [status, code]);
        assert.match(error.requestID ?? "", /^req_/u);
        return true;
      });
    }
  });

  it("returns an error for an unknown path", async () => {
    await using desk = await openDesk();
    const client = new OpenAI({ apiKey: desk.key, baseURL: desk.service.origin, maxRetries: 0 });
    await assert.rejects(client.models.list(), NotFoundError);
  });

  it("notices that the client stops a stream", async () => {
    await using desk = await openDesk({ pace: 1 });
    const client = connectClient(desk, desk.key);
    const messages = [{ role: "user" as const, content: "/long 100000" }];
    const stream = await client.chat.completions.create({ model: "service-core", messages, stream: true });
    for await (const _chunk of stream) {
      break;
    }
    const entry = await desk.service.journal.next(({ state }) => state === "aborted", soon());
    assert.ok(entry.piecesSent < 1000);
  });
});
