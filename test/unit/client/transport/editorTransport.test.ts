import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createEditorTransport } from "../../../../src/client/transport/editorTransport.ts";
import { FailureError } from "../../../../src/client/failure/failure.ts";
import { toFailure } from "../../../../src/client/failure/toFailure.ts";
import { MockClock } from "../http/mockClock.ts";
import { type PlainServer, startPlainServer } from "./plainServer.ts";
import { getRequest, testKey, testLimits, textOf } from "../http/requests.ts";

const never = new AbortController().signal;

describe("VS Code's transport", () => {
  let server: PlainServer;
  const transport = createEditorTransport((url, options) => fetch(url, options));

  before(async () => {
    server = await startPlainServer();
  });
  after(async () => {
    await transport.close();
    await server.close();
  });

  it("sends the request without accepting compression, and returns status, headers, and body", async () => {
    server.answer = (request, response) => {
      const { method, headers } = request;
      response.writeHead(201, { "x-request-id": "r1" });
      request.on("data", (body) => response.write(`${String(body)} `));
      request.on("end", () =>
        response.end(`${method} ${headers["accept-encoding"]} ${headers.authorization}`),
      );
    };
    const request = { ...getRequest(server.origin), method: "POST", body: "body" } as const;
    const response = await transport.send(request, testLimits, never);
    assert.equal(response.status, 201);
    assert.equal(response.headers["x-request-id"], "r1");
    assert.equal(await textOf(response), `body POST identity Bearer ${testKey}`);
  });

  it("doesn't follow a redirect", async () => {
    const before = server.requests;
    server.answer = (_request, response) =>
      void response.writeHead(302, { location: `${server.origin}/elsewhere` }).end();
    const response = await transport.send(getRequest(server.origin), testLimits, never);
    assert.equal(response.status, 302);
    assert.equal(response.headers["location"], `${server.origin}/elsewhere`);
    await textOf(response);
    assert.equal(server.requests, before + 1);
  });

  it("stops waiting for the headers when it is aborted", async () => {
    const stopping = new AbortController();
    server.answer = () => stopping.abort();
    await assert.rejects(transport.send(getRequest(server.origin), testLimits, stopping.signal), {
      name: "AbortError",
    });
  });

  it("keeps its time limits if fetch ignores its signal, and discards a late response", async () => {
    const limits = { ...testLimits, connectMs: 50, headersMs: 50 };
    const unheard: unknown[] = [];
    const note = (reason: unknown): number => unheard.push(reason);
    process.on("unhandledRejection", note);
    for (const isStopped of [true, false]) {
      const coming = Promise.withResolvers<Response>();
      const cancelled = Promise.withResolvers<void>();
      const deaf = createEditorTransport(() => coming.promise);
      const stopping = new AbortController();
      const sent = deaf.send(getRequest(server.origin), limits, stopping.signal);
      if (isStopped) stopping.abort();
      await assert.rejects(sent, (error) => {
        const { kind } = toFailure(error);
        assert.equal(kind, isStopped ? "cancelled" : "timeout");
        return true;
      });
      // An error while canceling the late response must not be reported either.
      const cancel = (): Promise<void> => Promise.reject(new Error("late")).finally(cancelled.resolve);
      coming.resolve(new Response(new ReadableStream({ cancel })));
      await cancelled.promise;
    }
    const late = Promise.withResolvers<Response>();
    const sent = createEditorTransport(() => late.promise).send(getRequest(server.origin), limits, never);
    await assert.rejects(sent);
    late.reject(new TypeError("fetch failed"));
    let asked = 0;
    const none = createEditorTransport(() => {
      asked += 1;
      return Promise.reject(new Error("asked"));
    });
    await assert.rejects(none.send(getRequest(server.origin), limits, AbortSignal.abort()), {
      name: "AbortError",
    });
    assert.equal(asked, 0);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    assert.deepEqual(unheard, []);
  });

  it("closes the socket if the reader stops early or aborts", async () => {
    for (const leave of [true, false]) {
      const stopping = new AbortController();
      let closed: Promise<unknown> | undefined;
      server.answer = (request, response) => {
        closed = once(request.socket, "close");
        response.write("piece");
      };
      const { body } = await transport.send(getRequest(server.origin), testLimits, stopping.signal);
      const read = async (): Promise<void> => {
        for await (const _piece of body) {
          if (leave) return;
          stopping.abort();
        }
      };
      if (leave) await read();
      else await assert.rejects(read(), { name: "AbortError" });
      await closed;
    }
  });

  it("times out before the headers and between two chunks", async () => {
    const limits = { ...testLimits, connectMs: 50, headersMs: 50, idleMs: 50 };
    server.answer = () => undefined;
    await assert.rejects(transport.send(getRequest(server.origin), limits, never), (error) => {
      assert.deepEqual(toFailure(error), { kind: "timeout", phase: "headers" });
      return true;
    });
    server.answer = (_request, response) => void response.write("piece");
    const response = await transport.send(getRequest(server.origin), { ...limits, headersMs: 3000 }, never);
    await assert.rejects(textOf(response), (error) => {
      assert.deepEqual(toFailure(error), { kind: "timeout", phase: "idle" });
      return true;
    });
  });

  it("doesn't count the reader's time toward the idle limit", async () => {
    const goingOn = Promise.withResolvers<void>();
    using clock = new MockClock();
    const goOn = async (response: ServerResponse): Promise<void> => {
      await goingOn.promise;
      clock.tick(399);
      response.end("two");
    };
    server.answer = (_request, response) => {
      response.write("one");
      void goOn(response);
    };
    const limits = { ...testLimits, idleMs: 400 };
    const { body } = await transport.send(getRequest(server.origin), limits, never);
    let text = "";
    for await (const piece of body) {
      text += new TextDecoder().decode(piece);
      // Longer than the limit, but the limit starts again at the next read.
      if (text === "one") clock.tick(600);
      // Lets the server continue after the next read has begun.
      setImmediate(goingOn.resolve);
    }
    assert.equal(text, "onetwo");
  });

  it("keeps the key out of its errors", async () => {
    const bad = { ...getRequest(server.origin), headers: { authorization: `Bearer ${testKey}\n\u200b` } };
    await assert.rejects(transport.send(bad, testLimits, never), (error) => {
      assert.ok(error instanceof FailureError);
      assert.deepEqual(error.failure, { kind: "key", cause: "malformed-key" });
      assert.ok(!`${error.message} ${error.stack} ${String(error.cause)}`.includes(testKey));
      return true;
    });
  });

  it("sends nothing after it was closed", async () => {
    const closed = createEditorTransport((url, options) => fetch(url, options));
    await closed.close();
    const before = server.requests;
    await assert.rejects(closed.send(getRequest(server.origin), testLimits, never), { name: "AbortError" });
    assert.equal(server.requests, before);
  });
});
