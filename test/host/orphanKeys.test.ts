import assert from "node:assert/strict";
import { readConnections } from "../../src/connection/connection.ts";
import { ApiKeyStore, type Keeping } from "../../src/editor/apiKeyStore.ts";
import { GoneConnections } from "../../src/editor/goneConnections.ts";
import { type NamesInSettings, OrphanKeys, patience } from "../../src/editor/orphanKeys.ts";
import type { State } from "../../src/editor/state.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { tamper } from "./tamperedSecrets.ts";

const home = "https://h.example";
const day = 24 * 60 * 60 * 1000;

const fails = (): Promise<never> => Promise.reject(new Error("The keyring is locked."));

/** A window: what it asked and told, over the secrets and the state that all windows share. */
async function openWindow(fault: Parameters<typeof tamper>[1] = {}, update?: State["update"]) {
  const { secrets, globalState } = await companionStores();
  const state: State =
    update === undefined ? globalState : { get: globalState.get.bind(globalState), update };
  const keys = new ApiKeyStore(tamper(secrets, fault), {}, globalState);
  const window = {
    keys,
    settings: { kind: "list", names: ["Acme", "Beta"] } as NamesInSettings,
    origins: new Map<string, string>(),
    now: Date.UTC(2030, 0, 1),
    asked: [] as string[],
    removed: [] as string[],
    undo: async (): Promise<Keeping | undefined> => assert.fail("nothing was removed"),
  };
  const orphans = new OrphanKeys({
    keys,
    gone: new GoneConnections(state),
    namesInSettings: () => window.settings,
    originOf: (name) => window.origins.get(name),
    ask: (name, days) => void window.asked.push(`${name} ${days}`),
    tellRemoved: (name, undo) => {
      window.removed.push(name);
      window.undo = undo;
    },
    now: () => window.now,
  });
  return Object.assign(window, { orphans });
}

type Window = Awaited<ReturnType<typeof openWindow>>;

async function hasKey({ keys }: Window, name: string): Promise<boolean> {
  const [connection] = readConnections([{ name, baseUrl: home }]).connections;
  assert.ok(connection !== undefined);
  return (await keys.readForSearch(connection)) !== undefined;
}

async function holds({ keys }: Window, name: string, key: string): Promise<boolean> {
  const [connection] = readConnections([{ name, baseUrl: home }]).connections;
  assert.ok(connection !== undefined);
  return (await keys.readForSearch(connection))?.wholeKeysIn(key).length === 1;
}

function settingsWith(...names: string[]): NamesInSettings {
  return { kind: "list", names };
}

/** The connections of which the state says that they are gone. */
async function noted(): Promise<readonly string[]> {
  const { globalState } = await companionStores();
  return new GoneConnections(globalState).names;
}

/** Looks as seldom as counts in full. */
async function assertGoesAfter(window: Window, days: number): Promise<void> {
  await assertGoesBehind(window, [(days * day) / 2, (days * day) / 2 - 1]);
}

/** Looks after each of these milliseconds, which are one too few. */
async function assertGoesBehind(window: Window, pauses: readonly number[]): Promise<void> {
  for (const pause of pauses) {
    window.now += pause;
    await window.orphans.sweep();
    assert.ok(await hasKey(window, "Acme"));
  }
  window.now += 1;
  await window.orphans.sweep();
  assert.ok(!(await hasKey(window, "Acme")));
}

describe("keys whose connection is gone from the settings", () => {
  let window: Window;

  beforeEach(async () => {
    window = await openWindow();
    for (const name of ["Acme", "Beta"]) await window.keys.store(name, fakeKey(name), home);
  });
  afterEach(async () => {
    for (const name of ["Acme", "Beta"]) await window.keys.remove(name);
    window.settings = settingsWith("Acme", "Beta");
    await window.orphans.forgetReturned();
    window.keys.dispose();
  });

  it("are left alone while the connections are there", async () => {
    await window.orphans.sweep();
    window.now += 100 * day;
    await window.orphans.sweep();
    assert.deepEqual([window.asked, window.removed], [[], []]);
    assert.ok(await hasKey(window, "Acme"));
  });

  it("are asked about once, and survive a cut before its paste", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    await window.orphans.sweep();
    assert.deepEqual(window.asked, ["Acme 1"]);
    assert.ok(await hasKey(window, "Acme"));
    window.settings = settingsWith("Beta", "Acme");
    await window.orphans.sweep();
    window.now += 2 * day;
    await window.orphans.sweep();
    assert.ok(await hasKey(window, "Acme"));
    // Gone once more is gone anew: the day begins again.
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    assert.deepEqual(window.asked, ["Acme 1", "Acme 1"]);
    assert.ok(await hasKey(window, "Acme"));
  });

  it("are asked about at the next look where the settings change while the store is read", async () => {
    const storedNames = window.keys.storedNames.bind(window.keys);
    window.keys.storedNames = async () => {
      const names = await storedNames();
      window.settings = settingsWith("Beta");
      return names;
    };
    await window.orphans.sweep();
    assert.deepEqual(window.asked, []);
    await window.orphans.sweep();
    assert.deepEqual(window.asked, ["Acme 1"]);
  });

  it("are not removed at the press of a button where the connection is back by then", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    window.settings = settingsWith("Beta", "Acme");
    assert.equal(await window.orphans.remove("Acme"), "connection-is-back");
    assert.ok(await hasKey(window, "Acme"));
  });

  it("are removed when a person says so, and come back on undo, to stay", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    assert.equal(await window.orphans.remove("Acme"), "removed");
    assert.deepEqual(window.removed, ["Acme"]);
    assert.ok(!(await hasKey(window, "Acme")));
    assert.ok(await hasKey(window, "Beta"));
    assert.deepEqual(await noted(), []);
    assert.deepEqual(await window.undo(), { kind: "stored" });
    assert.ok(await hasKey(window, "Acme"));
    window.now += 100 * day;
    await window.orphans.sweep();
    assert.ok(await hasKey(window, "Acme"));
    assert.deepEqual(window.asked, ["Acme 1"]);
  });

  it("do not come back on undo in the place of a key that was set since", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.remove("Acme");
    window.settings = settingsWith("Beta", "Acme");
    await window.keys.store("Acme", fakeKey("newer"), home);
    assert.equal(await window.undo(), undefined);
    assert.ok(await holds(window, "Acme", fakeKey("newer")));
  });

  it("are removed after a day without an answer, also after a restart", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    const next = await openWindow();
    next.settings = settingsWith("Beta");
    next.now = window.now + day / 2;
    await next.orphans.sweep();
    next.now += day / 2 - 1;
    await next.orphans.sweep();
    assert.ok(await hasKey(next, "Acme"));
    next.now += 1;
    await next.orphans.sweep();
    assert.ok(!(await hasKey(next, "Acme")));
    assert.deepEqual([next.asked, next.removed], [[], ["Acme"]]);
    assert.ok(await hasKey(next, "Beta"));
    next.keys.dispose();
  });

  it("are not removed by a clock that is set while nobody looks, ahead or back", async () => {
    window.settings = settingsWith("Beta");
    window.now -= 3000 * day;
    await window.orphans.sweep();
    await assertGoesBehind(window, [3000 * day, -365 * day, day / 2 - 1]);
    assert.deepEqual([window.asked, window.removed], [["Acme 1"], ["Acme"]]);
  });

  it("are given to the connection's new name, where that still holds at the press of the button", async () => {
    await window.keys.remove("Beta");
    const moved = "https://moved.example";
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    for (const origin of [undefined, moved]) {
      if (origin !== undefined) window.origins.set("Beta", origin);
      assert.equal(await window.orphans.move("Acme", "Beta"), "not-moved");
    }
    window.origins.set("Beta", home);
    window.settings = settingsWith("Beta", "Acme");
    assert.equal(await window.orphans.move("Acme", "Beta"), "connection-is-back");
    window.settings = settingsWith("Beta");
    await window.keys.store("Beta", fakeKey("newer"), home);
    assert.equal(await window.orphans.move("Acme", "Beta"), "not-moved");
    assert.ok(await holds(window, "Beta", fakeKey("newer")));
    assert.ok(await holds(window, "Acme", fakeKey("Acme")));
    await window.keys.remove("Beta");
    assert.equal(await window.orphans.move("Acme", "Beta"), "moved");
    assert.ok(await holds(window, "Beta", fakeKey("Acme")));
    assert.deepEqual(await window.keys.storedNames(), ["Beta"]);
    assert.deepEqual(await noted(), []);
  });

  it("stay when a person keeps them", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    await window.orphans.keep("Acme");
    window.now += 100 * day;
    await window.orphans.sweep();
    assert.ok(await hasKey(window, "Acme"));
  });

  it("stay as a person has said where the store fails between two looks", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    await window.orphans.keep("Acme");
    const failing = await openWindow({ keys: fails, get: fails });
    failing.settings = window.settings;
    await failing.orphans.sweep();
    failing.keys.dispose();
    for (const look of [1, 2]) {
      window.now += look * day;
      await window.orphans.sweep();
    }
    assert.deepEqual(window.asked, ["Acme 1"]);
    assert.ok(await hasKey(window, "Acme"));
  });

  it("stay while the setting is no list, however long that lasts", async () => {
    window.settings = { kind: "unreadable" };
    await window.orphans.sweep();
    window.now += 1000 * day;
    await window.orphans.sweep();
    assert.equal(await window.orphans.remove("Acme"), "connection-is-back");
    assert.deepEqual(window.asked, []);
    assert.ok(await hasKey(window, "Acme"));
  });

  it("stay for long where nothing at all stands in the settings, which may be a missing file", async () => {
    window.settings = { kind: "nothing" };
    await window.orphans.sweep();
    assert.deepEqual(window.asked.sort(), [`Acme ${patience.nothing}`, `Beta ${patience.nothing}`]);
    await assertGoesAfter(window, patience.nothing);
  });

  it("stay for as long as was said, also where other connections are in the settings by then", async () => {
    window.settings = { kind: "nothing" };
    await window.orphans.sweep();
    window.settings = settingsWith("Beta");
    await assertGoesAfter(window, patience.nothing);
  });

  it("are asked about anew where it was said of a connection that was back by then that its key stays", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    window.settings = settingsWith("Acme", "Beta");
    await window.orphans.sweep();
    await window.orphans.keep("Acme");
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    assert.deepEqual(window.asked, ["Acme 1", "Acme 1"]);
  });

  it("come back on undo also where nothing can be noted of them", async () => {
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    const other = await openWindow({}, fails);
    other.settings = window.settings;
    await assert.rejects(other.orphans.remove("Acme"));
    assert.ok(!(await hasKey(window, "Acme")));
    await assert.rejects(other.undo());
    assert.ok(await hasKey(window, "Acme"));
    other.keys.dispose();
  });

  it("are asked about by one window only", async () => {
    const other = await openWindow();
    window.settings = settingsWith("Beta");
    other.settings = settingsWith("Beta");
    await window.orphans.sweep();
    await other.orphans.sweep();
    assert.deepEqual([window.asked, other.asked], [["Acme 1"], []]);
    // What one of them keeps, the other does not remove.
    await other.orphans.keep("Acme");
    window.now += 2 * day;
    await window.orphans.sweep();
    assert.ok(await hasKey(window, "Acme"));
    other.keys.dispose();
  });

  it("are not taken for gone by what stands in the state", async () => {
    const { globalState } = await companionStores();
    await globalState.update("inference.goneConnections", [{ connection: "Acme", missedFor: "long" }, 7]);
    window.settings = settingsWith("Beta");
    await window.orphans.sweep();
    assert.deepEqual(window.asked, ["Acme 1"]);
    assert.ok(await hasKey(window, "Acme"));
  });
});
