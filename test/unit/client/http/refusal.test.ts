import assert from "node:assert/strict";
import fc from "fast-check";
import { readRefusal, readRetryAfterMs } from "../../../../src/client/http/refusal.ts";

const bytes = (body: unknown): Uint8Array =>
  new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));

describe("readRefusal", () => {
  it("reads the error, the request ID, the retry delay, and the server", () => {
    const headers = { "retry-after": "2", "x-request-id": "r-1", server: "nginx" };
    assert.deepEqual(
      readRefusal(429, headers, bytes({ error: { message: "Slow down", request_id: "other" } }), 0),
      {
        kind: "refused",
        status: 429,
        error: { message: "Slow down", requestId: "other" },
        bodyKind: "json",
        requestId: "r-1",
        retryAfterMs: 2000,
        server: "nginx",
      },
    );
  });

  it("takes the request ID and the retry delay from the body if no header has them", () => {
    const error = { message: "No", details: [{ retryDelay: "3s" }] };
    const failure = readRefusal(429, { "cf-ray": "ray" }, bytes({ error, request_id: "r-12345678" }), 0);
    assert.equal(failure.kind === "refused" && failure.requestId, "r-12345678");
    assert.equal(failure.kind === "refused" && failure.retryAfterMs, 3000);
  });

  it("names the kind of the body, and keeps the first 2,048 characters unless it is JSON", () => {
    const kinds = (["<html>", "", "Not found", "{}", "{oops"] as const).map((body) => {
      const failure = readRefusal(404, {}, bytes(body), 0);
      return failure.kind === "refused" ? [failure.bodyKind, failure.bodyStart] : [];
    });
    assert.deepEqual(kinds, [
      ["html", "<html>"],
      ["empty", undefined],
      ["text", "Not found"],
      ["json", undefined],
      ["text", "{oops"],
    ]);
    const long = readRefusal(500, {}, bytes("x".repeat(9000)), 0);
    assert.equal(long.kind === "refused" && long.bodyStart?.length, 2048);
  });

  it("reads an error in events, and JSON labeled as text", () => {
    const body = `: hi\n\nevent: error\ndata: {"error":{"message":"No"}}\n\ndata: [DONE]\n\n`;
    for (const text of [body, body.slice(6), body.replaceAll("\n", "\r\n"), '\n{"error":{"message":"No"}}']) {
      const failure = readRefusal(500, { "content-type": "text/plain" }, bytes(text), 0);
      assert.equal(failure.kind === "refused" && failure.error.message, "No");
    }
  });

  it("returns the target of a redirect as an absolute URL", () => {
    const url = new URL("https://h.example/v1/models");
    assert.deepEqual(readRefusal(302, { location: "/login?next=x" }, bytes("<html>"), 0, url), {
      kind: "redirect",
      status: 302,
      location: "https://h.example/login?next=x",
      origin: "https://h.example",
    });
    assert.deepEqual(readRefusal(308, {}, bytes(""), 0), { kind: "redirect", status: 308 });
  });

  it("never throws for any answer", () => {
    const headers = fc.dictionary(
      fc.constantFrom("retry-after", "location", "server", "date", "x-request-id"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), headers, fc.uint8Array(), (status, head, body) => {
        readRefusal(status, head, body, 0);
      }),
    );
  });
});

const now = Date.UTC(2030, 0, 1);

describe("readRetryAfterMs", () => {
  const cases: readonly (readonly [Record<string, string>, number | undefined])[] = [
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Tue, 01 Jan 2030 00:00:07 GMT" }, 7000],
    [{ "retry-after": "Tue, 01 Jan 2030 00:00:07 GMT", date: "Tue, 01 Jan 2030 00:00:03 GMT" }, 4000],
    [{ "retry-after": "Mon, 31 Dec 2029 00:00:00 GMT" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "x-ms-retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "-5" }, undefined],
    [{ "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "0" }, 360_000],
    [{ "x-ratelimit-reset-tokens": "120ms", "x-ratelimit-remaining-tokens": "0" }, 120],
    [{ "x-ratelimit-reset-requests": "1s", "x-ratelimit-remaining-requests": "5" }, undefined],
    [
      {
        "anthropic-ratelimit-tokens-reset": "2030-01-01T00:00:09Z",
        "anthropic-ratelimit-tokens-remaining": "0",
      },
      9000,
    ],
    [{ "ratelimit-reset": "42", "ratelimit-remaining": "0" }, 42_000],
    [{ "x-ratelimit-reset": String(now + 5000), "x-ratelimit-remaining": "0" }, 5000],
    [{}, undefined],
  ];
  for (const [headers, expected] of cases) {
    it(`reads ${JSON.stringify(headers)}`, () => assert.equal(readRetryAfterMs(headers, 429, now), expected));
  }

  it("uses a rate limit's reset only if the rate limit was the reason", () => {
    const headers = { "ratelimit-reset": "42", "ratelimit-remaining": "0" };
    assert.equal(readRetryAfterMs(headers, 500, now), undefined);
  });

  it("never returns a negative delay, and never throws", () => {
    const names = fc.constantFrom(
      "retry-after",
      "retry-after-ms",
      "date",
      "x-ratelimit-reset",
      "x-ratelimit-remaining",
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.oneof(fc.string(), fc.integer().map(String))), (headers) => {
        const wait = readRetryAfterMs(headers, 429, now);
        assert.ok(wait === undefined || wait >= 0);
      }),
    );
  });
});
