import assert from "node:assert/strict";
import { InferenceError } from "../../src/client/failure.ts";
import { type Connection, readConnections } from "../../src/connection/connection.ts";
import { ApiKeyStore } from "../../src/editor/apiKeyStore.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";

function connectionAt(baseUrl: string, more: object = {}): Connection {
  const [connection] = readConnections([{ name: "Stored", baseUrl, ...more }]).connections;
  assert.ok(connection !== undefined);
  return connection;
}

async function failureOf(work: Promise<unknown>): Promise<object> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof InferenceError);
    return error.failure;
  }
  assert.fail("nothing was thrown");
}

async function openStore(environment: Record<string, string> = {}): Promise<ApiKeyStore> {
  const { secrets } = await companionStores();
  return new ApiKeyStore(secrets, environment);
}

describe("ApiKeyStore over a real secret store", () => {
  const key = fakeKey("stored");
  const home = "https://h.example";

  afterEach(async () => {
    const store = await openStore();
    await store.remove("Stored");
    await store.remove("Renamed");
  });

  it("gives back what it was given, for the origin it was given for", async () => {
    const store = await openStore();
    await store.store("Stored", key, home);
    const read = await store.read(connectionAt(`${home}/v1`));
    assert.equal(read.authorizationFor(new URL(`${home}/v1/models`)), `Bearer ${key}`);
  });

  it("refuses the key to a moved address and names both", async () => {
    const store = await openStore();
    await store.store("Stored", key, home);
    assert.deepEqual(await failureOf(store.read(connectionAt("https://moved.example"))), {
      kind: "key-origin",
      sealedOrigin: home,
      origin: "https://moved.example",
    });
  });

  it("says that there is no key", async () => {
    const store = await openStore();
    assert.deepEqual(await failureOf(store.read(connectionAt(home))), { kind: "key", cause: "empty-key" });
  });

  it("tells of a change, and of whose key it was", async () => {
    const store = await openStore();
    const changed = new Promise<string>((resolve) => {
      const subscription = store.onDidChange((name) => {
        subscription.dispose();
        resolve(name);
      });
    });
    await store.store("Stored", key, home);
    assert.equal(await changed, "Stored");
  });

  it("copies a key for a connection's new name", async () => {
    const store = await openStore();
    await store.store("Stored", key, home);
    await store.copy("Stored", "Renamed");
    await store.remove("Stored");
    const [renamed] = readConnections([{ name: "Renamed", baseUrl: home }]).connections;
    assert.ok(renamed !== undefined);
    assert.equal((await store.read(renamed)).authorizationFor(new URL(home)), `Bearer ${key}`);
    assert.deepEqual(await failureOf(store.read(connectionAt(home))), { kind: "key", cause: "empty-key" });
  });

  it("reads a variable, and says what is wrong with its value without the value", async () => {
    const connection = connectionAt(home, { keyVariable: "SERVICE_KEY" });
    const good = await (await openStore({ SERVICE_KEY: key })).read(connection);
    assert.equal(good.authorizationFor(new URL(home)), `Bearer ${key}`);
    const cases: readonly (readonly [string | undefined, string])[] = [
      [undefined, "empty-key"],
      ["", "empty-key"],
      [` ${key}`, "malformed-key"],
      [`Bearer ${key}`, "malformed-key"],
      ["me@h.example:password", "not-a-key"],
    ];
    for (const [value, cause] of cases) {
      const store = await openStore(value === undefined ? {} : { SERVICE_KEY: value });
      const failure = await failureOf(store.read(connection));
      assert.ok("cause" in failure && failure.cause === cause, JSON.stringify(failure));
      assert.ok(!JSON.stringify(failure).includes(key));
    }
  });
});
