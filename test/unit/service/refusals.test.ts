import assert from "node:assert/strict";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { looseObject, nullish, parse, string } from "valibot";
import { ask, chatPath, fakeKey, messagesPath, openDesk, post, soon, type Desk } from "./fixture.ts";

const errorSchema = looseObject({
  request_id: nullish(string()),
  error: looseObject({ type: string(), message: string(), code: nullish(string()) }),
});

/** Status, `error.code` of Chat Completions, `error.type` of Messages, and the message. */
type Expected = readonly [status: number, code: string | null, type: string, message: RegExp];

async function expectRefusal(
  desk: Desk,
  expected: Expected,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const [status, code, type, message] = expected;
  for (const path of [chatPath, messagesPath]) {
    const response = await post(desk, path, body, headers);
    const answer = parse(errorSchema, await response.json());
    const requestId = response.headers.get("x-request-id") ?? "";
    assert.equal(response.status, status, path);
    assert.match(answer.error.message, message);
    assert.match(requestId, /^req_[0-9a-f]{32}$/u);
    if (path === messagesPath) {
      assert.equal(answer.error.type, type);
      assert.equal(answer.request_id, requestId);
      assert.equal(response.headers.get("request-id"), requestId);
    } else {
      assert.equal(answer.error.code, code);
    }
  }
}

const unauthenticated = "authentication_error";
const invalid = "invalid_request_error";

describe("reference service: refused keys", () => {
  const missing: Expected = [401, null, unauthenticated, /didn't provide an API key/u];
  const malformed: Expected = [401, "malformed_api_key", unauthenticated, /Malformed API Key/u];
  const unknown: Expected = [401, "invalid_api_key", unauthenticated, /Incorrect API key/u];
  const cases: readonly (readonly [string, Expected, (key: string) => string])[] = [
    ["an empty key", missing, () => "Bearer "],
    ["an empty header", missing, () => ""],
    ["a key in quotes", malformed, (key) => `Bearer "${key}"`],
    ["a space inside the key", malformed, (key) => `Bearer ${key} x`],
    ["two spaces before the key", malformed, (key) => `Bearer  ${key}`],
    ["no Bearer", malformed, (key) => key],
    ["another scheme", malformed, (key) => `Basic ${key}`],
    ["a key never issued", unknown, () => `Bearer ${fakeKey("other")}`],
  ];
  for (const [name, expected, authorization] of cases) {
    it(name, async () => {
      await using desk = await openDesk();
      await expectRefusal(desk, expected, ask("hi"), { authorization: authorization(desk.key) });
      assert.equal(desk.service.keys.spent(desk.key), 0);
    });
  }

  it("a key in x-api-key, even next to a valid one", async () => {
    await using desk = await openDesk();
    await expectRefusal(desk, malformed, ask("hi"), { "x-api-key": desk.key });
  });

  it("a revoked key while its replacement works", async () => {
    await using desk = await openDesk();
    const replacement = desk.service.keys.replace(desk.key, fakeKey("next"));
    await expectRefusal(desk, [403, "revoked_api_key", "permission_error", /Key is blocked/u], ask("hi"));
    assert.equal((await post({ ...desk, key: replacement }, chatPath, ask("hi"))).status, 200);
  });

  it("an expired key, from its expiration on", async () => {
    await using desk = await openDesk();
    desk.service.keys.change(desk.key, { expiresAt: new Date(Date.now() + 3_600_000) });
    assert.equal((await post(desk, chatPath, ask("hi"))).status, 200);
    desk.service.keys.change(desk.key, { expiresAt: new Date(Date.now()) });
    await expectRefusal(desk, [401, "expired_key", unauthenticated, /Expired Key/u], ask("hi"));
    desk.service.keys.change(desk.key, { expiresAt: undefined });
    assert.equal((await post(desk, chatPath, ask("hi"))).status, 200);
  });

  it("a budget exhausted by an earlier request, until it is raised", async () => {
    await using desk = await openDesk();
    desk.service.keys.change(desk.key, { budget: 4 });
    assert.equal((await post(desk, chatPath, ask("one", { max_tokens: 3 }))).status, 200);
    await expectRefusal(
      desk,
      [429, "insufficient_quota", "billing_error", /Budget has been exceeded: this key has spent 4 of 4/u],
      ask("two"),
    );
    const refused = await post(desk, chatPath, ask("two"));
    assert.equal(refused.headers.get("x-should-retry"), "false");
    desk.service.keys.change(desk.key, { budget: 100 });
    assert.equal((await post(desk, chatPath, ask("three"))).status, 200);
  });

  it("a model outside the allow-list, unlike a missing model", async () => {
    await using desk = await openDesk();
    desk.service.keys.change(desk.key, { models: ["service-mini"] });
    await expectRefusal(
      desk,
      [403, "key_model_access_denied", "permission_error", /not allowed to access model `service-core`/u],
      ask("hi"),
    );
    await expectRefusal(
      desk,
      [404, "model_not_found", "not_found_error", /model `service-none` does not exist/u],
      ask("hi", { model: "service-none" }),
    );
  });
});

describe("reference service: refused bodies", () => {
  const messages = [{ role: "user", content: "hi" }];
  const missing = (field: string): Expected => [
    400,
    "missing_required_parameter",
    invalid,
    new RegExp(`^${field}: Field required$`, "u"),
  ];
  const wrongType = (field: string): Expected => [
    400,
    "invalid_type",
    invalid,
    new RegExp(`^${field}: `, "u"),
  ];
  const outOfRange = (field: string): Expected => [
    400,
    "invalid_value",
    invalid,
    new RegExp(`^${field}: `, "u"),
  ];
  const malformed: Expected = [400, null, invalid, /JSON/u];
  const cases: readonly (readonly [string, Expected, unknown])[] = [
    ["half of a JSON text", malformed, '{"model":'],
    ["an empty body", malformed, ""],
    ["bytes that are no UTF-8", malformed, Buffer.from([0x22, 0xff, 0x22])],
    ["JSON that is no object", wrongType("body"), "[]"],
    ["no model", missing("model"), { max_tokens: 1, messages }],
    ["no messages", missing("messages"), { model: "service-core", max_tokens: 1 }],
    ["no role", missing("messages\\.0\\.role"), ask("", { messages: [{ content: "hi" }] })],
    ["no content", missing("messages\\.0\\.content"), ask("", { messages: [{ role: "user" }] })],
    ["a model that is a number", wrongType("model"), ask("hi", { model: 7 })],
    ["messages that are a string", wrongType("messages"), ask("hi", { messages: "hi" })],
    [
      "content that is a number",
      wrongType("messages\\.0\\.content"),
      ask("", { messages: [{ role: "user", content: 7 }] }),
    ],
    [
      "an unknown role",
      wrongType("messages\\.0\\.role"),
      ask("", { messages: [{ role: "king", content: "" }] }),
    ],
    [
      "an image",
      wrongType("messages\\.0\\.content"),
      ask("", { messages: [{ role: "user", content: [{ type: "image" }] }] }),
    ],
    ["stream that is a string", wrongType("stream"), ask("hi", { stream: "yes" })],
    ["max_tokens that is a string", wrongType("max_tokens"), ask("hi", { max_tokens: "1" })],
    ["max_tokens of 0", outOfRange("max_tokens"), ask("hi", { max_tokens: 0 })],
    ["max_tokens of 1.5", outOfRange("max_tokens"), ask("hi", { max_tokens: 1.5 })],
    ["an empty conversation", outOfRange("messages"), ask("hi", { messages: [] })],
  ];
  for (const [name, expected, body] of cases) {
    it(name, async () => {
      await using desk = await openDesk();
      await expectRefusal(desk, expected, body);
      assert.equal(desk.service.keys.spent(desk.key), 0);
    });
  }

  it("a missing max_tokens, in the Messages style only", async () => {
    await using desk = await openDesk();
    const body = { model: "service-core", messages };
    assert.equal((await post(desk, chatPath, body)).status, 200);
    const refused = await post(desk, messagesPath, body);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /max_tokens: Field required/u);
  });

  it("a body that is too large or not declared as JSON", async () => {
    await using desk = await openDesk({ bodyLimit: 1000 });
    const large: Expected = [413, "request_too_large", "request_too_large", /larger than 1000 bytes/u];
    await expectRefusal(desk, large, ask("x".repeat(4000)));
    const untyped: Expected = [415, "unsupported_content_type", invalid, /application\/json/u];
    await expectRefusal(desk, untyped, ask("hi"), { "content-type": "text/plain" });
  });
});

describe("reference service: refused paths and methods", () => {
  it("an unknown path, in the caller's style", async () => {
    await using desk = await openDesk();
    const chat = await post(desk, "/chat/completions", ask("hi"));
    assert.equal(chat.status, 404);
    assert.ok(chat.headers.has("x-request-id"));
    assert.match(await chat.text(), /Invalid URL \(POST \/chat\/completions\).*"code":"unknown_url"/u);
    const messages = await post(desk, "/v1/v1/messages", ask("hi"));
    assert.equal(messages.status, 404);
    assert.equal(messages.headers.get("request-id"), messages.headers.get("x-request-id"));
    assert.match(await messages.text(), /"type":"not_found_error"/u);
  });

  it("a method that the path does not support", async () => {
    await using desk = await openDesk();
    const response = await fetch(desk.service.origin + messagesPath, { signal: soon() });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "POST");
    assert.match(await response.text(), /use POST/u);
    assert.equal((await post(desk, "/v1/models", {})).headers.get("allow"), "GET");
  });

  it("data that is not HTTP, in a response with a request ID", async () => {
    await using desk = await openDesk();
    const socket = connect(Number(new URL(desk.service.origin).port), "127.0.0.1");
    socket.write("good day\r\n\r\n");
    assert.match(await readText(socket), /^HTTP\/1\.1 400 Bad Request\r\nx-request-id: req_/u);
  });
});
