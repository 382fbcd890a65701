import assert from "node:assert/strict";
import { causes } from "../../../../src/client/failure/cause.ts";
import type { Cause } from "../../../../src/client/failure/cause.ts";
import { decisiveMessages, messages } from "../../../../src/client/failure/causeMessages.ts";
import { causeOf } from "../../../../src/client/failure/causeOf.ts";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { readRefusal } from "../../../../src/client/http/refusal.ts";
import { processorTime } from "../../processorTime.ts";

/** The cause of an answer with this status and body. */
function causeOfAnswer(status: number, body: unknown): Cause {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return causeOf(readRefusal(status, {}, new TextEncoder().encode(text), 0));
}

const error = (message: string, rest: object = {}): object => ({ error: { message, ...rest } });

/** Refusals by the cause that `causeOf` must find, in this project's own words. */
const answers: Readonly<Partial<Record<Cause, readonly (readonly [number, unknown])[]>>> = {
  "empty-key": [
    [401, error("You did not send an API key")],
    [401, error("Missing Authorization header", { code: "invalid_api_key" })],
    [401, "no credentials provided"],
    [401, { detail: "Not authenticated" }],
    [401, { message: "API key is required" }],
    [401, error("缺少令牌")],
  ],
  "malformed-key": [
    [401, error("Malformed token in header")],
    [401, error("A key must start with 'ab-'")],
    [400, error("API key has an invalid format")],
  ],
  "not-a-key": [[401, error("Session tokens are not accepted here", { type: "authentication_error" })]],
  "invalid-key": [
    [401, error("Invalid key")],
    [401, error("Unknown key")],
    [400, error("Unrecognized key provided")],
    [400, error('Unknown key: "ab-12-xyz"')],
    [401, ""],
    [401, { error: "Unauthorized" }],
    [400, error("The API key you sent is not valid")],
    [403, error("x", { code: "authentication_error" })],
    [401, error("密钥无效")],
  ],
  "revoked-key": [
    [401, error("This key has been revoked", { type: "authentication_error" })],
    [403, error("Your account was suspended")],
    [403, error("该令牌已被禁用")],
    [400, error("The API key of this request was blocked")],
    [403, error("The organization of this user has been disabled")],
    [403, error("The account that made this request has been suspended")],
  ],
  "expired-key": [
    [401, error("x", { type: "expired_key" })],
    [401, error("The API key has expired", { type: "authentication_error" })],
    [403, error("该密钥已过期")],
  ],
  "budget-exhausted": [
    [402, ""],
    [429, error("Budget exceeded for this key", { type: "rate_limit_error" })],
    [401, error("x", { code: "insufficient_quota" })],
    [403, error("There are no credits left: insufficient balance")],
    [400, error("This request would exceed your monthly team budget")],
    [400, error("exceeded_budget")],
    [400, error("账户余额不足")],
  ],
  "model-not-allowed": [
    [401, error("This key is not allowed to access the model x", { type: "authentication_error" })],
    [403, error("x", { type: "team_model_access_denied" })],
    [403, error("The output model is blocked for this project")],
    [403, error("You do not have access to this model", { code: "model_not_found" })],
    [404, error("No endpoints found matching your data policy (Paid model training). See the settings.")],
    [
      404,
      error("No endpoints available matching your guardrail restrictions and data policy.", { code: 404 }),
    ],
  ],
  "model-not-found": [
    [404, error("The model 'x-1.5' does not exist")],
    [404, error("No endpoints found for x/x-1.5.")],
    [400, error("Unknown model: x")],
    [404, error("model: x", { type: "not_found_error" })],
    [503, error("模型 x 不存在")],
    [200, error("x", { code: "model_not_found" })],
  ],
  "rate-limited": [
    [429, ""],
    [429, error("Too many requests")],
    [429, error("Your messages are temporarily blocked: too many requests")],
    [413, error("x", { code: "rate_limit_exceeded" })],
    [400, error("x", { code: "Throttling.User" })],
  ],
  overloaded: [
    [529, ""],
    [503, ""],
    [429, error("The server is overloaded")],
    [500, error("x", { type: "overloaded_error" })],
  ],
  "server-error": [
    [500, ""],
    [502, "<html><title>502</title>"],
    [200, error("x", { code: 500 })],
    [200, error("x", { type: "server_error" })],
    [401, error("SomeException - Incorrect API key provided")],
  ],
  "bad-request": [
    [400, error("x")],
    [422, ""],
    [413, "<html>"],
    [500, error("", { param: "422" })],
    [400, error("max_tokens is required")],
    [400, error("Unrecognized key(s) in object: 'user'")],
    [400, error('Unrecognized key: "metadata"')],
    [400, error('Invalid key: Expected never but received "user"')],
    [400, error("x is not supported with this model", { code: "unsupported_parameter" })],
    [404, error("No endpoints found that support image input", { code: 404 })],
    [404, error("No endpoints found that support tool use. See how requests are routed.", { code: 404 })],
    [404, error("No endpoints found that can handle the requested parameters.")],
    [404, error("No endpoints available that support the guardrail that was asked for")],
  ],
  "context-length": [
    [400, error("x", { code: "context_length_exceeded" })],
    [400, error("The prompt is too long")],
    [422, error("These messages exceed the context window")],
    ...[400, 500].map((status): readonly [number, unknown] => [
      status,
      error(
        "The decoder prompt (length 70000) is longer than the maximum model length of 65536. Make it shorter.",
      ),
    ]),
    [400, error("The prompt is longer than the context length of this model")],
  ],
  "content-filtered": [
    [400, error("Blocked by the guard")],
    [403, error("x", { code: "content_filter" })],
    [400, error("Your input was flagged")],
    [400, error("User prompt was blocked by a content policy")],
    [400, error("User input was blocked by the safety filter")],
    [424, error("Prompt blocked due to security configurations")],
    [400, error("The model output was blocked due to policy")],
    [400, error("The safety service has blocked user input")],
  ],
  "wrong-path": [
    [404, ""],
    [405, ""],
    [404, { detail: "Not Found" }],
    [404, "Cannot POST /v2/messages"],
    [200, { error: "Unexpected endpoint" }],
  ],
  "not-an-api": [
    [404, "<html>"],
    [403, "<!DOCTYPE html>"],
    [401, "<html>"],
    [200, "<html>"],
    [403, "error code: 1020"],
  ],
  proxy: [[407, "<html>"]],
  tls: [[400, "<html><title>400 The plain HTTP request was sent to HTTPS port</title>"]],
  timeout: [
    [504, "<html>"],
    [524, ""],
    [408, ""],
    [500, error("Upstream timed out")],
  ],
  unknown: [
    [403, error("Request not allowed", { type: "forbidden" })],
    [200, error("x")],
  ],
};

describe("causeOf", () => {
  for (const [cause, list] of Object.entries(answers)) {
    it(`finds ${cause}`, () => {
      for (const [status, body] of list) {
        assert.equal(causeOfAnswer(status, body), cause, `${status} ${JSON.stringify(body)}`);
      }
    });
  }

  it("returns proxy if a proxy answered", () => {
    const failure = readRefusal(403, { server: "squid/6" }, new TextEncoder().encode("<html>"), 0);
    assert.equal(causeOf(failure), "proxy");
  });

  it("returns the cause of every kind of failure except refusals", () => {
    const location = "https://h.example/x";
    const failures: readonly (readonly [Failure, Cause])[] = [
      [{ kind: "redirect", status: 301, location, origin: "https://other.example" }, "wrong-host"],
      [{ kind: "redirect", status: 301, location, origin: "https://h.example" }, "wrong-path"],
      [{ kind: "redirect", status: 301 }, "wrong-host"],
      [{ kind: "unreadable", status: 200, bodyKind: "html" }, "not-an-api"],
      [{ kind: "unreadable", status: 200, bodyKind: "empty" }, "not-an-api"],
      [{ kind: "unreadable", status: 200, bodyKind: "json" }, "not-an-api"],
      [{ kind: "unreadable", status: 200, bodyKind: "text", bodyStart: "Thing is running" }, "wrong-path"],
      [{ kind: "unreadable", status: 200, bodyKind: "text", bodyStart: "....." }, "not-an-api"],
      [{ kind: "unreadable", status: 200, bodyKind: "event" }, "unknown"],
      [{ kind: "unreadable", status: 200, bodyKind: "too-large" }, "server-error"],
      [{ kind: "stream-error", error: { type: "overloaded_error" } }, "overloaded"],
      [{ kind: "stream-error", error: { type: "internal_error" } }, "server-error"],
      [{ kind: "stream-error", error: { code: "InvalidParameter" } }, "bad-request"],
      [{ kind: "stream-error", error: { message: "odd" } }, "unknown"],
      [{ kind: "filtered", wireReason: "refusal" }, "content-filtered"],
      [{ kind: "interrupted" }, "interrupted"],
      [{ kind: "network", code: "ENOTFOUND" }, "network"],
      [{ kind: "tls", code: "EPROTO" }, "tls"],
      [{ kind: "proxy", code: "X" }, "proxy"],
      [{ kind: "timeout", phase: "idle" }, "timeout"],
      [{ kind: "key", cause: "not-a-key" }, "not-a-key"],
      [{ kind: "key-seal", sealedTo: "a", refusedTo: "b" }, "key-origin-mismatch"],
      [{ kind: "address", problem: "insecure" }, "insecure-address"],
      [{ kind: "address", problem: "no-scheme" }, "wrong-host"],
      [{ kind: "cancelled" }, "cancelled"],
      [{ kind: "unknown", detail: "" }, "unknown"],
    ];
    for (const [failure, cause] of failures) assert.equal(causeOf(failure), cause, JSON.stringify(failure));
  });

  it("reads long messages within 2 seconds", () => {
    const time = processorTime(() => {
      for (const word of [
        "model ",
        "token ",
        "key ",
        "no ",
        "exceeded ",
        "a",
        " ",
        "content ",
        "Exception - ",
      ]) {
        causeOfAnswer(400, error(word.repeat(20_000)));
      }
    });
    assert.ok(time < 2000, `${time} ms`);
  });

  it("stays fast on repeated or extended keywords", () => {
    const words = new Set(
      [...decisiveMessages, ...messages].flatMap(({ pattern }) => pattern.source.match(/[a-z]{3,}/g) ?? []),
    );
    assert.ok(words.has("exceed"));
    for (const word of words) {
      // Cubic time would take seconds for texts of this length, linear time a few milliseconds.
      const time = processorTime(() => {
        for (const text of [word.repeat(600), word + "a".repeat(600), `${word} ${"a".repeat(600)}`]) {
          causeOfAnswer(400, error(text.slice(0, 600)));
        }
      });
      assert.ok(time < 1000, `${word}: ${time} ms`);
    }
  });

  it("returns a public cause for every status", () => {
    for (let status = 100; status < 1000; status += 1) {
      assert.ok(causes.includes(causeOfAnswer(status, "")), String(status));
    }
  });
});
