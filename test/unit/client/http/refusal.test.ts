import assert from "node:assert/strict";
import fc from "fast-check";
import { readRefusal } from "../../../../src/client/http/refusal.ts";

const bytes = (body: unknown): Uint8Array =>
  new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));

describe("readRefusal", () => {
  it("reads the error, the request ID, the wait and who answered", () => {
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

  it("takes ID and wait from the body where no header has them", () => {
    const error = { message: "No", details: [{ retryDelay: "3s" }] };
    const failure = readRefusal(429, { "cf-ray": "ray" }, bytes({ error, request_id: "r-12345678" }), 0);
    assert.equal(failure.kind === "refused" && failure.requestId, "r-12345678");
    assert.equal(failure.kind === "refused" && failure.retryAfterMs, 3000);
  });

  it("names the kind of the body, and keeps the beginning of what is no JSON", () => {
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

  it("reads an error in events, and JSON that is labelled as text", () => {
    const body = `: hi\n\nevent: error\ndata: {"error":{"message":"No"}}\n\ndata: [DONE]\n\n`;
    for (const text of [body, body.slice(6), body.replaceAll("\n", "\r\n"), '\n{"error":{"message":"No"}}']) {
      const failure = readRefusal(500, { "content-type": "text/plain" }, bytes(text), 0);
      assert.equal(failure.kind === "refused" && failure.error.message, "No");
    }
  });

  it("says where a redirect wanted to go, as an absolute address", () => {
    const url = new URL("https://h.example/v1/models");
    assert.deepEqual(readRefusal(302, { location: "/login?next=x" }, bytes("<html>"), 0, url), {
      kind: "redirect",
      status: 302,
      location: "https://h.example/login?next=x",
      origin: "https://h.example",
    });
    assert.deepEqual(readRefusal(308, {}, bytes(""), 0), { kind: "redirect", status: 308 });
  });

  it("throws on no answer", () => {
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
