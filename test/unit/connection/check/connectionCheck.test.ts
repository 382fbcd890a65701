import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import { ConnectionRecorder } from "../../../../src/client/transport/connectionRecorder.ts";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { type Connection, readConnections } from "../../../../src/connection/setup/connection.ts";
import { checkConnection, type CheckOptions } from "../../../../src/connection/check/connectionCheck.ts";
import type { CheckStepId } from "../../../../src/connection/check/checkSteps.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { makeCertificates } from "../../client/transport/certificates.ts";
import { startConnectProxy } from "../../client/transport/connectProxy.ts";
import { type PlainServer, startPlainServer } from "../../client/transport/plainServer.ts";
import { createTestClient } from "../../client/request/testClient.ts";
import { fakeKey, soon } from "../../service/fixture.ts";
import { sealFor } from "../../../support/sealFor.ts";

const transport = createUndiciTransport({ strictCertificates: true });
const never = new AbortController().signal;

function connectionAt(baseUrl: string): Connection {
  const [connection] = readConnections([{ name: "Checked", baseUrl }]).connections;
  assert.ok(connection !== undefined);
  return connection;
}

function optionsFor(origin: string, key: string, more: Partial<CheckOptions> = {}): CheckOptions {
  const t = createTranslate();
  return {
    connection: connectionAt(origin),
    clientStyle: "messages",
    model: "service-core",
    billable: true,
    readKey: async () => new ApiKey(key, sealFor(origin)),
    createClient: () => createTestClient({ transport, origin, key }),
    diagnose: (failure) => diagnose(failure, { origin }, t),
    now: () => new Date("2026-01-02T03:04:05Z"),
    clock: () => performance.now(),
    t,
    ...more,
  };
}

const answers: Readonly<Record<string, object>> = {
  "/v1/chat/completions": { choices: [{ message: { content: "pong" }, finish_reason: "length" }] },
  "/v1/messages": { type: "message", content: [{ type: "text", text: "pong" }], stop_reason: "max_tokens" },
};

describe("checkConnection", () => {
  let service: ReferenceService;
  let plain: PlainServer;
  const key = fakeKey("check");

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    plain = await startPlainServer();
  });
  after(async () => {
    await transport.close();
    await plain.close();
    await service.close();
  });

  it("announces each step as it begins, and returns all six in order", async () => {
    const begun: CheckStepId[] = [];
    const onStep = (id: CheckStepId): void => void begun.push(id);
    const { result, diagnosis } = await checkConnection(optionsFor(service.origin, key, { onStep }), never);
    const order = ["address", "key", "network", "models", "completion", "message"];
    assert.deepEqual(begun, order);
    assert.deepEqual(
      result.steps.map(({ id }) => id),
      order,
    );
    assert.ok(result.ok && diagnosis === undefined);
    assert.equal(result.at, "2026-01-02T03:04:05.000Z");
  });

  it("sends no billable request unless it is allowed", async () => {
    service.journal.clear();
    const { result } = await checkConnection(optionsFor(service.origin, key, { billable: false }), never);
    assert.ok(!result.ok);
    assert.deepEqual(
      service.journal.entries.map(({ path }) => path),
      ["/v1/models"],
    );
  });

  it("reports the first failure and retries nothing", async () => {
    service.journal.clear();
    service.failNext({
      of: "models",
      status: 529,
      headers: { "retry-after-ms": "1", "x-should-retry": "true" },
    });
    const { diagnosis } = await checkConnection(optionsFor(service.origin, key), never);
    assert.equal(diagnosis?.cause, "overloaded");
    assert.equal(service.journal.entries.length, 1);
  });

  it("doesn't trust a key because of a model list that any key can read", async () => {
    plain.answer = (request, response) => {
      if (request.method === "GET") response.end(JSON.stringify({ data: [{ id: "service-core" }] }));
      else response.writeHead(401).end(JSON.stringify({ error: { message: "Incorrect API key" } }));
    };
    const { result, diagnosis } = await checkConnection(optionsFor(plain.origin, key), never);
    assert.ok(!result.ok);
    assert.equal(diagnosis?.cause, "invalid-key");
    assert.deepEqual(
      result.steps.map(({ id, ok, skipped, status }) => [id, ok, skipped === true, status]).slice(3),
      [
        ["models", true, false, 200],
        ["completion", false, false, 401],
        ["message", false, true, undefined],
      ],
    );
  });

  for (const [name, refuseList] of [
    ["a 404 of a web framework", (response: ServerResponse) => response.writeHead(404).end("Not Found")],
    [
      "a gateway's 500",
      (response: ServerResponse) =>
        response.writeHead(500).end(JSON.stringify({ error: { message: "no route" } })),
    ],
    ["a refusal without a reason", (response: ServerResponse) => response.writeHead(403).end("Forbidden")],
    [
      "a refusal for this key",
      (response: ServerResponse) =>
        response.writeHead(401).end(JSON.stringify({ error: "Key not allowed to call this route" })),
    ],
    ["JSON without a list", (response: ServerResponse) => response.end(JSON.stringify({ ok: true }))],
  ] as const) {
    it(`continues with the configured model if the model list is ${name}`, async () => {
      plain.answer = (request, response) => {
        if (request.method === "GET") refuseList(response);
        else response.end(JSON.stringify(answers[request.url ?? ""]));
      };
      const { result, diagnosis, canChat } = await checkConnection(optionsFor(plain.origin, key), never);
      assert.deepEqual([result.ok, canChat, diagnosis], [false, true, undefined]);
      assert.deepEqual(
        result.steps.slice(3).map(({ id, ok, cause }) => [id, ok, cause !== undefined]),
        [
          ["models", false, true],
          ["completion", true, false],
          ["message", true, false],
        ],
      );
    });
  }

  it("checks a Messages connection in its own style if Chat Completions is refused or missing", async () => {
    let [status, words] = [400, "This model takes no chat completions."];
    plain.answer = (request, response) => {
      if (request.method === "GET") response.end(JSON.stringify({ data: [{ id: "service-core" }] }));
      else if (request.url === "/v1/messages") response.end(JSON.stringify(answers["/v1/messages"]));
      else response.writeHead(status).end(words);
    };
    const refused = await checkConnection(optionsFor(plain.origin, key), never);
    assert.deepEqual([refused.result.ok, refused.canChat, refused.diagnosis], [false, true, undefined]);
    [status, words] = [404, "Not Found"];
    const { result, diagnosis, canChat } = await checkConnection(optionsFor(plain.origin, key), never);
    assert.deepEqual([result.ok, canChat, diagnosis], [false, true, undefined]);
    const own = { clientStyle: "chat-completions" } as const;
    const other = await checkConnection(optionsFor(plain.origin, key, own), never);
    assert.deepEqual([other.canChat, other.diagnosis?.cause], [false, "wrong-path"]);
  });

  it("skips all steps after a missing key", async () => {
    const missing = new InferenceError({ kind: "key", cause: "empty-key" });
    const readKey = (): Promise<ApiKey> => Promise.reject(missing);
    const { result } = await checkConnection(optionsFor(service.origin, key, { readKey }), never);
    assert.deepEqual(
      result.steps.map(({ id, ok, cause }) => (ok ? id : (cause ?? "skipped"))),
      ["address", "empty-key", "skipped", "skipped", "skipped", "skipped"],
    );
  });

  it("states the transport and the proxy in the network step, and never the proxy's login", async () => {
    const login = ["user", "proxy-login"].join(":");
    const proxy = await startConnectProxy(new URL(service.origin));
    const url = proxy.origin.replace("//", `//${login}@`);
    const behind = createUndiciTransport({ strictCertificates: true, proxy: url });
    const origin = "https://service.example";
    const createClient = () => createTestClient({ transport: behind, origin, key });
    const { result } = await checkConnection(optionsFor(origin, key, { createClient }), never);
    // The proxy connects to a server without TLS, so the step fails but still states the transport.
    const network = result.steps.find(({ id }) => id === "network");
    assert.equal(network?.cause, "tls");
    assert.ok(network.detail?.includes(`through the proxy ${proxy.host}`), network.detail);
    assert.ok(!JSON.stringify(result).includes("proxy-login"));
    const direct = await checkConnection(optionsFor(service.origin, key), never);
    const detail = direct.result.steps.find(({ id }) => id === "network")?.detail;
    assert.equal(detail, "Inference Chat sends the requests without a proxy");
    await behind.close();
    await proxy.close();
  });

  it("shows a refused certificate as evidence", async () => {
    await using certificates = await makeCertificates();
    const { key: serverKey, cert } = certificates.selfSigned;
    const secure = createServer({ key: serverKey, cert });
    await once(secure.listen(0, "127.0.0.1"), "listening");
    const address = secure.address();
    assert.ok(address !== null && typeof address === "object");
    const origin = `https://127.0.0.1:${address.port}`;
    const recorder = new ConnectionRecorder();
    const watched = createUndiciTransport({ strictCertificates: true }, recorder);
    await using closing = new AsyncDisposableStack();
    closing.defer(() => {
      secure.close();
      secure.closeAllConnections();
    });
    closing.defer(() => watched.close());
    const { result, diagnosis } = await checkConnection(
      optionsFor(origin, key, {
        createClient: () => createTestClient({ transport: watched, origin, key }),
        readConnectionFacts: () => recorder.facts,
      }),
      never,
    );
    assert.equal(diagnosis?.cause, "tls");
    assert.ok(
      diagnosis.evidence.includes("Certificate issued to service.example, which doesn't match this host"),
    );
    assert.ok(diagnosis.evidence.includes("Self-signed"), diagnosis.evidence.join());
    const network = result.steps.find(({ id }) => id === "network")?.network;
    assert.equal(network?.tls?.subject, "service.example");
  });

  it("fails the network step if the host can't be reached", async () => {
    const gone = await startPlainServer();
    await gone.close();
    const { result } = await checkConnection(optionsFor(gone.origin, key), never);
    const network = result.steps.find(({ id }) => id === "network");
    assert.equal(network?.cause, "network");
    assert.equal(result.steps.length, 6);
  });

  it("stops when it is canceled, and aborts the request", async () => {
    service.journal.clear();
    service.pace = 60_000;
    const stopping = new AbortController();
    const checking = checkConnection(optionsFor(service.origin, key), stopping.signal);
    await service.journal.next(({ path }) => path === "/v1/chat/completions", soon());
    stopping.abort();
    await assert.rejects(checking, { name: "AbortError" });
    await service.journal.next(({ state }) => state === "aborted", soon());
    service.pace = 0;
  });
});
