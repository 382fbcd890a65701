import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { constants, createGzip } from "node:zlib";
import {
  maxBarrenBytes,
  maxErrorBytes,
  maxJsonBytes,
  maxListBytes,
} from "../../../../src/client/http/body.ts";
import { causeOf } from "../../../../src/client/failure/causeOf.ts";
import { createEditorTransport } from "../../../../src/client/transport/editorTransport.ts";
import { type Failure, FailureError } from "../../../../src/client/failure/failure.ts";
import type { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import type { TimeLimits } from "../../../../src/client/http/transport.ts";
import { maxHeaderSize } from "../../../../src/client/transport/undiciAgent.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import type { ChatRequest } from "../../../../src/protocol/conversation/conversation.ts";
import { maxModels } from "../../../../src/protocol/decode/modelList.ts";
import { maxEventCharacters } from "../../../../src/protocol/decode/serverSentEvents.ts";
import { fakeKey } from "../../service/fixture.ts";
import { MockClock } from "./mockClock.ts";
import { type PlainServer, startPlainServer } from "../transport/plainServer.ts";
import { testLimits } from "./requests.ts";
import { createTestClient } from "../request/testClient.ts";
import { failed } from "../../../support/failed.ts";

const megabyte = 1024 * 1024;
/** Maximum number of bytes in the buffers of sockets and pipes: sent but not read. */
const inTransit = 12 * megabyte;
const patient = { ...testLimits, idleMs: 60_000, totalMs: 60_000 };
const never = new AbortController().signal;
const request: ChatRequest = {
  model: "service-core",
  messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
  maxTokens: 100,
  stream: true,
};
const eventStream = { "content-type": "text/event-stream" };
const hello = 'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n';

/** Writes the piece again and again until the connection closes, and counts the bytes. */
class Flood {
  sent = 0;
  readonly #piece: string;

  constructor(piece: string) {
    this.#piece = piece.repeat(Math.ceil(65_536 / piece.length));
  }

  async pour(response: ServerResponse): Promise<void> {
    const closed = once(response, "close");
    while (!response.destroyed) {
      this.sent += this.#piece.length;
      if (!response.write(this.#piece)) await Promise.race([once(response, "drain"), closed]);
    }
  }
}

/** Asserts that the failure has this cause and explanation. */
function assertExplained(failure: Failure | undefined, cause: string, explanation: RegExp): void {
  assert.ok(failure !== undefined);
  assert.equal(causeOf(failure), cause, JSON.stringify(failure));
  assert.match(diagnose(failed(failure), {}, createTranslate()).explanation, explanation);
}

for (const [name, transport] of [
  ["undici", createUndiciTransport({ strictCertificates: true })],
  ["VS Code's fetch", createEditorTransport((url, options) => fetch(url, options))],
] as const) {
  describe(`reading an answer with ${name}`, () => {
    let server: PlainServer;

    before(async () => {
      server = await startPlainServer();
    });
    after(async () => {
      await transport.close();
      await server.close();
    });

    function client(limits: TimeLimits = { ...testLimits, totalMs: 60_000 }): InferenceClient {
      return createTestClient({ transport, origin: server.origin, key: fakeKey("limits"), limits });
    }

    async function ask(
      answer: RequestListener,
      limits?: TimeLimits,
    ): Promise<{ readonly text: string; readonly failure?: Failure }> {
      server.answer = answer;
      let text = "";
      try {
        for await (const parts of client(limits).streamChat("chat-completions", request, never)) {
          for (const part of parts) if (part.type === "text-delta") text += part.text;
        }
      } catch (error) {
        assert.ok(error instanceof FailureError, String(error));
        return { text, failure: error.failure };
      }
      return { text };
    }

    it("rejects headers that are too large", async () => {
      const { failure } = await ask((_request, response) => {
        response.writeHead(200, { "x-padding": "x".repeat(maxHeaderSize) }).end();
      });
      assertExplained(failure, "server-error", /response headers are too large/);
    });

    it("cuts off an endless line or event, and keeps the text before it", async () => {
      for (const [start, more] of [
        ["data: ", "x"],
        ["", "data: xxxxxxxxxxxxxxxxxxxxxxxx\n"],
      ] as const) {
        const flood = new Flood(more);
        const { text, failure } = await ask((_request, response) => {
          response.writeHead(200, eventStream).write(`${hello}${start}`);
          void flood.pour(response);
        });
        assert.equal(text, "Hello");
        assertExplained(failure, "server-error", /response was too large and was cut off/);
        assert.ok(flood.sent < 2 * maxEventCharacters + inTransit, `${flood.sent} bytes`);
      }
    });

    it("cuts off endless comments, empty lines, or events without parts", async () => {
      for (const more of [": keep-alive\n\n", "\n", 'data: {"choices":[]}\n\n']) {
        const flood = new Flood(more);
        const { failure } = await ask((_request, response) => {
          response.writeHead(200, eventStream);
          void flood.pour(response);
        });
        assertExplained(failure, "server-error", /response was too large and was cut off/);
        assert.ok(flood.sent < maxBarrenBytes + inTransit, `${flood.sent} bytes`);
      }
    });

    it("cuts off endless JSON", async () => {
      const flood = new Flood("0,");
      const { failure } = await ask((_request, response) => {
        response.writeHead(200, { "content-type": "application/json" }).write("[");
        void flood.pour(response);
      });
      assertExplained(failure, "server-error", /response was too large and was cut off/);
      assert.ok(flood.sent < maxJsonBytes + inTransit, `${flood.sent} bytes`);
    });

    it("keeps a refusal's status if its body is endless, breaks off, or never arrives", async () => {
      const flood = new Flood("x");
      const bodies: readonly ((response: ServerResponse) => void)[] = [
        (response) => void flood.pour(response),
        (response) => void response.write("half", () => response.destroy()),
        (response) => response.flushHeaders(),
      ];
      for (const body of bodies) {
        const { failure } = await ask(
          (_request, response) => {
            response.writeHead(503);
            body(response);
          },
          { ...patient, closingMs: 100 },
        );
        assert.ok(failure?.kind === "refused" && failure.status === 503, JSON.stringify(failure));
      }
      assert.ok(flood.sent < maxErrorBytes + inTransit, `${flood.sent} bytes`);
    });

    it("counts a compressed body by its decompressed size", async () => {
      let sent = 0;
      const { failure } = await ask((_request, response) => {
        response.writeHead(200, { ...eventStream, "content-encoding": "gzip" });
        const zip = createGzip({ flush: constants.Z_SYNC_FLUSH });
        zip.on("data", (piece: Buffer) => (sent += piece.length));
        zip.pipe(response);
        const zeros = Buffer.alloc(megabyte, 0x20);
        const pour = (): void => {
          if (!response.destroyed) zip.write(zeros, pour);
        };
        zip.write("data: ", pour);
      });
      assertExplained(failure, "server-error", /response was too large and was cut off/);
      assert.ok(sent < megabyte, `${sent} bytes were sent`);
    });

    it("fails as interrupted if the connection breaks after the headers", async () => {
      const { failure } = await ask((_request, response) => {
        response.writeHead(200, eventStream).write(": keep-alive\n\n", () => response.destroy());
      });
      assert.equal(failure?.kind, "interrupted");
    });

    it("times out if the service sends only keep-alive comments", async () => {
      const { failure } = await ask(
        (_request, response) => {
          response.writeHead(200, eventStream);
          const beat = setInterval(() => response.write(": keep-alive\n\n"), 10);
          response.on("close", () => clearInterval(beat));
        },
        { ...testLimits, totalMs: 200 },
      );
      assert.deepEqual(failure, { kind: "timeout", phase: "total" });
      assertExplained(failure, "timeout", /wasn't complete in time/);
    });

    it("doesn't cut off a stream that keeps sending text, however long", async () => {
      using clock = new MockClock();
      const { text, failure } = await ask(
        (_request, response) => {
          response.writeHead(200, eventStream);
          let count = 0;
          const beat = setInterval(() => {
            clock.tick(40);
            response.write(hello);
            count += 1;
            if (count < 12) return;
            clearInterval(beat);
            response.end("data: [DONE]\n\n");
          }, 40);
        },
        { ...testLimits, totalMs: 300 },
      );
      assert.equal(failure, undefined);
      assert.equal(text, "Hello".repeat(12));
    });

    it("does not wait for a connection to close after the answer's end", async () => {
      for (const end of ['data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n', "data: [DONE]\n\n"]) {
        const { text, failure } = await ask(
          (_request, response) => {
            response.writeHead(200, eventStream);
            response.write(`${hello}${end}`);
          },
          { ...patient, closingMs: 50 },
        );
        assert.deepEqual({ text, failure }, { text: "Hello", failure: undefined });
      }
    });

    it("limits the number of models of all pages together", async () => {
      server.answer = (asked, response) => {
        const page = Number(URL.parse(asked.url ?? "", server.origin)?.searchParams.get("after_id") ?? 0) + 1;
        const data = Array.from({ length: 2000 }, (_, number) => `model-${page}-${number}`);
        response.end(JSON.stringify({ data, has_more: true, last_id: String(page) }));
      };
      const before = server.requests;
      const { value } = await client().listModels(never);
      assert.equal(value.length, maxModels);
      assert.equal(server.requests, before + 3);
    });

    it("limits the number, bytes, and time of all pages of a model list together", async () => {
      const answerPages = (filler: string): void => {
        server.answer = (asked, response) => {
          const page =
            Number(URL.parse(asked.url ?? "", server.origin)?.searchParams.get("after_id") ?? 0) + 1;
          const data = [{ id: `model-${page}`, filler }];
          response.end(JSON.stringify({ data, has_more: true, last_id: String(page) }));
        };
      };
      const before = server.requests;
      answerPages("");
      const { value } = await client().listModels(never);
      assert.equal(value.length, 51);
      assert.equal(server.requests, before + 51);

      const failureOf = async (limits?: TimeLimits): Promise<Failure> => {
        const error: unknown = await client(limits)
          .listModels(never)
          .catch((thrown: unknown) => thrown);
        assert.ok(error instanceof FailureError, String(error));
        return error.failure;
      };
      answerPages("x".repeat(4 * megabyte));
      assertExplained(await failureOf(), "server-error", /response was too large and was cut off/);
      assert.equal(server.requests, before + 51 + maxListBytes / (4 * megabyte));

      const list = server.answer;
      answerPages("");
      const quick = server.answer;
      server.answer = (...call) => void setTimeout(quick, 60, ...call);
      assert.deepEqual(await failureOf({ ...testLimits, totalMs: 200 }), { kind: "timeout", phase: "total" });
      server.answer = list;
    });
  });
}
