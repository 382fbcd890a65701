import assert from "node:assert/strict";
import { SecretStoreError } from "../../../../src/editor/shared/errorReason.ts";
import { UnusedKeys } from "../../../../src/editor/key/unusedKeys.ts";
import { sealFor } from "../../../support/sealFor.ts";
import { createMemento } from "../workspace/memento.ts";

const home = "https://h.example";
const stateKey = "inference.goneConnections";

/** A window with two stored keys. Windows share their state if they get the same memento. */
function openWindow(state = createMemento()) {
  const window = {
    state,
    stored: ["Acme", "Beta"] as readonly string[],
    given: [] as readonly string[],
    settings: ["Acme", "Beta"] as readonly string[] | Error,
    isFailing: false,
    whileRead: (): void => undefined,
  };
  const namesInSettings = (): readonly string[] => {
    if (window.settings instanceof Error) throw window.settings;
    return window.settings;
  };
  const keys = {
    storedNames: async () => {
      window.whileRead();
      return window.isFailing ? [] : window.stored;
    },
    get recordedNames() {
      return window.given;
    },
    has: async (name: string) => {
      if (window.isFailing) throw new SecretStoreError();
      return window.stored.includes(name);
    },
    sealOf: async () => sealFor(home),
  };
  return Object.assign(window, { unused: new UnusedKeys(keys, state, namesInSettings) });
}

describe("UnusedKeys", () => {
  it("reports no key if all connections are in the settings", async () => {
    const { unused } = openWindow();
    assert.deepEqual(await unused.takeUnreported(), []);
    assert.deepEqual(await unused.list(), []);
  });

  it("reports a key once in all windows, until its connection returns and disappears again", async () => {
    const window = openWindow();
    const other = openWindow(window.state);
    window.settings = other.settings = ["Beta"];
    assert.deepEqual(await window.unused.takeUnreported(), ["Acme"]);
    assert.deepEqual(await window.unused.takeUnreported(), []);
    assert.deepEqual(await other.unused.takeUnreported(), []);
    other.settings = ["Acme"];
    assert.deepEqual(await other.unused.takeUnreported(), ["Beta"]);
    assert.deepEqual(await window.unused.takeUnreported(), ["Acme"]);
  });

  it("reports all new unused keys together if the settings are empty", async () => {
    const window = openWindow();
    window.settings = [];
    assert.deepEqual(await window.unused.takeUnreported(), ["Acme", "Beta"]);
  });

  it("reports a key only at the next read if its connection disappears during a read", async () => {
    const window = openWindow();
    window.whileRead = () => void (window.settings = ["Beta"]);
    assert.deepEqual(await window.unused.takeUnreported(), []);
    assert.deepEqual(await window.unused.takeUnreported(), ["Acme"]);
  });

  it("reports and forgets no key if the setting is not a list", async () => {
    const window = openWindow();
    window.settings = ["Beta"];
    await window.unused.takeUnreported();
    window.settings = new Error("The setting is not a list.");
    await assert.rejects(window.unused.takeUnreported(), /not a list/);
    await assert.rejects(window.unused.list(), /not a list/);
    window.settings = ["Beta"];
    assert.deepEqual(await window.unused.takeUnreported(), []);
  });

  it("remembers reported keys while the storage fails", async () => {
    const window = openWindow();
    window.settings = ["Beta"];
    await window.unused.takeUnreported();
    window.isFailing = true;
    assert.deepEqual(await window.unused.takeUnreported(), []);
    await assert.rejects(window.unused.list(), SecretStoreError);
    window.isFailing = false;
    assert.deepEqual(await window.unused.takeUnreported(), []);
  });

  it("rejects `list` if the storage fails before the first report", async () => {
    const window = openWindow();
    window.settings = ["Beta"];
    window.given = ["Acme", "Beta", "Lost"];
    window.isFailing = true;
    await assert.rejects(window.unused.list(), SecretStoreError);
    window.isFailing = false;
    assert.deepEqual(
      (await window.unused.list()).map(({ name }) => name),
      ["Acme"],
    );
  });

  it("lists since when a key is unused, also from the record of an earlier version", async () => {
    const window = openWindow();
    await window.state.update(stateKey, [
      { connection: "Acme", lookedAt: 5000, missedFor: 2000, promised: 30, asked: true, kept: false },
      { connection: "Removed", lookedAt: 5000, missedFor: 2000 },
    ]);
    window.settings = [];
    const listed = await window.unused.list();
    assert.deepEqual(
      listed.map(({ name, seal, since }) => [name, seal?.toString(), since]),
      [
        ["Acme", home, 3000],
        ["Beta", home, undefined],
      ],
    );
    assert.deepEqual(await window.unused.takeUnreported(), ["Beta"]);
    const [, beta] = await window.unused.list();
    assert.ok(beta?.since !== undefined);
  });

  it("stops an earlier version in another window from removing a reported key", async () => {
    const window = openWindow();
    await window.state.update(stateKey, [{ connection: "Acme", lookedAt: 5000, missedFor: 2000 }]);
    window.settings = [];
    await window.unused.takeUnreported();
    const records = window.state.get<readonly { kept: boolean }[]>(stateKey);
    assert.deepEqual(
      records?.map(({ kept }) => kept),
      [true, true],
    );
  });

  it("starts over if the stored state can't be read", async () => {
    const window = openWindow();
    await window.state.update(stateKey, [{ connection: "Acme", missedFor: "long" }, 7]);
    window.settings = ["Beta"];
    assert.deepEqual(await window.unused.takeUnreported(), ["Acme"]);
  });

  it("does not report a key again after its removal was undone", async () => {
    const window = openWindow();
    window.settings = ["Beta"];
    await window.unused.takeUnreported();
    const [acme] = await window.unused.list();
    assert.ok(acme !== undefined);
    await window.unused.forget(acme);
    assert.deepEqual(window.state.get(stateKey), []);
    await window.unused.note(acme);
    assert.deepEqual(await window.unused.takeUnreported(), []);
    assert.deepEqual(await window.unused.list(), [acme]);
  });
});
