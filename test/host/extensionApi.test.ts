import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import Module from "node:module";
import { inspect } from "node:util";
import * as v from "valibot";
import type { InferenceApi, InferenceExports } from "../../src/editor/extensionApi/extensionApi.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { fakeKey, soon } from "../unit/service/fixture.ts";
import { tellFigure } from "../support/figures.ts";
import { companionStores } from "./companionStores.ts";
import { searchObjects } from "./searchObjects.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_API_TEST_KEY";
const canary = fakeKey("api-3c51");

/** The exports as another extension gets them, with only the ID of our extension. */
async function findExports(): Promise<InferenceExports> {
  const { extensions } = await companionStores();
  const extension = extensions.getExtension<InferenceExports>("inference-chat.inference-chat");
  assert.ok(extension !== undefined);
  return extension.activate();
}

function causeOf(error: unknown): unknown {
  assert.ok(error instanceof Error, String(error));
  assert.ok(!`${error.message} ${error.stack}`.includes(canary));
  return error.cause;
}

describe("the interface for other extensions, used by one", () => {
  let service: ReferenceService;
  let api: InferenceApi;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, canary);
    api = (await findExports()).getAPI(1);
  });
  beforeEach(async () => {
    process.env[keyVariable] = canary;
    service.journal.clear();
    await writeConnections([{ name: "Acme", baseUrl: service.origin, keyVariable }]);
  });
  after(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await service.close();
  });

  it("is frozen and has only version 1", async () => {
    const exports = await findExports();
    assert.equal(api.version, 1);
    assert.ok(Object.isFrozen(exports) && Object.isFrozen(api));
    assert.throws(() => exports.getAPI(v.parse(v.any(), 2)), /version 1/);
    assert.equal(exports.getAPI(1), api);
  });

  it("gives access to the key through no export and no shared object", async () => {
    const listed = await api.listModels({ connection: "Acme" });
    // Every extension can read environment variables, but not the objects that we make of them.
    delete process.env[keyVariable];
    const roots = { exports: await findExports(), api, listed, globals: globalThis, modules: Module };
    const { found, searched } = searchObjects(roots, canary);
    assert.deepEqual(found, []);
    assert.ok(searched > 5000, `${searched} objects`);
    assert.deepEqual(searchObjects({ deep: [new Map([["a", { b: canary }]])] }, canary).found, [
      "deep.0.a.b",
    ]);
    tellFigure(
      `another extension in the same host: 0 ways to the key through ${searched} objects of exports and globals`,
    );
  });

  it("reports no request in the host's diagnostics channels", async () => {
    const heard: unknown[] = [];
    const listen = (message: unknown, name: string | symbol): void =>
      void heard.push([name, inspect(message)]);
    const channels = ["client:sendHeaders", "client:beforeConnect", "client:connected", "request:create"];
    for (const name of channels) subscribe(`undici:${name}`, listen);
    try {
      await api.listModels({ connection: "Acme" });
      assert.equal(service.journal.entries.length, 1);
      assert.deepEqual(heard, []);
      // These channels report Node's own `fetch`, which our requests do not use.
      await fetch(service.origin);
      assert.ok(heard.length > 0, "nothing is heard on these channels at all");
    } finally {
      for (const name of channels) unsubscribe(`undici:${name}`, listen);
    }
  });

  it("lists the models as frozen copies", async () => {
    const listed = await api.listModels({ connection: "Acme" });
    assert.equal(listed.connection, "Acme");
    assert.deepEqual(listed.models.map(({ id }) => id).sort(), [
      "service-core",
      "service-large",
      "service-mini",
    ]);
    assert.ok(
      Object.isFrozen(listed) && Object.isFrozen(listed.models) && listed.models.every(Object.isFrozen),
    );
    assert.ok(!JSON.stringify(listed).includes(canary));
    assert.notEqual((await api.listModels()).models, listed.models);
  });

  it("fires an event when model lists arrive", async () => {
    const fired = Promise.withResolvers<void>();
    const subscription = api.onDidChangeModels(() => fired.resolve());
    await api.listModels();
    await Promise.race([fired.promise, rejected(soon())]);
    subscription.dispose();
  });

  it("checks without billable requests unless asked for them", async () => {
    const checked = await api.checkConnection();
    assert.equal(checked.connection, "Acme");
    assert.ok(!checked.ok);
    assert.deepEqual(
      checked.steps.map(({ id, ok, skipped }) => `${id} ${ok} ${skipped === true}`),
      [
        "address true false",
        "key true false",
        "network true false",
        "models true false",
        "completion false true",
        "message false true",
      ],
    );
    assert.ok(Object.isFrozen(checked) && checked.steps.every(Object.isFrozen));
    assert.deepEqual(
      service.journal.entries.map(({ method }) => method),
      ["GET"],
    );
    assert.ok(!JSON.stringify(checked).includes(canary));
  });

  it("rejects with the diagnosis, and with the cause ID as the cause", async () => {
    process.env[keyVariable] = fakeKey("api-wrong");
    await writeConnections([{ name: "Wrong", baseUrl: service.origin, keyVariable }]);
    await assert.rejects(
      api.listModels({ connection: "Wrong" }),
      (error) => causeOf(error) === "invalid-key",
    );
    const { steps } = await api.checkConnection({ connection: "Wrong" });
    assert.equal(steps.find(({ id }) => id === "models")?.cause, "invalid-key");
  });

  it("rejects invalid arguments before anything is sent", async () => {
    await assert.rejects(api.listModels({ connection: "Nobody" }), (error) => causeOf(error) === "unknown");
    const odd = v.parse(v.any(), { connection: 7, billable: "yes" });
    await assert.rejects(api.checkConnection(odd), (error) => causeOf(error) === "bad-request");
    await assert.rejects(api.listModels(odd), (error) => causeOf(error) === "bad-request");
    assert.equal(service.journal.entries.length, 0);
  });
});

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("no event was fired")));
  });
}
