import assert from "node:assert/strict";
import { causes } from "../../../../src/client/failure/cause.ts";
import { causeOf } from "../../../../src/client/failure/causeOf.ts";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { retryWaitMs } from "../../../../src/client/request/retryPolicy.ts";

type Refused = Extract<Failure, { kind: "refused" }>;

function refused(status: number, more: Partial<Refused> = {}): Failure {
  return { kind: "refused", status, error: {}, bodyKind: "empty", ...more };
}

function waitAfter(failure: Failure, attempt = 1, random = 0): number | undefined {
  return retryWaitMs(failure, causeOf(failure), attempt, random);
}

describe("retryWaitMs", () => {
  const budget = { error: { code: "insufficient_quota" } };
  const table: readonly (readonly [string, Failure, boolean])[] = [
    ["408", refused(408), true],
    ["409", refused(409), true],
    ["429", refused(429), true],
    ["500", refused(500), true],
    ["502", refused(502), true],
    ["503", refused(503), true],
    ["529", refused(529), true],
    ["522, where nothing reached the service", refused(522), true],
    ["a page on a 503", refused(503, { bodyKind: "html", bodyStart: "<html>" }), true],
    ["a connection that broke", { kind: "network", code: "ECONNRESET" }, true],
    ["a connection that broke soon", { kind: "network", code: "ECONNRESET", brokeAfterMs: 5000 }, true],
    [
      "one that broke later, and may be billed",
      { kind: "network", code: "ECONNRESET", brokeAfterMs: 5001 },
      false,
    ],
    ["a connection that was refused", { kind: "network", code: "ECONNREFUSED" }, true],
    ["a timeout to connect", { kind: "timeout", phase: "connect" }, true],
    ["504, where the service may be at work", refused(504), false],
    ["524, where the service may be at work", refused(524), false],
    ["a timeout to the head", { kind: "timeout", phase: "headers" }, false],
    ["a timeout in the answer", { kind: "timeout", phase: "idle" }, false],
    ["a timeout of the whole", { kind: "timeout", phase: "total" }, false],
    ["400", refused(400), false],
    ["401", refused(401), false],
    ["403", refused(403), false],
    ["404", refused(404), false],
    ["422", refused(422), false],
    ["a budget on a 429", refused(429, budget), false],
    ["a budget, whatever the server says", refused(429, { ...budget, shouldRetry: true }), false],
    ["an unknown key, whatever the server says", refused(401, { shouldRetry: true }), false],
    ["a missing model on a 503", refused(503, { error: { code: "model_not_found" } }), false],
    ["a filter on a 500", refused(500, { error: { code: "content_filter" } }), false],
    [
      "a refused image on a 500",
      refused(500, { error: { message: "image input is not supported - hint: a projector is needed" } }),
      false,
    ],
    [
      "what none of the services behind takes, on a 502",
      refused(502, { error: { message: "top_k is not supported by any backend" } }),
      false,
    ],
    ["429, where the server says no", refused(429, { shouldRetry: false }), false],
    ["400, where the server says yes", refused(400, { shouldRetry: true }), true],
    ["504, where the server says yes", refused(504, { shouldRetry: true }), true],
    ["an error over a success", refused(200, { error: { code: "overloaded_error" } }), false],
    [
      "an error over a success, whatever it says",
      refused(200, { error: { code: "overloaded_error" }, shouldRetry: true }),
      false,
    ],
    ["an error in a stream", { kind: "stream-error", error: { type: "overloaded_error" } }, false],
    ["an interruption", { kind: "interrupted" }, false],
    ["a proxy", { kind: "proxy", code: "ECONNREFUSED" }, false],
    ["a certificate", { kind: "tls", code: "CERT_HAS_EXPIRED" }, false],
    ["a redirect", { kind: "redirect", status: 307 }, false],
    ["a cancelled call", { kind: "cancelled" }, false],
  ];
  for (const [name, failure, again] of table) {
    it(`${again ? "tries again" : "does not try again"}: ${name}`, () => {
      assert.equal(waitAfter(failure) !== undefined, again);
    });
  }

  it("tries twice more and not a third time", () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((attempt) => waitAfter(refused(529), attempt)),
      [500, 1000, undefined, undefined],
    );
  });

  it("takes up to a quarter off its own waits, so that callers spread", () => {
    assert.equal(waitAfter(refused(529), 1, 1), 375);
    assert.equal(waitAfter(refused(529), 2, 0.5), 875);
  });

  it("keeps the server's wait to the millisecond, up to a minute; longer ones are the person's", () => {
    const waits = [0, 34, 60_000, 60_001, 720_000];
    assert.deepEqual(
      waits.map((retryAfterMs) => waitAfter(refused(429, { retryAfterMs }), 1, 1)),
      [0, 34, 60_000, undefined, undefined],
    );
  });

  it("leaves alone every cause that no wait mends, whatever the status", () => {
    const passing = causes.filter((cause) => retryWaitMs(refused(503), cause, 1, 0) !== undefined);
    assert.deepEqual(passing, ["rate-limited", "overloaded", "server-error", "network"]);
  });
});
