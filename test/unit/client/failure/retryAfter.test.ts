import assert from "node:assert/strict";
import fc from "fast-check";
import { readRetryAfterMs } from "../../../../src/client/failure/retryAfter.ts";

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

  it("takes a limit's reset for a wait only where the limit was the reason", () => {
    const headers = { "ratelimit-reset": "42", "ratelimit-remaining": "0" };
    assert.equal(readRetryAfterMs(headers, 500, now), undefined);
  });

  it("finds no negative wait and throws on no header", () => {
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
