import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { NotConnectedError, toFailure } from "../../../../src/client/failure/toFailure.ts";
import type { TimeLimits, Transport } from "../../../../src/client/http/transport.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import type { NetworkSettings } from "../../../../src/client/transport/undiciTransport.ts";
import { openBlackHole } from "../../../faults/wire/blackHole.ts";
import { makeCertificates } from "./certificates.ts";
import type { Certificate, Certificates } from "./certificates.ts";
import { startConnectProxy } from "./connectProxy.ts";
import type { ConnectProxy } from "./connectProxy.ts";
import { startPlainServer } from "./plainServer.ts";
import type { PlainServer } from "./plainServer.ts";
import { getRequest, testKey, testLimits, textOf } from "../http/requests.ts";

const never = new AbortController().signal;
const host = "service.example";

async function withTransport<T>(
  settings: Partial<NetworkSettings>,
  work: (transport: Transport) => Promise<T>,
): Promise<T> {
  const transport = createUndiciTransport({ strictCertificates: true, ...settings });
  try {
    return await work(transport);
  } finally {
    await transport.close();
  }
}

function sendBy(settings: Partial<NetworkSettings>, url: string, limits: TimeLimits = testLimits) {
  return withTransport(settings, async (transport) => {
    const response = await transport.send(getRequest(url), limits, never);
    return { status: response.status, text: await textOf(response) };
  });
}

/** Returns the failure of a request that was never sent. */
async function unconnected(settings: Partial<NetworkSettings>, url: string, limits?: TimeLimits) {
  try {
    await sendBy(settings, url, limits);
  } catch (error) {
    assert.ok(error instanceof NotConnectedError, String(error));
    assert.ok(!JSON.stringify([error.message, error.failure, error.stack]).includes(testKey));
    return toFailure(error);
  }
  assert.fail("nothing was thrown");
}

describe("the closed undici transport", () => {
  it("sends nothing, even if it was closed before its first request", async () => {
    const server = await startPlainServer();
    const transport = createUndiciTransport({ strictCertificates: true });
    await transport.close();
    const sent = transport.send(getRequest(server.origin), testLimits, never);
    await assert.rejects(sent, { name: "AbortError" });
    assert.equal(server.requests, 0);
    await server.close();
  });
});

async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  for await (const piece of body) yield Buffer.from(piece).toString();
}

describe("the body of an answer from the undici transport", () => {
  let transport: Transport;
  let server: PlainServer;

  beforeEach(async () => {
    transport = createUndiciTransport({ strictCertificates: true });
    server = await startPlainServer();
  });
  afterEach(async () => {
    await transport.close();
    await server.close();
  });

  /** Sends a request. Returns the arriving chunks and the server's response. */
  async function ask(signal = never) {
    const answered = Promise.withResolvers<ServerResponse>();
    server.answer = (_request, response) => {
      response.write("one ");
      answered.resolve(response);
    };
    const { body } = await transport.send(getRequest(server.origin), testLimits, signal);
    return { pieces: piecesOf(body), response: await answered.promise };
  }

  it("keeps the last bytes when the connection breaks before they are read", async () => {
    const { pieces, response } = await ask();
    assert.equal((await pieces.next()).value, "one ");
    await new Promise<void>((resolve) => void response.write("two", () => resolve()));
    response.destroy();
    // Resolves when undici has finished the answer.
    await transport.close();
    assert.equal((await pieces.next()).value, "two");
    await assert.rejects(pieces.next(), (error) => toFailure(error).kind === "network");
  });

  it("ends at once when it is aborted", async () => {
    const stopping = new AbortController();
    const { pieces, response } = await ask(stopping.signal);
    const closed = once(response, "close");
    assert.equal((await pieces.next()).value, "one ");
    const next = pieces.next();
    stopping.abort();
    await assert.rejects(next, { name: "AbortError" });
    await closed;
  });

  it("closes the connection if the reader stops early, and the next request works", async () => {
    const { pieces, response } = await ask();
    const closed = once(response, "close");
    response.write(Buffer.alloc(1024 * 1024));
    for await (const _piece of pieces) break;
    await closed;
    const next = await ask();
    next.response.end("two");
    assert.equal((await Array.fromAsync(next.pieces)).join(""), "one two");
  });
});

describe("the undici transport behind a proxy", () => {
  let server: PlainServer;
  let proxy: ConnectProxy;
  let guarded: ConnectProxy;
  const login = ["proxy", "login"].join(":");
  const authorization = `Basic ${Buffer.from(login).toString("base64")}`;

  before(async () => {
    server = await startPlainServer();
    server.answer = (_request, response) => void response.end("by tunnel");
    proxy = await startConnectProxy(new URL(server.origin));
    guarded = await startConnectProxy(new URL(server.origin), authorization);
  });
  after(() => Promise.all([proxy.close(), guarded.close(), server.close()]));

  it("uses the proxy of the setting", async () => {
    assert.deepEqual(await sendBy({ proxy: proxy.origin }, `http://${host}/a`), {
      status: 200,
      text: "by tunnel",
    });
    assert.equal(proxy.asked.at(-1), `${host}:80`);
  });

  it("uses the proxy of the environment", async () => {
    const before = proxy.asked.length;
    await sendBy({ environment: { http_proxy: proxy.origin } }, `http://${host}/a`);
    assert.equal(proxy.asked.length, before + 1);
  });

  it("uses no proxy for excepted hosts and this machine", async () => {
    const before = proxy.asked.length;
    assert.equal((await sendBy({ proxy: proxy.origin }, server.origin)).status, 200);
    const failure = await unconnected(
      { proxy: proxy.origin, noProxy: ["nowhere.invalid"] },
      "http://nowhere.invalid",
    );
    assert.equal(failure.kind, "network");
    assert.equal(proxy.asked.length, before);
  });

  it("logs in with the setting's authorization, or with the login of the URL", async () => {
    const settings = { proxy: guarded.origin, proxyAuthorization: authorization };
    assert.equal((await sendBy(settings, `http://${host}`)).status, 200);
    const url = guarded.origin.replace("//", `//${login}@`);
    assert.equal((await sendBy({ proxy: url }, `http://${host}`)).status, 200);
  });

  it("reports a proxy that requires a login, and sends nothing", async () => {
    const before = server.requests;
    const failure = await unconnected({ proxy: guarded.origin }, `http://${host}`);
    assert.ok(failure.kind === "proxy" && failure.status === 407, JSON.stringify(failure));
    assert.equal(server.requests, before);
  });

  it("reports an unreachable or unsupported proxy", async () => {
    const gone = await startPlainServer();
    await gone.close();
    assert.deepEqual(await unconnected({ proxy: gone.origin }, `http://${host}`), {
      kind: "proxy",
      code: "ECONNREFUSED",
    });
    assert.equal((await unconnected({ proxy: "socks5://127.0.0.1:1" }, `http://${host}`)).kind, "proxy");
  });

  it("gives up on a silent proxy after the connection's time limit", async () => {
    const silent = createTcpServer((socket) => void socket.on("error", () => socket.destroy()));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const address = silent.address();
    assert.ok(address !== null && typeof address === "object");
    const limits = { ...testLimits, connectMs: 300, headersMs: 60_000 };
    const started = performance.now();
    const failure = await unconnected({ proxy: `127.0.0.1:${address.port}` }, `http://${host}`, limits);
    assert.equal(failure.kind, "proxy");
    assert.ok(performance.now() - started < 30_000);
    silent.close();
  });

  it("doesn't report a request as unsent if it may have arrived", async () => {
    server.answer = (request) => void request.socket.destroy();
    await assert.rejects(
      sendBy({ proxy: proxy.origin }, `http://${host}`),
      (error) => !(error instanceof NotConnectedError) && toFailure(error).kind === "network",
    );
  });

  it("names the proxy only by its host", async () => {
    const url = guarded.origin.replace("//", `//${login}@`);
    await withTransport({ proxy: url }, async (transport) => {
      assert.equal(transport.routeFor(new URL(`http://${host}`)).proxy, guarded.host);
      assert.equal(transport.routeFor(new URL(server.origin)).proxy, undefined);
    });
  });
});

describe("the undici transport and its connections", () => {
  it("reuses the connection after a complete answer, even if the reader stops early", async () => {
    const server = await startPlainServer();
    const ports = new Set<number | undefined>();
    server.answer = ({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end("read me");
    };
    await withTransport({}, async (transport) => {
      for (let count = 0; count < 5; count += 1) {
        const response = await transport.send(getRequest(server.origin), testLimits, never);
        assert.equal(await textOf(response), "read me");
        const left = await transport.send(getRequest(server.origin), testLimits, never);
        for await (const _piece of left.body) break;
      }
    });
    await server.close();
    assert.equal(ports.size, 1);
  });
});

/** Aborts after 200 ms, and asserts that the request then rejects. */
async function abortSoon(transport: Transport, url: string): Promise<void> {
  const limits = { ...testLimits, connectMs: 30_000 };
  const started = performance.now();
  const sent = transport.send(getRequest(url), limits, AbortSignal.timeout(200));
  await assert.rejects(sent, { name: "TimeoutError" });
  assert.ok(performance.now() - started < 15_000);
}

describe("the undici transport aborted before it has connected", () => {
  it("rejects while it connects", async () => {
    await withTransport({}, async (transport) => {
      await using hole = await openBlackHole();
      await abortSoon(transport, `http://127.0.0.1:${hole.port}`);
    });
  });

  it("sends nothing if the connection is established later", async () => {
    let received = "";
    const [asked, closed] = [Promise.withResolvers<Socket>(), Promise.withResolvers<void>()];
    const proxy = createTcpServer((socket) => {
      socket.once("data", () => {
        asked.resolve(socket);
        socket.on("data", (bytes) => {
          received += bytes.toString();
        });
      });
      socket.on("error", () => socket.destroy()).on("close", () => closed.resolve());
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const address = proxy.address();
    assert.ok(address !== null && typeof address === "object");
    await withTransport({ proxy: `127.0.0.1:${address.port}` }, async (transport) => {
      await abortSoon(transport, `http://${host}`);
      (await asked.promise).write("HTTP/1.1 200 Connection Established\r\n\r\n");
    });
    await closed.promise;
    assert.equal(received, "");
    proxy.close();
  });
});

describe("the undici transport and certificates", () => {
  let certificates: Certificates;
  let proxy: ConnectProxy;
  let requests = 0;
  const closing: (() => unknown)[] = [];
  const server = createServer((_request, response) => {
    requests += 1;
    response.end("secure");
  });

  before(async () => {
    certificates = await makeCertificates();
    closing.push(() => certificates[Symbol.asyncDispose]());
    await once(server.listen(0, "127.0.0.1"), "listening");
    closing.push(() => server.close().closeAllConnections());
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    proxy = await startConnectProxy(new URL(`http://127.0.0.1:${address.port}`));
    closing.unshift(() => proxy.close());
  });
  beforeEach(() => {
    requests = 0;
  });
  after(async () => {
    for (const close of closing) await close();
  });

  const present = ({ key, cert }: Certificate): void => server.setSecureContext({ key, cert });

  /** Sends a request from a process in which this environment variable names the tests' authority. */
  async function sendFromTrusting(variable: string, store: "system" | "none"): Promise<unknown> {
    const environment = { PATH: process.env["PATH"], [variable]: certificates.authorityFile };
    const script = fileURLToPath(new URL("sendOnce.ts", import.meta.url));
    const words = [script, `https://${host}`, proxy.origin, store];
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: environment });
    return JSON.parse(stdout);
  }

  it("refuses a self-signed certificate before anything is sent", async () => {
    present(certificates.selfSigned);
    const failure = await unconnected({ proxy: proxy.origin }, `https://${host}`);
    assert.ok(
      failure.kind === "tls" && failure.code === "DEPTH_ZERO_SELF_SIGNED_CERT",
      JSON.stringify(failure),
    );
    assert.equal(requests, 0);
  });

  it("accepts a self-signed certificate if verification is off, and reports that", async () => {
    present(certificates.selfSigned);
    const settings = { proxy: proxy.origin, strictCertificates: false };
    assert.equal((await sendBy(settings, `https://${host}`)).text, "secure");
    await withTransport(settings, async (transport) => {
      assert.equal(transport.routeFor(new URL(`https://${host}`)).anyCertificate, true);
    });
  });

  it("trusts an authority of the system's store", async () => {
    present(certificates.signed);
    assert.deepEqual(await sendFromTrusting("SSL_CERT_FILE", "system"), { status: 200 });
  });

  it("ignores the system's store if the setting is off", async () => {
    present(certificates.signed);
    const failure = await sendFromTrusting("SSL_CERT_FILE", "none");
    assert.deepEqual(failure, { kind: "tls", code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
  });

  it("still trusts the certificates in NODE_EXTRA_CA_CERTS", async () => {
    present(certificates.signed);
    assert.deepEqual(await sendFromTrusting("NODE_EXTRA_CA_CERTS", "system"), { status: 200 });
  });

  it("reports an expired certificate", async () => {
    present(certificates.expired);
    assert.deepEqual(await sendFromTrusting("SSL_CERT_FILE", "system"), {
      kind: "tls",
      code: "CERT_HAS_EXPIRED",
    });
    assert.equal(requests, 0);
  });
});
