import assert from "node:assert/strict";
import * as vscode from "vscode";
import { readAddress } from "../../src/client/http/address.ts";
import type { CallRecord } from "../../src/client/request/call.ts";
import { NotConnectedError } from "../../src/client/failure/toFailure.ts";
import type { Transport } from "../../src/client/http/transport.ts";
import { createUndiciTransport } from "../../src/client/transport/undiciTransport.ts";
import type { Connection } from "../../src/connection/setup/connection.ts";
import { ModelLimitStore } from "../../src/editor/models/modelLimitStore.ts";
import { ModelCatalog } from "../../src/editor/models/modelCatalog.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { createTestClient } from "../unit/client/request/testClient.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";

/** A set of connections that tests change. */
class ChangingConnections {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  all: readonly Connection[] = [];

  change(...all: readonly Connection[]): void {
    this.all = all;
    this.#changed.fire();
  }
}

function connectionOf(name: string, origin = "https://h.example"): Connection {
  return { name, address: readAddress(origin), clientStyle: "messages" };
}

const noClients = { clientOf: () => assert.fail("Nothing is asked for.") };

describe("model lists when the connections change", () => {
  const models = [{ id: "service-core" }];
  const acme = connectionOf("Acme");
  const beta = connectionOf("Beta");
  let state: vscode.Memento;
  let connections: ChangingConnections;
  let catalog: ModelCatalog;

  beforeEach(() => {
    state = createMemento();
    connections = new ChangingConnections();
    catalog = new ModelCatalog(state, noClients, connections);
  });
  afterEach(() => catalog.dispose());

  const modelsOf = (connection: Connection) => catalog.cached(connection)?.models;

  it("are removed with a connection, and restored with it", async () => {
    connections.change(acme, beta);
    await catalog.save(acme, models);
    await catalog.save(beta, models);
    let changes = 0;
    catalog.onDidChange(() => (changes += 1));
    connections.change(beta);
    assert.deepEqual([modelsOf(acme), modelsOf(beta), state.keys().length], [undefined, models, 1]);
    connections.change(beta, acme);
    assert.deepEqual([modelsOf(acme), state.keys().length, changes], [models, 2, 2]);
  });

  it("stay known after a possible rename, but are requested again", async () => {
    const knownOf = (connection: Connection) => catalog.lastKnown(connection)?.models;
    connections.change(acme);
    await catalog.save(acme, models);
    connections.change(beta);
    assert.deepEqual([knownOf(acme), knownOf(beta), state.keys().length], [undefined, models, 1]);
    // The connection may belong to another client, whose key sees other models.
    assert.equal(modelsOf(beta), undefined);
    await catalog.save(beta, [...models, { id: "service-mini" }]);
    connections.change(acme);
    assert.deepEqual([knownOf(acme)?.length, modelsOf(acme), state.keys().length], [2, undefined, 1]);
  });

  it("do not pass to another service, or to one of two possible new names", async () => {
    connections.change(acme);
    await catalog.save(acme, models);
    const moved = connectionOf("Acme", "https://moved.example");
    connections.change(moved);
    assert.deepEqual([modelsOf(moved), state.keys()], [undefined, []]);
    connections.change(acme);
    assert.deepEqual(modelsOf(acme), models);
    const others = [beta, connectionOf("Other")];
    connections.change(...others);
    assert.deepEqual([others.map(modelsOf), state.keys()], [[undefined, undefined], []]);
  });

  it("keep a newer list from another window", async () => {
    connections.change(acme);
    await catalog.save(acme, models);
    connections.change();
    const window = new ModelCatalog(state, noClients, new ChangingConnections());
    await window.save(acme, []);
    connections.change(acme);
    assert.deepEqual(modelsOf(acme), []);
    window.dispose();
  });
});

describe("the model list requested after an answer", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  const key = fakeKey("catalog");
  let service: ReferenceService;
  let catalog: ModelCatalog;
  let limits: ModelLimitStore;
  let connection: Connection;
  let calls: CallRecord[];

  const clientWith = (used: string) =>
    createTestClient({
      transport,
      origin: service.origin,
      key: used,
      onCall: (record) => calls.push(record),
    });
  const roomNow = () => {
    const { contextWindow, isUnasked } = limits.limitsOf(connection, "service-core", "messages");
    return { contextWindow, isUnasked };
  };
  const changes = () => {
    const seen: object[] = [];
    limits.onDidChange(() => seen.push(roomNow()));
    return seen;
  };

  beforeEach(async () => {
    service = await startReferenceService({ contextWindow: 32_000 });
    service.keys.add({}, key);
    calls = [];
    const clients = { clientOf: () => Promise.resolve(clientWith(key)) };
    catalog = new ModelCatalog(createMemento(), clients, new ChangingConnections());
    limits = new ModelLimitStore({ state: createMemento(), catalog, taken: () => ({}) });
    connection = { name: "Acme", address: readAddress(service.origin), clientStyle: "messages" };
  });
  afterEach(async () => {
    limits.dispose();
    catalog.dispose();
    await service.close();
  });
  after(() => transport.close());

  it("gives the context window, and is requested once", async () => {
    const seen = changes();
    assert.deepEqual(roomNow(), { contextWindow: undefined, isUnasked: true });
    const client = clientWith(key);
    await Promise.all([
      catalog.listBehindAnswer(connection, client),
      catalog.listBehindAnswer(connection, client),
    ]);
    const known = { contextWindow: 32_000, isUnasked: undefined };
    assert.deepEqual(roomNow(), known);
    assert.deepEqual(seen, [known], "whoever shows it hears of it");
    await catalog.listBehindAnswer(connection, client);
    assert.deepEqual(
      calls.map(({ method, path, status }) => `${method} ${path} ${status}`),
      ["GET /v1/models 200"],
    );
  });

  it("is retried with a new client, because the network settings may have changed", async () => {
    const closed = createUndiciTransport({ strictCertificates: true });
    const broken: Transport = {
      ...closed,
      send: () => Promise.reject(new NotConnectedError({ kind: "network", code: "ECONNREFUSED" })),
    };
    const clients = [broken, transport].map((each) =>
      createTestClient({ transport: each, origin: service.origin, key }),
    );
    const clientOf = async () => clients.shift() ?? assert.fail("There are two tries.");
    const remade = new ModelCatalog(createMemento(), { clientOf }, new ChangingConnections());
    const { models } = await remade.refresh(
      connection,
      new AbortController().signal,
      ({ retryNow }) => void closed.close().then(retryNow),
    );
    assert.equal(models.length, 3);
    assert.deepEqual(clients, []);
    remade.dispose();
  });

  it("is not requested if the models are known", async () => {
    await catalog.refresh(connection, new AbortController().signal);
    await catalog.listBehindAnswer(connection, clientWith(key));
    assert.equal(calls.length, 1);
  });

  it("is requested at most three times; each failure is logged, and the window counts as requested", async () => {
    const seen = changes();
    const refused = clientWith(fakeKey("unknown"));
    for (let answer = 0; answer < 5; answer += 1) await catalog.listBehindAnswer(connection, refused);
    assert.deepEqual(
      calls.map(({ status, failure }) => [status, failure]),
      Array.from({ length: 3 }, () => [401, "refused"]),
    );
    assert.deepEqual(
      seen,
      Array.from({ length: 3 }, () => ({ contextWindow: undefined, isUnasked: undefined })),
    );
    await catalog.forget(connection);
    await catalog.listBehindAnswer(connection, clientWith(key));
    assert.equal(roomNow().contextWindow, 32_000, "another key is another matter");
  });

  it("is dropped if the key is replaced during the request", async () => {
    const listing = catalog.listBehindAnswer(connection, clientWith(key));
    await catalog.forget(connection);
    await listing;
    assert.equal(catalog.cached(connection), undefined);
    assert.deepEqual(
      calls.map(({ failure }) => failure),
      ["cancelled"],
    );
    assert.deepEqual(roomNow(), { contextWindow: undefined, isUnasked: true });
  });

  it("is dropped when the extension is deactivated", async () => {
    const listing = catalog.listBehindAnswer(connection, clientWith(key));
    catalog.dispose();
    await listing;
    assert.equal(catalog.cached(connection), undefined);
  });
});
