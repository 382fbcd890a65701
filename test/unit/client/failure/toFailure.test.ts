import assert from "node:assert/strict";
import fc from "fast-check";
import { FailureError, InferenceError } from "../../../../src/client/failure/failure.ts";
import { fail, isAbortError, toFailure } from "../../../../src/client/failure/toFailure.ts";

/** An error as `fetch` throws it, with its cause. */
const failed = (cause: object): Error => new TypeError("fetch failed", { cause });
const coded = (code: string, message = "x", rest: object = {}): Error =>
  Object.assign(new Error(message), { code, ...rest });
const named = (name: string, message = "x", rest: object = {}): Error =>
  Object.assign(new Error(message), { name, ...rest });

describe("toFailure", () => {
  const cases: readonly (readonly [string, unknown, object])[] = [
    [
      "an unknown host",
      failed(coded("ENOTFOUND", "x", { hostname: "h.example" })),
      { kind: "network", code: "ENOTFOUND", host: "h.example" },
    ],
    [
      "a connection refused at several addresses",
      failed(new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")])),
      { kind: "network", code: "ECONNREFUSED" },
    ],
    ["a reset", failed(coded("ECONNRESET")), { kind: "network", code: "ECONNRESET" }],
    [
      "Chromium's network error",
      new Error("net::ERR_NAME_NOT_RESOLVED"),
      { kind: "network", code: "ERR_NAME_NOT_RESOLVED" },
    ],
    [
      "an untrusted certificate",
      failed(coded("SELF_SIGNED_CERT_IN_CHAIN")),
      { kind: "tls", code: "SELF_SIGNED_CERT_IN_CHAIN" },
    ],
    [
      "a certificate of another host",
      failed(coded("ERR_TLS_CERT_ALTNAME_INVALID", "x", { host: "h.example" })),
      { kind: "tls", code: "ERR_TLS_CERT_ALTNAME_INVALID", host: "h.example" },
    ],
    [
      "Chromium's certificate error",
      new Error("net::ERR_CERT_AUTHORITY_INVALID"),
      { kind: "tls", code: "ERR_CERT_AUTHORITY_INVALID" },
    ],
    ["no TLS at all", failed(coded("EPROTO", "wrong version number")), { kind: "tls", code: "EPROTO" }],
    [
      "a proxy that requires a login",
      named("AbortError", "Proxy response (407) !== 200 when HTTP Tunneling", { code: "UND_ERR_ABORTED" }),
      { kind: "proxy", code: "UND_ERR_ABORTED", status: 407 },
    ],
    [
      "an unreachable proxy",
      new Error("net::ERR_PROXY_CONNECTION_FAILED"),
      { kind: "proxy", code: "ERR_PROXY_CONNECTION_FAILED" },
    ],
    [
      "a proxy type that Chromium doesn't support",
      named("TypeError", "fetch failed", { cause: new Error("net::ERR_NO_SUPPORTED_PROXIES") }),
      { kind: "proxy", code: "ERR_NO_SUPPORTED_PROXIES" },
    ],
    [
      "a handshake failure whose OpenSSL code contains a slash",
      failed(coded("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "alert number 40")),
      { kind: "tls", code: "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE" },
    ],
    [
      "a certificate without certificate transparency",
      new Error("net::ERR_CERTIFICATE_TRANSPARENCY_REQUIRED"),
      { kind: "tls", code: "ERR_CERTIFICATE_TRANSPARENCY_REQUIRED" },
    ],
    [
      "an unexpected login request of a proxy",
      new Error("net::ERR_UNEXPECTED_PROXY_AUTH"),
      { kind: "proxy", code: "ERR_UNEXPECTED_PROXY_AUTH" },
    ],
    [
      "no connection in time",
      failed(coded("UND_ERR_CONNECT_TIMEOUT")),
      { kind: "timeout", phase: "connect" },
    ],
    [
      "no connection in time, as a system error",
      failed(coded("ETIMEDOUT", "connect ETIMEDOUT 192.0.2.1:443")),
      { kind: "timeout", phase: "connect" },
    ],
    ...["read", "write"].map(
      (call) =>
        [
          `an open connection that timed out in a ${call}`,
          failed(coded("ETIMEDOUT", `${call} ETIMEDOUT`, { syscall: call })),
          { kind: "timeout", phase: "headers" },
        ] as const,
    ),
    ["no headers in time", coded("UND_ERR_HEADERS_TIMEOUT"), { kind: "timeout", phase: "headers" }],
    [
      "a body timeout",
      new TypeError("terminated", { cause: coded("UND_ERR_BODY_TIMEOUT") }),
      { kind: "timeout", phase: "idle" },
    ],
    ["a time limit", new DOMException("x", "TimeoutError"), { kind: "timeout", phase: "headers" }],
    ["an abort", new DOMException("x", "AbortError"), { kind: "cancelled" }],
    [
      "undici's abort",
      named("AbortError", "Request aborted", { code: "UND_ERR_ABORTED" }),
      { kind: "cancelled" },
    ],
    ["an invalid URL", failed(coded("ERR_INVALID_URL")), { kind: "address", problem: "not-an-address" }],
    [
      "a closed socket",
      failed(named("SocketError", "other side closed", { code: "UND_ERR_SOCKET" })),
      { kind: "network", code: "UND_ERR_SOCKET" },
    ],
    [
      "a status 407, which fetch hides",
      failed(new Error("")),
      { kind: "proxy", code: "UNKNOWN", status: 407 },
    ],
    ["a failure without a cause", new TypeError("fetch failed"), { kind: "network", code: "UNKNOWN" }],
    ...["Z_DATA_ERROR", "ERR__ERROR_FORMAT_PADDING_1", "ZSTD_error_prefix_unknown"].map(
      (code) =>
        [
          `a malformed content encoding, ${code}`,
          new TypeError("terminated", { cause: coded(code) }),
          { kind: "unreadable", bodyKind: "malformed" },
        ] as const,
    ),
    [
      "a truncated content encoding",
      new TypeError("terminated", { cause: coded("Z_BUF_ERROR") }),
      { kind: "network", code: "Z_BUF_ERROR" },
    ],
    ["something else", new RangeError("x"), { kind: "unknown", detail: "RangeError" }],
    ["a value that is not an error", "x", { kind: "unknown", detail: "" }],
  ];
  for (const [name, error, expected] of cases) {
    it(`reads ${name}`, () => assert.deepEqual(toFailure(error), expected));
  }

  it("returns the failure of an InferenceError", () => {
    const failure = { kind: "interrupted" } as const;
    assert.equal(toFailure(new InferenceError(failure)), failure);
  });

  it("returns malformed for an unexpected interim response, so that no billed request is repeated", () => {
    for (const message of ["bad response", "bad upgrade"]) {
      assert.deepEqual(toFailure(failed(named("SocketError", message, { code: "UND_ERR_SOCKET" }))), {
        kind: "unreadable",
        bodyKind: "malformed",
      });
    }
  });

  it("returns malformed-key for an invalid header, without the header's text", () => {
    const key = ["sk", "test", "0000"].join("-");
    const errors = [
      new TypeError(`Headers.append: "Bearer ${key}\n" is an invalid header value.`),
      new TypeError(
        "Cannot convert argument to a ByteString because the character at index 9 has a value of 8203",
      ),
      coded("ERR_INVALID_CHAR", `Invalid character in header content ["authorization"] ${key}`),
      coded("UND_ERR_INVALID_ARG", "invalid authorization header"),
    ];
    for (const error of errors) assert.deepEqual(toFailure(error), { kind: "key", cause: "malformed-key" });
  });

  it("never includes the text of an error", () => {
    const secret = "S3cret-Value";
    const text = fc.constantFrom(
      "x",
      "fetch failed",
      "certificate",
      "proxy response",
      "parse URL",
      "net::",
      "timeout",
    );
    const code = fc.option(fc.constantFrom("ENOTFOUND", "EPROTO", "UND_ERR_SOCKET", `E ${secret}`), {
      nil: undefined,
    });
    fc.assert(
      fc.property(text, code, (message, errorCode) => {
        const cause = Object.assign(new Error(`${message} ${secret}`), {
          code: errorCode,
          hostname: `a ${secret}`,
        });
        assert.ok(!JSON.stringify(toFailure(failed(cause))).includes(secret));
      }),
    );
  });

  it("terminates for an error that is its own cause", () => {
    const error: Error & { cause?: unknown } = new Error("x");
    error.cause = error;
    assert.equal(toFailure(error).kind, "unknown");
  });
});

describe("isAbortError", () => {
  it("distinguishes an abort by the user from a timeout", () => {
    assert.equal(isAbortError(new DOMException("x", "AbortError")), true);
    assert.equal(isAbortError(new DOMException("x", "TimeoutError")), false);
    assert.equal(isAbortError(new InferenceError({ kind: "cancelled" })), false);
  });
});

describe("fail", () => {
  it("converts a thrown value to an error with a cause", () => {
    const refused = { kind: "refused", status: 429, error: {}, bodyKind: "empty" } as const;
    for (const [thrown, cause] of [
      [new FailureError(refused), "rate-limited"],
      [coded("ECONNREFUSED"), "network"],
      [new Error("x"), "unknown"],
    ] as const) {
      assert.equal(fail(thrown).cause, cause);
    }
    assert.equal(fail(new FailureError(refused)).failure, refused);
  });

  it("returns an InferenceError unchanged", () => {
    const error = new InferenceError({ kind: "interrupted" });
    assert.equal(fail(error), error);
  });
});
