import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { NotConnectedError } from "../../../../src/client/failure/toFailure.ts";
import { withRetries, retryWaitMs } from "../../../../src/client/request/retrying.ts";
import type { RetryNotice } from "../../../../src/client/request/retrying.ts";
import type { Transport } from "../../../../src/client/http/transport.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import type { ChatRequest, StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { fakeKey, soon } from "../../service/fixture.ts";
import { MockClock } from "../http/mockClock.ts";
import { startPlainServer } from "../transport/plainServer.ts";
import type { PlainServer } from "../transport/plainServer.ts";
import { testLimits } from "../http/requests.ts";
import { createTestClient } from "./testClient.ts";
import { causes } from "../../../../src/client/failure/cause.ts";
import { causeOf } from "../../../../src/client/failure/causeOf.ts";

const never = new AbortController().signal;
const request: ChatRequest = {
  model: "service-core",
  messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
  maxTokens: 100,
  stream: true,
};

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const refuse =
  (status: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

const streamEnd = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const hello = 'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n';
const stream =
  (...pieces: readonly string[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    response.end();
  };

const retryAtOnce = ({ retryNow }: RetryNotice): void => retryNow();

const models: Answer = (response) => void response.end('{"data":[{"id":"one"}]}');

/** Answers each request with the next answer of the list, and all further requests with the last. */
function inTurn(...answers: readonly Answer[]): RequestListener {
  let count = 0;
  return (asked, response) => {
    const answer = answers[Math.min(count, answers.length - 1)];
    count += 1;
    answer?.(response, asked);
  };
}

describe("retries over real HTTP", () => {
  let server: PlainServer;
  const transport = createUndiciTransport({ strictCertificates: true });
  let notices: RetryNotice[];

  before(async () => {
    server = await startPlainServer();
  });
  beforeEach(() => {
    notices = [];
  });
  after(async () => {
    await transport.close();
    await server.close();
  });

  function client() {
    return createTestClient({ transport, origin: server.origin, key: fakeKey("retry") });
  }

  async function ask(
    signal: AbortSignal = never,
    onRetry: (notice: RetryNotice) => void = () => undefined,
  ): Promise<{ readonly text: string; readonly failure?: Failure; readonly requests: number }> {
    const before = server.requests;
    let text = "";
    const take = (parts: readonly StreamPart[]): void => {
      for (const part of parts) if (part.type === "text-delta") text += part.text;
    };
    try {
      await withRetries(
        async (onPiece) => {
          for await (const parts of client().streamChat("chat-completions", request, signal)) {
            onPiece();
            take(parts);
          }
        },
        (notice) => {
          notices.push(notice);
          onRetry(notice);
        },
        signal,
      );
    } catch (error) {
      assert.ok(error instanceof InferenceError, String(error));
      return { text, failure: error.failure, requests: server.requests - before };
    }
    return { text, requests: server.requests - before };
  }

  it("waits as long as retry-after-ms says, then reads the answer", async () => {
    server.answer = inTurn(refuse(429, { "retry-after-ms": "40" }), stream(hello, streamEnd));
    const started = performance.now();
    assert.deepEqual(await ask(), { text: "Hello", requests: 2 });
    assert.ok(performance.now() - started >= 39);
    assert.deepEqual(
      notices.map(({ attempt, of, waitMs }) => [attempt, of, waitMs]),
      [[2, 3, 40]],
    );
  });

  it("reads the delay from the body", async () => {
    const body = JSON.stringify({ error: { message: "slow down", details: [{ retryDelay: "0.03s" }] } });
    server.answer = inTurn(refuse(429, {}, body), stream(hello, streamEnd));
    assert.equal((await ask()).requests, 2);
    assert.equal(notices[0]?.waitMs, 30);
  });

  it("retries after 529 and 503, and announces each retry", async () => {
    server.answer = inTurn(
      refuse(529, { "retry-after-ms": "1" }),
      refuse(503, { "retry-after-ms": "2" }),
      stream(hello, streamEnd),
    );
    assert.deepEqual(await ask(), { text: "Hello", requests: 3 });
    assert.deepEqual(
      notices.map(({ attempt, error: { failure } }) => [
        attempt,
        failure.kind === "refused" && failure.status,
      ]),
      [
        [2, 529],
        [3, 503],
      ],
    );
  });

  it("gives up after the third try with the last failure", async () => {
    server.answer = inTurn(refuse(529, { "retry-after-ms": "1" }));
    const { failure, requests } = await ask();
    assert.ok(failure?.kind === "refused" && failure.status === 529);
    assert.equal(requests, 3);
  });

  it("retries if the connection broke before the headers", async () => {
    server.answer = inTurn((_response, asked) => void asked.socket.destroy(), stream(hello, streamEnd));
    assert.equal((await ask()).text, "Hello");
    assert.equal(notices[0]?.error.failure.kind, "network");
  });

  it("retries after a late connection failure only if nothing was sent or a list was requested", async () => {
    using clock = new MockClock();
    const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    for (const [error, tries] of [
      [reset, 1],
      [new NotConnectedError({ kind: "network", code: "ECONNRESET" }), 3],
      [new InferenceError({ kind: "network", code: "ERR_NAME_NOT_RESOLVED" }), 3],
    ] as const) {
      let sent = 0;
      const breaking: Transport = {
        send: async () => {
          sent += 1;
          clock.tick(6000);
          throw error;
        },
        routeFor: () => ({ transport: "undici", anyCertificate: false }),
        close: async () => undefined,
      };
      const lost = createTestClient({
        transport: breaking,
        origin: server.origin,
        key: fakeKey("retry"),
        limits: { ...testLimits, totalMs: 60_000 },
      });
      const first = () => lost.streamChat("chat-completions", request, never).next();
      await assert.rejects(withRetries(first, retryAtOnce, never), InferenceError);
      assert.equal(sent, tries);
      await assert.rejects(
        withRetries(() => lost.listModels(never), retryAtOnce, never),
        InferenceError,
      );
      assert.equal(sent, tries + 3);
    }
  });

  const once: readonly (readonly [string, Answer])[] = [
    ["x-should-retry is false", refuse(503, { "x-should-retry": "false" })],
    ["a used-up budget", refuse(429, {}, '{"error":{"code":"insufficient_quota"}}')],
    ["a wrong key", refuse(401, { "x-should-retry": "true" })],
    ["a delay of 12 minutes", refuse(429, { "retry-after": "720" })],
    ["text, then an error", stream(hello, 'data: {"error":{"type":"overloaded_error"}}\n\n')],
    ["an error as the first event", stream('data: {"error":{"type":"overloaded_error"}}\n\n')],
    ["an error with a success status", refuse(200, {}, '{"error":{"code":"overloaded_error"}}')],
    ["a stream that breaks before its first text", stream(": keep-alive\n\n")],
    ["reasoning, then a break", stream('data: {"choices":[{"delta":{"reasoning":"Hm"}}]}\n\n')],
  ];
  for (const [name, answer] of once) {
    it(`sends once: ${name}`, async () => {
      server.answer = inTurn(answer, stream(hello, streamEnd));
      const { failure, requests } = await ask();
      assert.ok(failure !== undefined);
      assert.equal(requests, 1);
      assert.equal(notices.length, 0);
    });
  }

  it("ends at once if aborted during a delay, and sends nothing more", async () => {
    server.answer = inTurn(refuse(529, { "retry-after": "50" }), stream(hello, streamEnd));
    const stopping = new AbortController();
    const started = performance.now();
    const asked = await ask(stopping.signal, () => setImmediate(() => stopping.abort()));
    assert.deepEqual(asked, { text: "", failure: { kind: "cancelled" }, requests: 1 });
    assert.ok(performance.now() - started < 30_000);
    const listing = withRetries(
      () => client().listModels(stopping.signal),
      () => undefined,
      stopping.signal,
    );
    await assert.rejects(
      listing,
      (error) => error instanceof InferenceError && error.failure.kind === "cancelled",
    );
  });

  it("never retries after a chunk has arrived", async () => {
    let tries = 0;
    const broken = withRetries(
      (onPiece) => {
        tries += 1;
        onPiece();
        return Promise.reject(new InferenceError({ kind: "network", code: "ECONNRESET" }));
      },
      (notice) => notices.push(notice),
      never,
    );
    await assert.rejects(broken, InferenceError);
    assert.deepEqual([tries, notices.length], [1, 0]);
  });

  it("retries at once when retryNow is called", async () => {
    server.answer = inTurn(refuse(529, { "retry-after": "50" }), stream(hello, streamEnd));
    assert.equal((await ask(soon(), ({ retryNow }) => retryNow())).text, "Hello");
  });

  it("leaves no listener on the signal after its delays", async () => {
    server.answer = inTurn(refuse(503, { "retry-after-ms": "1" }), refuse(503), models);
    const { signal } = new AbortController();
    let waits = 0;
    const onRetry = ({ retryNow, waitMs }: RetryNotice): void => {
      waits += getEventListeners(signal, "abort").length;
      if (waitMs > 1) retryNow();
    };
    await withRetries(() => client().listModels(never), onRetry, signal);
    assert.equal(waits, 2, "each wait hears of a stop");
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  it("lists the models after a 503, and announces two retries before it gives up", async () => {
    server.answer = inTurn(refuse(503, { "retry-after-ms": "1" }), models);
    const list = () => client().listModels(never);
    const onRetry = (notice: RetryNotice) => void notices.push(notice);
    assert.deepEqual((await withRetries(list, onRetry, never)).value, [{ id: "one" }]);
    server.answer = inTurn(refuse(503, { "retry-after-ms": "1" }));
    await assert.rejects(withRetries(list, onRetry, never), InferenceError);
    assert.equal(notices.length, 3);
  });
});

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
    ["522, because nothing reached the service", refused(522), true],
    ["a page with status 503", refused(503, { bodyKind: "html", bodyStart: "<html>" }), true],
    ["a connection that broke", { kind: "network", code: "ECONNRESET" }, true],
    [
      "a connection that broke after 5 seconds",
      { kind: "network", code: "ECONNRESET", brokeAfterMs: 5000 },
      true,
    ],
    [
      "a connection that broke later, so that the request may be billed",
      { kind: "network", code: "ECONNRESET", brokeAfterMs: 5001 },
      false,
    ],
    ["a connection that was refused", { kind: "network", code: "ECONNREFUSED" }, true],
    ["a timeout to connect", { kind: "timeout", phase: "connect" }, true],
    ["504, because the service may still be working", refused(504), false],
    ["524, because the service may still be working", refused(524), false],
    ["a timeout before the headers", { kind: "timeout", phase: "headers" }, false],
    ["a timeout in the answer", { kind: "timeout", phase: "idle" }, false],
    ["a timeout of the whole answer", { kind: "timeout", phase: "total" }, false],
    ["400", refused(400), false],
    ["401", refused(401), false],
    ["403", refused(403), false],
    ["404", refused(404), false],
    ["422", refused(422), false],
    ["a used-up budget with status 429", refused(429, budget), false],
    [
      "a used-up budget, even if the server says to retry",
      refused(429, { ...budget, shouldRetry: true }),
      false,
    ],
    ["an unknown key, even if the server says to retry", refused(401, { shouldRetry: true }), false],
    ["a missing model with status 503", refused(503, { error: { code: "model_not_found" } }), false],
    ["a content filter with status 500", refused(500, { error: { code: "content_filter" } }), false],
    [
      "a refused image with status 500",
      refused(500, { error: { message: "image input is not supported - hint: a projector is needed" } }),
      false,
    ],
    [
      "a field that no backend supports, with status 502",
      refused(502, { error: { message: "top_k is not supported by any backend" } }),
      false,
    ],
    ["429, if the server says not to retry", refused(429, { shouldRetry: false }), false],
    ["400, if the server says to retry", refused(400, { shouldRetry: true }), true],
    ["504, if the server says to retry", refused(504, { shouldRetry: true }), true],
    [
      "an error with a success status, without a hint to retry",
      refused(200, { error: { code: "overloaded_error" } }),
      false,
    ],
    [
      "an error with a success status, even if the server says to retry",
      refused(200, { error: { code: "overloaded_error" }, shouldRetry: true }),
      false,
    ],
    ["an error in a stream", { kind: "stream-error", error: { type: "overloaded_error" } }, false],
    ["an interruption", { kind: "interrupted" }, false],
    ["a proxy", { kind: "proxy", code: "ECONNREFUSED" }, false],
    ["a certificate", { kind: "tls", code: "CERT_HAS_EXPIRED" }, false],
    ["a redirect", { kind: "redirect", status: 307 }, false],
    ["a canceled request", { kind: "cancelled" }, false],
  ];
  for (const [name, failure, again] of table) {
    it(`${again ? "retries" : "doesn't retry"}: ${name}`, () => {
      assert.equal(waitAfter(failure) !== undefined, again);
    });
  }

  it("retries at most twice", () => {
    assert.deepEqual(
      [1, 2, 3, 4].map((attempt) => waitAfter(refused(529), attempt)),
      [500, 1000, undefined, undefined],
    );
  });

  it("shortens its own delays by up to a quarter, to spread the requests of many clients", () => {
    assert.equal(waitAfter(refused(529), 1, 1), 375);
    assert.equal(waitAfter(refused(529), 2, 0.5), 875);
  });

  it("uses the server's exact delay up to a minute, and doesn't retry if the delay is longer", () => {
    const waits = [0, 34, 60_000, 60_001, 720_000];
    assert.deepEqual(
      waits.map((retryAfterMs) => waitAfter(refused(429, { retryAfterMs }), 1, 1)),
      [0, 34, 60_000, undefined, undefined],
    );
  });

  it("retries only for causes that a delay can fix, even if the status is 503", () => {
    const passing = causes.filter((cause) => retryWaitMs(refused(503), cause, 1, 0) !== undefined);
    assert.deepEqual(passing, ["rate-limited", "overloaded", "server-error", "network"]);
  });
});
