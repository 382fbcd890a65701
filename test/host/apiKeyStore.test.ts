import assert from "node:assert/strict";
import { type Failure, InferenceError } from "../../src/client/failure/failure.ts";
import { type Connection, readConnections, requireAddress } from "../../src/connection/setup/connection.ts";
import type * as vscode from "vscode";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { SecretStoreError } from "../../src/editor/shared/errorReason.ts";
import { tellFigure } from "../support/figures.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { tamper } from "./tamperedSecrets.ts";
import { sealKey } from "../support/sealFor.ts";

function connectionAt(baseUrl: string, more: object = {}): Connection {
  const [connection] = readConnections([{ name: "Stored", baseUrl, ...more }]).connections;
  assert.ok(connection !== undefined);
  return connection;
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof InferenceError);
    return error.failure;
  }
  assert.fail("nothing was thrown");
}

/** Opens a store as a window does; each further store acts as a further window. */
async function openStore(
  environment: Record<string, string> = {},
  fault: Partial<vscode.SecretStorage> = {},
  timeoutMs?: number,
): Promise<ApiKeyStore> {
  const { secrets, globalState } = await companionStores();
  const store = new ApiKeyStore(tamper(secrets, fault), environment, globalState, timeoutMs);
  opened.push(store);
  return store;
}

/** Makes values that break the declared types, as another editor might return. */
const fromOutside = JSON.parse;

const opened: ApiKeyStore[] = [];

async function nextChange(store: ApiKeyStore): Promise<string> {
  return new Promise((resolve) => {
    const subscription = store.onDidChange((name) => {
      subscription.dispose();
      resolve(name);
    });
  });
}

async function headerOf(store: ApiKeyStore, connection: Connection): Promise<string> {
  const key = await store.read(connection);
  return key.authorizationFor(requireAddress(connection).modelsUrl);
}

describe("ApiKeyStore over real secret storage", () => {
  const key = fakeKey("stored");
  const home = "https://h.example";

  afterEach(async () => {
    const store = await openStore();
    await store.remove("Stored");
    await store.remove("Renamed");
    for (const each of opened.splice(0)) each.dispose();
  });

  it("returns the stored key for the origin that it was stored for", async () => {
    const store = await openStore();
    await store.store("Stored", sealKey(key, home));
    const read = await store.read(connectionAt(`${home}/v1`));
    assert.equal(read.authorizationFor(new URL(`${home}/v1/models`)), `Bearer ${key}`);
  });

  it("refuses the key to another base URL and names both origins", async () => {
    const store = await openStore();
    await store.store("Stored", sealKey(key, home));
    assert.deepEqual(await failureOf(store.read(connectionAt("https://moved.example"))), {
      kind: "key-seal",
      sealedTo: home,
      refusedTo: "https://moved.example",
    });
  });

  it("fails with the cause `empty-key` if no key is stored", async () => {
    const store = await openStore();
    assert.deepEqual(await failureOf(store.read(connectionAt(home))), { kind: "key", cause: "empty-key" });
  });

  it("reports a change with the name of the connection", async () => {
    const store = await openStore();
    const changed = new Promise<string>((resolve) => {
      const subscription = store.onDidChange((name) => {
        subscription.dispose();
        resolve(name);
      });
    });
    await store.store("Stored", sealKey(key, home));
    assert.equal(await changed, "Stored");
  });

  it("copies a key to the new name of a connection", async () => {
    const store = await openStore();
    await store.store("Stored", sealKey(key, home));
    await store.copy("Stored", "Renamed");
    await store.remove("Stored");
    const [renamed] = readConnections([{ name: "Renamed", baseUrl: home }]).connections;
    assert.ok(renamed !== undefined);
    assert.equal((await store.read(renamed)).authorizationFor(new URL(home)), `Bearer ${key}`);
    assert.deepEqual(await failureOf(store.read(connectionAt(home))), { kind: "key", cause: "empty-key" });
  });

  it("reads an environment variable, and names its fault without its value", async () => {
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
    await (await openStore()).variables.forget("Stored");
  });

  it("binds a variable's key to the origin of its first use, for all windows", async () => {
    const variable = { name: "Sealed", keyVariable: "SERVICE_KEY" };
    const moved = connectionAt("https://moved.example", variable);
    const { globalState } = await companionStores();
    // A variable without a value binds no origin.
    const unset = await openStore({});
    assert.equal((await failureOf(unset.read(moved))).kind, "key");
    const here = await openStore({ SERVICE_KEY: key });
    assert.equal(await headerOf(here, connectionAt(home, variable)), `Bearer ${key}`);
    const there = await openStore({ SERVICE_KEY: key });
    assert.deepEqual(await failureOf(there.read(moved)), {
      kind: "key-seal",
      sealedTo: home,
      refusedTo: "https://moved.example",
    });
    assert.equal(await headerOf(there, connectionAt(`${home}/v2`, variable)), `Bearer ${key}`);
    const other = connectionAt("https://moved.example", { name: "Other", keyVariable: "SERVICE_KEY" });
    assert.equal(await headerOf(there, other), `Bearer ${key}`);
    assert.ok(!JSON.stringify(globalState.get("inference.variableOrigins")).includes(key));
    const changed = nextChange(there);
    const movedVariable = there.variables.movedOf(moved);
    assert.ok(movedVariable !== undefined);
    await there.resealVariable("Sealed", movedVariable);
    assert.equal(await changed, "Sealed");
    assert.equal(await headerOf(there, moved), `Bearer ${key}`);
    assert.equal((await failureOf(here.read(connectionAt(home, variable)))).kind, "key-seal");
    for (const name of ["Sealed", "Other"]) await here.variables.forget(name);
    assert.deepEqual(globalState.get("inference.variableOrigins"), []);
  });

  it("uses a key that another window replaced", async () => {
    const [here, there] = [await openStore(), await openStore()];
    await here.store("Stored", sealKey(key, home));
    const changed = nextChange(here);
    await there.store("Stored", sealKey(fakeKey("replaced"), home));
    assert.equal(await changed, "Stored");
    assert.equal(await headerOf(here, connectionAt(home)), `Bearer ${fakeKey("replaced")}`);
  });

  it("restores a removed key", async () => {
    const store = await openStore();
    await store.store("Stored", sealKey(key, home));
    const restore = await store.remove("Stored");
    assert.deepEqual(await store.storedNames(), []);
    assert.deepEqual(await failureOf(store.read(connectionAt(home))), { kind: "key", cause: "empty-key" });
    assert.deepEqual(await restore?.(), { kind: "stored" });
    assert.equal(await headerOf(store, connectionAt(home)), `Bearer ${key}`);
    assert.deepEqual(await store.storedNames(), ["Stored"]);
  });

  it("does not restore a removed key over a newer one", async () => {
    const store = await openStore();
    await store.store("Stored", sealKey(fakeKey("exposed"), home));
    const restore = await store.remove("Stored");
    await store.store("Stored", sealKey(key, home));
    assert.equal(await restore?.(), undefined);
    assert.equal(await headerOf(store, connectionAt(home)), `Bearer ${key}`);
  });

  it("restores a replaced key unless a newer key replaced its successor", async () => {
    const store = await openStore();
    assert.equal((await store.replace("Stored", sealKey(fakeKey("first"), home))).restore, undefined);
    assert.equal(
      (await store.replace("Stored", sealKey(fakeKey("first"), home))).restore,
      undefined,
      "the same key",
    );
    const { restore } = await store.replace("Stored", sealKey(fakeKey("second"), home));
    assert.deepEqual(await restore?.(), { kind: "stored" });
    assert.equal(await headerOf(store, connectionAt(home)), `Bearer ${fakeKey("first")}`);
    const removed = await store.replace("Stored", sealKey(fakeKey("removed"), home));
    await store.remove("Stored");
    assert.deepEqual(await removed.restore?.(), { kind: "stored" }, "its successor was removed");
    assert.equal(await headerOf(store, connectionAt(home)), `Bearer ${fakeKey("first")}`);
    const third = await store.replace("Stored", sealKey(fakeKey("third"), home));
    await store.store("Stored", sealKey(key, home));
    assert.equal(await third.restore?.(), undefined);
    assert.equal(await headerOf(store, connectionAt(home)), `Bearer ${key}`);
  });

  it("lists the names of stored keys, even if the secret storage cannot list them", async () => {
    const store = await openStore({}, { keys: fromOutside("null") });
    await store.store("Stored", sealKey(key, home));
    assert.deepEqual(await store.storedNames(), ["Stored"]);
    const { secrets } = await companionStores();
    await secrets.delete("inference.apiKey.Stored");
    assert.deepEqual(await store.storedNames(), []);
    const garbage = await openStore({}, { keys: async () => fromOutside("[1]") });
    assert.deepEqual(await garbage.storedNames(), []);
  });

  it("stores nothing but the key in secret storage", async () => {
    const { secrets } = await companionStores();
    await (await openStore()).store("Stored", sealKey(key, home));
    assert.deepEqual(await secrets.keys(), ["inference.apiKey.Stored"]);
  });
});

const never = <T>(): Promise<T> => new Promise(() => undefined);
/** Never answers, like a keyring that waits to be unlocked. */
const silent: Partial<vscode.SecretStorage> = { get: never, store: never, delete: never, keys: never };

const fails = (): Promise<never> => Promise.reject(new Error(`store: cannot write ${fakeKey("stored")}`));

describe("ApiKeyStore over failing secret storage", () => {
  const key = fakeKey("stored");
  const home = "https://h.example";
  const faults: readonly (readonly [string, Partial<vscode.SecretStorage>, string, timeoutMs?: number])[] = [
    ["never answers", silent, "failing", 50],
    ["cannot write", { store: fails }, "failing"],
    ["cannot read", { get: fails }, "failing"],
    ["forgets its values", { store: async () => undefined }, "not-saved"],
    ["returns another value", { get: async () => "another" }, "not-saved"],
    ["returns a value that is not text", { get: async () => fromOutside("7") }, "not-saved"],
  ];

  let kept = 0;

  after(() => {
    tellFigure(
      `secret store that never answers, throws, keeps nothing or gives back something else: the key kept for the window in ${kept} of ${faults.length} ways, and refused to another address in all`,
    );
  });
  afterEach(async () => {
    await (await openStore()).remove("Stored");
    for (const each of opened.splice(0)) each.dispose();
  });

  for (const [name, fault, expected, timeoutMs] of faults) {
    it(`keeps the key for this window if the store ${name}`, async () => {
      const store = await openStore({}, fault, timeoutMs);
      const changed = nextChange(store);
      assert.deepEqual(await store.store("Stored", sealKey(key, home)), {
        kind: "session-only",
        fault: expected,
      });
      assert.equal(await changed, "Stored");
      assert.equal(await headerOf(store, connectionAt(home)), `Bearer ${key}`);
      assert.equal((await store.readForSearch(connectionAt(home)))?.wholeKeysIn(`x ${key}`).length, 1);
      assert.equal((await failureOf(store.read(connectionAt("https://moved.example")))).kind, "key-seal");
      kept += 1;
    });
  }

  it("lists the key in memory by its name and removes it like a stored one", async () => {
    const store = await openStore({}, { store: async () => undefined });
    await store.store("Stored", sealKey(key, home));
    assert.deepEqual(await store.storedNames(), ["Stored"]);
    await store.remove("Stored");
    assert.deepEqual(await store.storedNames(), []);
    assert.equal(await store.has("Stored"), false);
  });

  it("does not give a key to secret storage that forgets its values", async () => {
    const given: string[] = [];
    const store = await openStore(
      {},
      {
        store: async (_name, value) => void given.push(value),
      },
    );
    await store.store("Stored", sealKey(key, home));
    assert.equal(given.length, 1);
    assert.ok(!given.some((value) => value.includes(key)));
  });

  it("does not return to the previous key, which may be the exposed one", async () => {
    await (await openStore()).store("Stored", sealKey(fakeKey("before"), home));
    const broken = await openStore({}, { store: fails });
    await broken.store("Stored", sealKey(key, home));
    assert.equal(await headerOf(broken, connectionAt(home)), `Bearer ${key}`);
    const nextSession = await openStore();
    assert.deepEqual(await failureOf(nextSession.read(connectionAt(home))), {
      kind: "key",
      cause: "empty-key",
      store: "lost",
    });
  });

  it("drops the key in memory when another window has stored one", async () => {
    const broken = await openStore({}, { store: fails });
    await broken.store("Stored", sealKey(key, home));
    const changed = nextChange(broken);
    await (await openStore()).store("Stored", sealKey(fakeKey("replaced"), home));
    await changed;
    assert.equal(await headerOf(broken, connectionAt(home)), `Bearer ${fakeKey("replaced")}`);
  });

  it("tells apart a lost key, a failing store and an unreadable value", async () => {
    const { secrets } = await companionStores();
    const readWith = async (fault: Partial<vscode.SecretStorage>): Promise<object> =>
      failureOf((await openStore({}, fault)).read(connectionAt(home)));
    const noKey = { kind: "key", cause: "empty-key" };
    assert.deepEqual(await readWith({}), noKey);
    await (await openStore()).store("Stored", sealKey(key, home));
    assert.deepEqual(await readWith({ get: async () => undefined }), { ...noKey, store: "lost" });
    assert.deepEqual(await readWith({ get: fails }), { ...noKey, store: "failing" });
    await secrets.store("inference.apiKey.Stored", `{"key": 7, "${key}"`);
    assert.deepEqual(await readWith({}), { ...noKey, store: "garbled" });
    assert.equal(await (await openStore({}, { get: fails })).readForSearch(connectionAt(home)), undefined);
  });

  it("reports a failing store while the store does not answer, and announces a key that arrives later", async () => {
    await (await openStore()).store("Stored", sealKey(key, home));
    const { secrets } = await companionStores();
    const unlocked = Promise.withResolvers<void>();
    const get: vscode.SecretStorage["get"] = (name) => unlocked.promise.then(() => secrets.get(name));
    const store = await openStore({}, { get }, 2000);
    const failure = await failureOf(store.read(connectionAt(home)));
    assert.deepEqual(failure, { kind: "key", cause: "empty-key", store: "failing" });
    const changed: string[] = [];
    store.onDidChange((name) => changed.push(name));
    const late = new Promise((resolve) => void store.onDidAnswerAfterTimeout(resolve));
    unlocked.resolve();
    assert.equal(await late, "Stored");
    assert.equal(await headerOf(store, connectionAt(home)), `Bearer ${key}`);
    assert.deepEqual(changed, [], "it is no other key than before");
  });

  it("throws no text of the secret storage", async () => {
    const store = await openStore({}, { get: fails, store: fails, delete: fails });
    await store.store("Stored", sealKey(key, home));
    await assert.rejects(store.remove("Stored"), (error: unknown) => {
      assert.ok(error instanceof SecretStoreError);
      assert.ok(!`${error.stack} ${String(error.cause)}`.includes(key));
      return true;
    });
  });
});
