import assert from "node:assert/strict";
import { readAddress } from "../../src/client/address.ts";
import type { CallRecord } from "../../src/client/call.ts";
import { createUndiciTransport } from "../../src/client/undiciTransport.ts";
import type { Connection } from "../../src/connection/connection.ts";
import { ModelRooms } from "../../src/editor/context/modelRooms.ts";
import { ModelCatalog } from "../../src/editor/modelCatalog.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { createTestClient } from "../unit/client/testClient.ts";
import { createMemento } from "../unit/editor/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";

describe("the list of models behind an answer", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  const key = fakeKey("catalog");
  let service: ReferenceService;
  let catalog: ModelCatalog;
  let rooms: ModelRooms;
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
    const { contextWindow, isUnasked } = rooms.roomOf(connection, "service-core", "messages");
    return { contextWindow, isUnasked };
  };
  const changes = () => {
    const seen: object[] = [];
    rooms.onDidChange(() => seen.push(roomNow()));
    return seen;
  };

  beforeEach(async () => {
    service = await startReferenceService({ contextWindow: 32_000 });
    service.keys.add({}, key);
    calls = [];
    catalog = new ModelCatalog(createMemento(), { clientOf: () => Promise.resolve(clientWith(key)) });
    rooms = new ModelRooms({ state: createMemento(), catalog, takesImages: () => undefined });
    connection = { name: "Acme", address: readAddress(service.origin), clientStyle: "messages" };
  });
  afterEach(async () => {
    rooms.dispose();
    catalog.dispose();
    await service.close();
  });
  after(() => transport.close());

  it("tells the window from then on, and is asked for once", async () => {
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

  it("is not asked for where the models are known", async () => {
    await catalog.refresh(connection, new AbortController().signal);
    await catalog.listBehindAnswer(connection, clientWith(key));
    assert.equal(calls.length, 1);
  });

  it("is asked for three times in vain: that stands in the log, and is not called unasked any more", async () => {
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

  it("is dropped where the key is replaced meanwhile", async () => {
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

  it("ends with the editor", async () => {
    const listing = catalog.listBehindAnswer(connection, clientWith(key));
    catalog.dispose();
    await listing;
    assert.equal(catalog.cached(connection), undefined);
  });
});
