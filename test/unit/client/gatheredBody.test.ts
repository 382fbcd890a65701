import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { gathered } from "../../../src/client/gatheredBody.ts";
import { readThrown } from "../../../src/client/thrown.ts";
import { createUndiciTransport } from "../../../src/client/undiciTransport.ts";
import { type PlainServer, startPlainServer } from "./plainServer.ts";
import { getRequest, testLimits } from "./requests.ts";

/** Milliseconds: longer than any test may take. */
const endless = 600_000;

describe("a body that is gathered", () => {
  it("is handed on in one piece where all of it comes within a pause", async () => {
    const body = new PassThrough();
    for (const text of ["one ", "two ", "three"]) body.write(text);
    body.end();
    assert.deepEqual(await piecesOf(gathered(body, () => endless)), ["one two three"]);
  });

  it("is handed on piece by piece without a pause", async () => {
    const body = new PassThrough();
    const reader = gathered(body, () => 0);
    for (const text of ["one", "two"]) {
      const next = reader.next();
      body.write(text);
      assert.equal(String((await next).value), text);
    }
    body.end();
    assert.equal((await reader.next()).done, true);
  });

  it("asks for each pause anew, and ends it in time", async () => {
    const body = new PassThrough();
    const pauses = [5, 0];
    const reader = gathered(body, () => pauses.shift() ?? assert.fail("nothing else has come"));
    for (const text of ["one", "two"]) {
      body.write(text);
      assert.equal(String((await reader.next()).value), text);
    }
    assert.deepEqual(pauses, []);
  });

  it("holds no more than so much, and the sender back meanwhile", async () => {
    const body = new PassThrough();
    const reader = gathered(body, () => endless);
    const next = reader.next();
    const piece = Buffer.alloc(64 * 1024, "a");
    let written = 0;
    while (body.write(piece)) written += piece.length;
    for (; written < 4 * 1024 * 1024; written += piece.length) body.write(piece);
    const { value } = await next;
    assert.ok(value instanceof Uint8Array);
    assert.ok(value.length >= 256 * 1024 && value.length <= 512 * 1024, `${value.length} bytes`);
    body.end();
    let rest = 0;
    for await (const more of reader) rest += more.length;
    assert.ok(value.length + rest >= written, `${value.length + rest} bytes of ${written}`);
  });

  it("hands on what came ahead of an error, whatever the pause", async () => {
    const body = new PassThrough();
    const reader = gathered(body, () => endless);
    const next = reader.next();
    body.write("all there is");
    body.destroy(new Error("broken"));
    assert.equal(String((await next).value), "all there is");
    await assert.rejects(reader.next(), /broken/);
  });
});

describe("a request whose answer is gathered", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  let server: PlainServer;

  before(async () => {
    server = await startPlainServer();
  });
  after(async () => {
    await transport.close();
    await server.close();
  });

  /** The answer to a request, and what the server answers with. */
  async function ask(signal = new AbortController().signal) {
    const answered = Promise.withResolvers<ServerResponse>();
    server.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      answered.resolve(response);
    };
    const request = { ...getRequest(server.origin), gatherMs: () => endless };
    const { body } = await transport.send(request, testLimits, signal);
    return { body, response: await answered.promise };
  }

  it("keeps what came before the connection was closed", async () => {
    const { body, response } = await ask();
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const piece of body) pieces.push(Buffer.from(piece).toString());
    })();
    await new Promise<void>((resolve) => void response.write("data: 2\n\n", () => resolve()));
    response.destroy();
    const failure = await reading.then(
      () => assert.fail("it was cut"),
      (error: unknown) => readThrown(error),
    );
    assert.equal(failure.kind, "network");
    assert.equal(pieces.join(""), "data: 1\n\ndata: 2\n\n");
  });

  it("ends at once where the user stops it", async () => {
    const stopping = new AbortController();
    const { body, response } = await ask(stopping.signal);
    const closed = once(response, "close");
    const reading = piecesOf(body);
    stopping.abort();
    await assert.rejects(reading, { name: "AbortError" });
    await closed;
  });

  it("closes the connection where its reader leaves, and the next one works", async () => {
    const { body, response } = await ask();
    const closed = once(response, "close");
    response.write(Buffer.alloc(1024 * 1024));
    for await (const _piece of body) break;
    await closed;
    const next = await ask();
    next.response.end("data: 2\n\n");
    assert.equal((await piecesOf(next.body)).join(""), "data: 1\n\ndata: 2\n\n");
  });
});

async function piecesOf(body: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece).toString());
  return pieces;
}
