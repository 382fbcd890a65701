import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { CallRecord } from "../../../../src/client/request/call.ts";
import { type Failure, InferenceError } from "../../../../src/client/failure/failure.ts";
import type { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import type { ChatRequest, StreamPart } from "../../../../src/protocol/conversation/conversation.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { fakeKey } from "../../service/fixture.ts";
import { createTestClient } from "./testClient.ts";
import { type PlainServer, startPlainServer } from "../transport/plainServer.ts";
import { testLimits } from "../http/requests.ts";

const transport = createUndiciTransport({ strictCertificates: true });
const records: CallRecord[] = [];

function clientOf(origin: string, key: string): InferenceClient {
  return createTestClient({ transport, origin, key, onCall: (record) => records.push(record) });
}

function ask(text: string, maxTokens = 4096): ChatRequest {
  return {
    model: "service-core",
    messages: [{ role: "user", content: [{ type: "text", text }] }],
    maxTokens,
    stream: true,
  };
}

const never = new AbortController().signal;

async function gather(batches: AsyncIterable<readonly StreamPart[]>): Promise<readonly StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const batch of batches) parts.push(...batch);
  return parts;
}

function textOf(parts: readonly StreamPart[]): string {
  return parts.map((part) => (part.type === "text-delta" ? part.text : "")).join("");
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof InferenceError, String(error));
    return error.failure;
  }
  assert.fail("nothing was thrown");
}

describe("InferenceClient with the reference service", () => {
  let service: ReferenceService;
  let key: string;

  before(async () => {
    service = await startReferenceService();
    key = service.keys.add({}, fakeKey("client"));
  });
  beforeEach(() => {
    records.length = 0;
    service.journal.clear();
  });
  after(() => service.close());

  it("lists the models", async () => {
    const { value, status, requestId } = await clientOf(service.origin, key).listModels(never);
    assert.ok(value.some(({ id }) => id === "service-core"));
    assert.equal(status, 200);
    assert.ok(requestId !== undefined);
  });

  for (const style of clientStyles) {
    it(`streams an answer, its usage, and its end (${style})`, async () => {
      const parts = await gather(
        clientOf(service.origin, key).streamChat(style, ask("Hello /long 3000"), never),
      );
      assert.ok(textOf(parts).length >= 3000);
      assert.ok(parts.some((part) => part.type === "usage" && (part.usage.outputTokens ?? 0) > 0));
      assert.ok(parts.some((part) => part.type === "finish" && part.reason === "stop"));
    });

    it(`reads the same text without streaming (${style})`, async () => {
      const client = clientOf(service.origin, key);
      const streamed = await gather(client.streamChat(style, ask("Hello /rich"), never));
      const whole = await client.complete(style, { ...ask("Hello /rich"), stream: false }, never);
      assert.equal(textOf(whole.value), textOf(streamed));
    });

    it(`reports that the answer was cut off at its token limit (${style})`, async () => {
      const parts = await gather(
        clientOf(service.origin, key).streamChat(style, ask("Hello /long 3000", 1), never),
      );
      assert.ok(parts.some((part) => part.type === "finish" && part.reason === "length"));
    });

    it(`aborts the request without an error, and the service sees the abort (${style})`, async () => {
      const stopping = new AbortController();
      const signal = AbortSignal.timeout(45_000);
      let text = "";
      for await (const parts of clientOf(service.origin, key).streamChat(
        style,
        ask("/long 9000 /pace 20"),
        stopping.signal,
      )) {
        text += textOf(parts);
        if (text.length > 20) stopping.abort();
      }
      const entry = await service.journal.next(({ state }) => state === "aborted", signal);
      assert.ok(entry.piecesSent < 200);
      assert.equal(records.at(-1)?.failure, "cancelled");
    });

    it(`finishes an arriving answer when the transport is closed (${style})`, async () => {
      const own = createUndiciTransport({ strictCertificates: true });
      const client = createTestClient({ transport: own, origin: service.origin, key });
      const parts: StreamPart[] = [];
      let closing: Promise<void> | undefined;
      for await (const batch of client.streamChat(style, ask("/long 600 /pace 2"), never)) {
        closing ??= own.close();
        parts.push(...batch);
      }
      await closing;
      assert.ok(parts.some((part) => part.type === "finish"));
      assert.ok(textOf(parts).length >= 600);
    });

    it(`closes the request if the reader stops early (${style})`, async () => {
      for await (const parts of clientOf(service.origin, key).streamChat(
        style,
        ask("/long 9000 /pace 20"),
        never,
      )) {
        if (parts.length > 0) break;
      }
      await service.journal.next(({ state }) => state === "aborted", AbortSignal.timeout(45_000));
      assert.equal(records.length, 1);
    });
  }

  it("records each request once, without the key and without text", async () => {
    const client = clientOf(service.origin, key);
    await client.listModels(never);
    await gather(client.streamChat("messages", ask("a secret plan"), never));
    assert.deepEqual(
      records.map(({ method, path, status }) => [method, path, status]),
      [
        ["GET", "/v1/models", 200],
        ["POST", "/v1/messages", 200],
      ],
    );
    assert.ok(records.every(({ requestId, milliseconds }) => requestId !== undefined && milliseconds > 0));
    assert.ok((records[1]?.usage?.outputTokens ?? 0) > 0);
    assert.ok(!JSON.stringify(records).includes(key) && !JSON.stringify(records).includes("secret plan"));
  });

  it("sends the documented headers, but no x-api-key and no cookie", async () => {
    await gather(clientOf(service.origin, key).streamChat("messages", ask("x"), never));
    const [entry] = service.journal.entries;
    const names = new Set(entry?.headerNames);
    for (const name of ["authorization", "anthropic-version", "user-agent", "content-type", "accept"]) {
      assert.ok(names.has(name), name);
    }
    assert.ok(!names.has("x-api-key") && !names.has("cookie"));
  });

  it("reports a refusal with its status and request ID but without the key", async () => {
    const wrong = fakeKey("wrong");
    const failure = await failureOf(clientOf(service.origin, wrong).listModels(never));
    assert.ok(failure.kind === "refused");
    assert.equal(failure.status, 401);
    assert.ok(failure.requestId !== undefined);
    assert.ok(!JSON.stringify(failure).includes(wrong));
    assert.equal(records[0]?.failure, "refused");
  });

  it("sends nothing if the key belongs to another origin", async () => {
    const keyOrigin = "https://other.example";
    const client = createTestClient({ transport, origin: service.origin, key, keyOrigin });
    assert.equal((await failureOf(client.listModels(never))).kind, "key-seal");
    assert.equal(service.journal.entries.length, 0);
  });
});

describe("InferenceClient with other servers", () => {
  let server: PlainServer;
  const key = fakeKey("stray");

  beforeEach(async () => {
    server = await startPlainServer();
  });
  afterEach(async () => {
    await server.close();
  });
  after(() => transport.close());

  it("never follows a redirect, and reports its target", async () => {
    server.answer = (_request, response) => {
      response.writeHead(307, { location: "https://elsewhere.example/v1/models" }).end();
    };
    const failure = await failureOf(clientOf(server.origin, key).listModels(never));
    assert.ok(failure.kind === "redirect");
    assert.equal(failure.location, "https://elsewhere.example/v1/models");
    assert.equal(server.requests, 1);
  });

  it("distinguishes a web page, an empty answer, and garbage", async () => {
    const kinds: string[] = [];
    for (const body of ["<!doctype html><p>Hello", "", "garbage ".repeat(9)]) {
      server.answer = (_request, response) => void response.end(body);
      const failure = await failureOf(
        gather(clientOf(server.origin, key).streamChat("messages", ask("x"), never)),
      );
      assert.ok(failure.kind === "unreadable");
      kinds.push(failure.bodyKind);
    }
    assert.deepEqual(kinds, ["html", "empty", "text"]);
  });

  it("stops reading 10 MB of garbage early", async () => {
    let sent = 0;
    server.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        if (sent >= 10 * 1024 * 1024) return void response.end();
        sent += 65_536;
        response.write("x".repeat(65_536), () => void setImmediate(more));
      };
      more();
    };
    const failure = await failureOf(
      gather(clientOf(server.origin, key).streamChat("chat-completions", ask("x"), never)),
    );
    assert.equal(failure.kind, "unreadable");
    assert.ok(sent < 5 * 1024 * 1024, `${sent} bytes were sent`);
  });

  it("redacts the key in a server's text", async () => {
    server.answer = (request, response) => {
      const message = `Invalid ${request.headers.authorization ?? ""}`;
      response
        .writeHead(401, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message } }));
    };
    const failure = await failureOf(clientOf(server.origin, key).listModels(never));
    assert.ok(failure.kind === "refused");
    assert.match(failure.error.message ?? "", /\[API key\]/);
    assert.ok(!JSON.stringify(failure).includes(key));
  });

  it("redacts the key in the request ID of a success or a refusal", async () => {
    const echo = { "x-request-id": `req-${key}`, "content-type": "application/json" };
    server.answer = (_request, response) => void response.writeHead(401, echo).end("{}");
    const failure = await failureOf(clientOf(server.origin, key).listModels(never));
    server.answer = (_request, response) => {
      response
        .writeHead(200, echo)
        .end(JSON.stringify({ choices: [{ message: { content: "hi" }, finish_reason: "stop" }] }));
    };
    const parts = await gather(clientOf(server.origin, key).streamChat("chat-completions", ask("x"), never));
    for (const shown of [failure, parts, records]) assert.ok(!JSON.stringify(shown).includes(key));
    assert.ok(parts.some((part) => part.type === "request-id" && part.requestId === "req-[API key]"));
  });

  it("uses the first request ID of the body that can be shown, unless a header has one", async () => {
    const ids = ["a\nb", "x".repeat(100_000), " req-1 ", "req-2", 7];
    const events = ids.map(
      (id) => `data: ${JSON.stringify({ request_id: id, choices: [{ delta: { content: "a" } }] })}\n\n`,
    );
    for (const [headers, expected] of [
      [{}, "req-1"],
      [{ "x-request-id": "req-0" }, "req-0"],
    ] as const) {
      for (const body of [
        [...events, "data: [DONE]\n\n"].join(""),
        JSON.stringify({ content: [], request_id: "req-1" }),
      ]) {
        const style = body.startsWith("{") ? "messages" : "chat-completions";
        server.answer = (_request, response) => void response.writeHead(200, headers).end(body);
        const parts = await gather(clientOf(server.origin, key).streamChat(style, ask("x"), never));
        const told = parts.flatMap((part) => (part.type === "request-id" ? [part.requestId] : []));
        assert.deepEqual(told, [expected]);
        assert.equal(records.at(-1)?.requestId, expected);
      }
    }
    const odd = { choices: [{ message: { content: "a" } }], request_id: "a\nb" };
    server.answer = (_request, response) => void response.end(JSON.stringify(odd));
    const { value, requestId } = await clientOf(server.origin, key).complete(
      "chat-completions",
      ask("x"),
      never,
    );
    assert.deepEqual([requestId, value.map(({ type }) => type)], [undefined, ["text-delta", "finish"]]);
  });

  it("reads a compressed answer", async () => {
    server.answer = (_request, response) => {
      const body = JSON.stringify({ data: [{ id: "one" }] });
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(body));
    };
    const { value } = await clientOf(server.origin, key).listModels(never);
    assert.deepEqual(
      value.map(({ id }) => id),
      ["one"],
    );
  });

  it("lists all pages, and stops if the cursor repeats", async () => {
    const pages: Record<string, unknown> = {
      "/v1/models": { data: [{ id: "a" }], has_more: true, last_id: "a" },
      "/v1/models?after_id=a": { data: [{ id: "b" }], has_more: true, last_id: "a" },
    };
    server.answer = (request, response) => void response.end(JSON.stringify(pages[request.url ?? ""]));
    const { value } = await clientOf(server.origin, key).listModels(never);
    assert.deepEqual(
      value.map(({ id }) => id),
      ["a", "b"],
    );
    assert.equal(server.requests, 2);
  });

  it("keeps the text that arrived before the connection broke", async () => {
    server.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"choices":[{"delta":{"content":"half"}}]}\n\n', () => void response.destroy());
    };
    const texts: string[] = [];
    const failure = await failureOf(
      (async () => {
        for await (const parts of clientOf(server.origin, key).streamChat(
          "chat-completions",
          ask("x"),
          never,
        )) {
          texts.push(textOf(parts));
        }
      })(),
    );
    assert.equal(failure.kind, "interrupted");
    assert.equal(texts.join(""), "half");
  });

  it("reports a refused connection", async () => {
    const { origin } = server;
    await server.close();
    const failure = await failureOf(clientOf(origin, key).listModels(never));
    assert.ok(failure.kind === "network");
    assert.equal(failure.code, "ECONNREFUSED");
    assert.equal(records.at(-1)?.isUnconnected, true);
  });

  it("times out if no headers arrive in time", async () => {
    server.answer = () => undefined;
    const limits = { ...testLimits, headersMs: 200 };
    const onCall = (record: CallRecord): void => void records.push(record);
    const client = createTestClient({ transport, origin: server.origin, key, limits, onCall });
    assert.deepEqual(await failureOf(client.listModels(never)), { kind: "timeout", phase: "headers" });
    assert.equal(records.at(-1)?.isUnconnected, undefined);
  });
});
