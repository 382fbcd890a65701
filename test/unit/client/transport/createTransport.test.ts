import assert from "node:assert/strict";
import { Readable } from "node:stream";
import {
  createTransport,
  createFallbackTransport,
} from "../../../../src/client/transport/createTransport.ts";
import { FailureError } from "../../../../src/client/failure/failure.ts";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { NotConnectedError, toFailure } from "../../../../src/client/failure/toFailure.ts";
import type { Transport, TransportChoice, Route } from "../../../../src/client/http/transport.ts";
import { startPlainServer } from "./plainServer.ts";
import type { PlainServer } from "./plainServer.ts";
import { getRequest, testKey, testLimits, textOf } from "../http/requests.ts";

const never = new AbortController().signal;

const unresolved = Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" });

/** A transport that adds its name to `asked` and fails. If its name is `undici`, it fails before anything is sent. */
function failing(route: Route, failure: Failure, asked: string[]): Transport {
  return {
    send: async () => {
      asked.push(route.transport);
      throw route.transport === "undici" ? new NotConnectedError(failure) : new FailureError(failure);
    },
    routeFor: () => route,
    close: async () => undefined,
  };
}

describe("the chosen transport", () => {
  let server: PlainServer;
  let fetched: string[];
  /** The origin of a stopped proxy. VS Code's fetch does not use it, as if a system proxy script said so. */
  let gone: string;
  /** The origin that VS Code's fetch reaches; undefined if it can't connect. */
  let editorsWay: string | undefined;
  let transport: Transport;
  const url = new URL("http://service.example/v1/models");

  function create(choice: TransportChoice, proxy = gone): Transport {
    return createTransport(choice, { strictCertificates: true, proxy }, async (asked, options) => {
      fetched.push(asked.href);
      if (editorsWay === undefined) throw new TypeError("fetch failed", { cause: unresolved });
      return fetch(new URL(asked.pathname, editorsWay), options);
    });
  }
  const ask = async (signal = never): Promise<string> =>
    textOf(await transport.send(getRequest(url), testLimits, signal));

  before(async () => {
    const closed = await startPlainServer();
    await closed.close();
    gone = closed.origin;
  });
  beforeEach(async () => {
    server = await startPlainServer();
    server.answer = (_request, response) => void response.end("answer");
    fetched = [];
    editorsWay = server.origin;
    transport = create("auto");
  });
  afterEach(async () => {
    await transport.close();
    await server.close();
  });

  it("falls back to VS Code's fetch if undici can't connect, and remembers that", async () => {
    assert.equal(transport.routeFor(url).transport, "undici");
    assert.equal(await ask(), "answer");
    assert.equal(fetched.length, 1);
    assert.equal(server.requests, 1);
    assert.equal(transport.routeFor(url).transport, "editor");
    assert.equal(transport.routeFor(new URL("http://other.example")).transport, "undici");
    assert.equal(await ask(), "answer");
    assert.equal(fetched.length, 2);
  });

  it("never sends requests for this machine with VS Code's fetch, which may use a proxy", async () => {
    for (const origin of [
      gone,
      gone.replace("127.0.0.1", "localhost"),
      gone.replace("127.0.0.1", "127.8.9.1"),
    ]) {
      await assert.rejects(transport.send(getRequest(new URL(origin)), testLimits, never));
    }
    assert.deepEqual(fetched, []);
  });

  it("begins with undici again after VS Code's fetch failed", async () => {
    await ask();
    editorsWay = undefined;
    await assert.rejects(ask());
    assert.equal(transport.routeFor(url).transport, "undici");
    assert.equal(fetched.length, 2);
  });

  it("reports undici's failure if neither transport connects", async () => {
    editorsWay = undefined;
    await assert.rejects(ask(), (error) => {
      assert.deepEqual(toFailure(error), { kind: "proxy", code: "ECONNREFUSED" });
      assert.ok(!`${String(error)} ${JSON.stringify(error)}`.includes(testKey));
      return true;
    });
    assert.equal(fetched.length, 1);
  });

  it("reports the failure of VS Code's fetch if it may have sent the request", async () => {
    server.answer = (request) => void request.socket.destroy();
    await assert.rejects(ask(), (error) => {
      assert.ok(!(error instanceof NotConnectedError));
      assert.equal(toFailure(error).kind, "network");
      return true;
    });
    assert.equal(server.requests, 1);
    for (const [second, isTold] of [
      [{ kind: "network", code: "ECONNRESET" }, true],
      [{ kind: "network", code: "UNKNOWN" }, true],
      [{ kind: "timeout", phase: "headers" }, true],
      [{ kind: "unknown", detail: "TypeError" }, true],
      [{ kind: "network", code: "ERR_NAME_NOT_RESOLVED" }, false],
      [{ kind: "network", code: "EAI_AGAIN" }, false],
      [{ kind: "timeout", phase: "connect" }, false],
      [{ kind: "tls", code: "CERT_HAS_EXPIRED" }, false],
      [{ kind: "proxy", code: "UNKNOWN" }, false],
    ] satisfies readonly (readonly [Failure, boolean])[]) {
      const first: Failure = { kind: "network", code: "ECONNREFUSED" };
      const own = failing({ transport: "undici", anyCertificate: false }, first, []);
      const editors = failing({ transport: "editor", anyCertificate: false }, second, []);
      await assert.rejects(createFallbackTransport(own, editors).send(getRequest(url), testLimits, never), {
        failure: isTold ? second : first,
      });
    }
  });

  it("never resends a request that may have reached the server", async () => {
    server.answer = (request) => void request.socket.destroy();
    await assert.rejects(transport.send(getRequest(server.origin), testLimits, never));
    server.answer = () => undefined;
    const limits = { ...testLimits, headersMs: 100 };
    await assert.rejects(transport.send(getRequest(server.origin), limits, never));
    assert.equal(server.requests, 2);
    assert.deepEqual(fetched, []);
  });

  it("does not send a refused or redirected request again", async () => {
    for (const status of [302, 401, 407, 502]) {
      server.answer = (_request, response) => void response.writeHead(status).end();
      const response = await transport.send(getRequest(server.origin), testLimits, never);
      assert.equal(response.status, status);
      await textOf(response);
    }
    assert.equal(server.requests, 4);
    assert.deepEqual(fetched, []);
  });

  it("tries nothing more after an abort", async () => {
    await assert.rejects(ask(AbortSignal.abort()), { name: "AbortError" });
    assert.deepEqual(fetched, []);
  });

  it("never falls back to a transport that accepts any certificate if undici verifies them", async () => {
    const expired: Failure = { kind: "tls", code: "CERT_HAS_EXPIRED" };
    const broken: Failure = { kind: "network", code: "ECONNRESET" };
    for (const [refused, strict, tried] of [
      [expired, true, ["undici"]],
      [broken, true, ["undici"]],
      [expired, false, ["undici", "editor"]],
    ] as const) {
      const asked: string[] = [];
      const own = failing({ transport: "undici", anyCertificate: !strict }, refused, asked);
      const editors = failing({ transport: "editor", anyCertificate: true }, refused, asked);
      const either = createFallbackTransport(own, editors);
      await assert.rejects(either.send(getRequest("https://service.example"), testLimits, never));
      assert.deepEqual(asked, tried);
    }
  });

  it("stops using VS Code's fetch once it accepts any certificate", async () => {
    const origin = new URL("https://service.example");
    const refused: Failure = { kind: "network", code: "ECONNRESET" };
    const asked: string[] = [];
    let verifiesNone = false;
    const own = failing({ transport: "undici", anyCertificate: false }, refused, asked);
    const editors: Transport = {
      send: async () => {
        asked.push("editor");
        return { status: 200, headers: {}, body: Readable.from([]) };
      },
      routeFor: () => ({ transport: "editor", anyCertificate: verifiesNone }),
      close: async () => undefined,
    };
    const either = createFallbackTransport(own, editors);
    await either.send(getRequest(origin.href), testLimits, never);
    await either.send(getRequest(origin.href), testLimits, never);
    assert.equal(either.routeFor(origin).transport, "editor");
    verifiesNone = true;
    assert.equal(either.routeFor(origin).transport, "undici");
    await assert.rejects(either.send(getRequest(origin.href), testLimits, never), { failure: refused });
    assert.deepEqual(asked, ["undici", "editor", "editor", "undici"]);
  });

  it("reports that VS Code's fetch accepts any certificate", async () => {
    const settings = { strictCertificates: true, fetchTakesAnyCertificate: () => true };
    const editors = createTransport("editor", settings, fetch);
    assert.equal(editors.routeFor(new URL("https://service.example")).anyCertificate, true);
    assert.equal(editors.routeFor(url).anyCertificate, false);
    await editors.close();
  });

  it("uses only the transport that the user chose", async () => {
    const own = create("undici");
    await assert.rejects(own.send(getRequest(url), testLimits, never));
    assert.deepEqual(fetched, []);
    await own.close();
    const editors = create("editor");
    assert.equal(await textOf(await editors.send(getRequest(url), testLimits, never)), "answer");
    assert.equal(editors.routeFor(url).transport, "editor");
    await editors.close();
  });
});
