import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Connection } from "../../src/connection/setup/connection.ts";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { SecretStoreError } from "../../src/editor/shared/errorReason.ts";
import { requireConnection } from "../../src/editor/workspace/chooseConnection.ts";
import { ConnectionEditing } from "../../src/editor/connections/connectionEditing.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { refuseSettings } from "./refuseSettings.ts";
import { writeConnections } from "./testConnections.ts";
import { sealKey } from "../support/sealFor.ts";

const home = "https://h.example";

function writtenConnections(): unknown {
  return vscode.workspace.getConfiguration("inference").inspect("connections")?.globalValue;
}

describe("editing connections", () => {
  let keys: ApiKeyStore;
  let connections: WorkspaceConnections;
  let editing: ConnectionEditing;

  beforeEach(async () => {
    const { secrets, globalState, workspaceState } = await companionStores();
    await writeConnections([{ name: "Edited", baseUrl: home }]);
    keys = new ApiKeyStore(secrets, { SERVICE_KEY: fakeKey("variable") }, globalState);
    connections = new WorkspaceConnections(
      new WorkspaceBinding(workspaceState),
      new ConnectionWorkspaces(globalState),
    );
    editing = new ConnectionEditing(connections, keys);
  });
  afterEach(async () => {
    for (const name of await keys.storedNames()) await keys.remove(name);
    connections.dispose();
    keys.dispose();
    await writeConnections(undefined);
  });

  function named(name: string): Connection {
    const connection = connections.named(name);
    assert.ok(connection !== undefined);
    return connection;
  }

  async function holds(name: string, key: string): Promise<boolean> {
    return (await keys.readForSearch(named(name)))?.wholeKeysIn(key).length === 1;
  }

  it("restores a removed connection and its key", async () => {
    await keys.store("Edited", sealKey(fakeKey("before"), home));
    await connections.use(named("Edited"));
    await connections.chooseModel(named("Edited"), "service-large", "list");
    await connections.chooseClientStyle(named("Edited"), "messages");
    const workspaces = connections.workspacesOf("Edited");
    const undo = await editing.remove(named("Edited"));
    assert.equal(connections.named("Edited"), undefined);
    await undo();
    assert.ok(await holds("Edited", fakeKey("before")));
    const edited = named("Edited");
    assert.deepEqual(
      [connections.modelFor(edited), connections.clientStyleFor(edited), connections.workspacesOf("Edited")],
      ["service-large", "messages", workspaces],
    );
  });

  it("restores all entries of a name at their old positions", async () => {
    const entries = [
      { name: "Edited", baseUrl: home },
      { name: "Other", baseUrl: home },
      { name: "Edited", baseUrl: "https://second.example" },
      { name: "Last", baseUrl: home },
    ];
    await writeConnections(entries);
    const undo = await editing.remove(named("Edited"));
    await undo();
    assert.deepEqual(writtenConnections(), entries);
  });

  it("refuses a name whose entry is invalid or whose key is still stored", async () => {
    await writeConnections([
      { name: "Edited", baseUrl: home },
      { name: "Broken", baseUrl: 7 },
    ]);
    await keys.store("Gone", sealKey(fakeKey("orphan"), home));
    await keys.store("Edited", sealKey(fakeKey("own"), home));
    await assert.rejects(editing.renameTo(named("Edited"), "Broken"), /named 'Broken' already/);
    await assert.rejects(editing.renameTo(named("Edited"), "Gone"), /stored under the name 'Gone'/);
    await editing.renameTo(named("Edited"), "Renamed");
    assert.ok(await holds("Renamed", fakeKey("own")));
    assert.deepEqual([...(await keys.storedNames())].sort(), ["Gone", "Renamed"]);
  });

  it("leaves the new name free and the key in place if the settings cannot be written", async () => {
    await keys.store("Edited", sealKey(fakeKey("own"), home));
    const restore = refuseSettings();
    try {
      await assert.rejects(editing.renameTo(named("Edited"), "Renamed"), /not written/);
    } finally {
      restore();
    }
    assert.deepEqual(await keys.storedNames(), ["Edited"]);
    await editing.renameTo(named("Edited"), "Renamed");
    assert.ok(await holds("Renamed", fakeKey("own")));
  });

  it("keeps the old name if the secret storage does not save the key under the new name", async () => {
    const { secrets, globalState } = await companionStores();
    await keys.store("Edited", sealKey(fakeKey("own"), home));
    const readOnly: vscode.SecretStorage = {
      get: (name) => secrets.get(name),
      delete: (name) => secrets.delete(name),
      keys: () => secrets.keys(),
      onDidChange: secrets.onDidChange,
      store: async () => Promise.reject(new Error("The store cannot write.")),
    };
    const stuck = new ApiKeyStore(readOnly, {}, globalState);
    try {
      const renaming = new ConnectionEditing(connections, stuck).renameTo(named("Edited"), "Renamed");
      await assert.rejects(renaming, SecretStoreError);
    } finally {
      stuck.dispose();
    }
    assert.deepEqual(writtenConnections(), [{ name: "Edited", baseUrl: home }]);
    assert.deepEqual(await keys.storedNames(), ["Edited"]);
    assert.ok(await holds("Edited", fakeKey("own")));
  });

  it("keeps the workspace bound to the connection that it used, even if another one replaces it", async () => {
    const { globalState, workspaceState } = await companionStores();
    await workspaceState.update("inference.binding", undefined);
    const unbound = new WorkspaceConnections(
      new WorkspaceBinding(workspaceState),
      new ConnectionWorkspaces(globalState),
    );
    try {
      assert.equal((await requireConnection(unbound))?.name, "Edited");
      await writeConnections([{ name: "Other", baseUrl: "https://other.example" }]);
      assert.equal(unbound.current, undefined);
    } finally {
      unbound.dispose();
    }
  });

  it("restores a removed key on the second Undo if the secret storage failed on the first", async () => {
    await keys.store("Edited", sealKey(fakeKey("before"), home));
    const undo = await editing.remove(named("Edited"));
    const has = keys.has.bind(keys);
    keys.has = async () => Promise.reject(new SecretStoreError());
    await assert.rejects(undo(), SecretStoreError);
    keys.has = has;
    await undo();
    assert.ok(await holds("Edited", fakeKey("before")));
  });

  it("follows a connection that another window renamed, with its model", async () => {
    const { globalState, workspaceState } = await companionStores();
    await connections.use(named("Edited"));
    await connections.chooseModel(named("Edited"), "service-large", "list");
    // The other window has its own workspace state and shares the list of workspaces.
    await new ConnectionWorkspaces(globalState).rename("Edited", "Renamed");
    await writeConnections([{ name: "Renamed", baseUrl: home }]);
    assert.equal(connections.current?.name, "Renamed");
    assert.equal((await requireConnection(connections))?.name, "Renamed");
    assert.equal(new WorkspaceBinding(workspaceState).connectionName, "Renamed");
    assert.equal(connections.modelFor(named("Renamed")), "service-large");
  });

  it("uses the renamed connection in a workspace bound to its former name, which a new one has", async () => {
    const { workspaceState } = await companionStores();
    await connections.use(named("Edited"));
    const stored = workspaceState.get("inference.binding");
    await editing.renameTo(named("Edited"), "Renamed");
    const { address, clientStyle } = named("Renamed");
    assert.ok(address.kind === "address");
    await editing.addAs({ name: "Edited", address: address.address, clientStyle }, undefined);
    // Another window has its own workspace state, which the rename didn't reach.
    await workspaceState.update("inference.binding", stored);
    assert.equal(connections.current?.name, "Renamed");
    assert.ok(!connections.isSelected(named("Edited")));
  });

  it("gives the chats of a renamed connection to no other, even if one takes the former name and is removed", async () => {
    await editing.renameTo(named("Edited"), "Renamed");
    assert.equal(connections.namedOrRenamed("Edited")?.name, "Renamed");
    const { address, clientStyle } = named("Renamed");
    assert.ok(address.kind === "address");
    const answer = { connection: "Edited", at: new Date(Date.now() - 1).toISOString() };
    assert.equal(connections.currentNameOf(answer), "Renamed");
    await editing.addAs({ name: "Edited", address: address.address, clientStyle }, undefined);
    assert.equal(connections.currentNameOf(answer), undefined, "another connection has its name");
    const later = { ...answer, at: new Date(Date.now() + 1).toISOString() };
    assert.equal(connections.currentNameOf(later), "Edited");
    assert.equal(connections.currentNameOf({ ...answer, connection: "Renamed" }), "Renamed");
    await writeConnections([{ name: "Renamed", baseUrl: home }]);
    assert.equal(connections.namedOrRenamed("Edited"), undefined);
  });

  it("follows the client style of the settings again after the workspace's choice was removed", async () => {
    await connections.chooseClientStyle(named("Edited"), "messages");
    await connections.chooseClientStyle(named("Edited"), undefined);
    assert.equal(connections.clientStyleFor(named("Edited")), "chat-completions");
    await writeConnections([{ name: "Edited", baseUrl: home, clientStyle: "messages" }]);
    assert.equal(connections.clientStyleFor(named("Edited")), "messages");
  });

  it("keeps the origin of a variable's key after a rename, and forgets it when the connection is removed", async () => {
    const entry = { baseUrl: home, keyVariable: "SERVICE_KEY" };
    await writeConnections([{ name: "Edited", ...entry }]);
    await keys.read(named("Edited"));
    await editing.renameTo(named("Edited"), "Renamed");
    await writeConnections([{ name: "Renamed", ...entry, baseUrl: "https://moved.example" }]);
    assert.equal(keys.variables.movedOf(named("Renamed"))?.seal.toString(), home);
    await editing.remove(named("Renamed"));
    await writeConnections([{ name: "Renamed", ...entry, baseUrl: "https://moved.example" }]);
    assert.equal(keys.variables.movedOf(named("Renamed")), undefined);
  });

  it("does not restore a removed connection or its key if a new connection has the same name", async () => {
    await keys.store("Edited", sealKey(fakeKey("before"), home));
    const undo = await editing.remove(named("Edited"));
    await writeConnections([{ name: "Edited", baseUrl: "https://other.example" }]);
    await assert.rejects(undo(), /Another connection already uses the name 'Edited'/);
    assert.deepEqual(await keys.storedNames(), []);
    await keys.store("Edited", sealKey(fakeKey("after"), home));
    await assert.rejects(undo());
    assert.ok(await holds("Edited", fakeKey("after")));
  });

  it("does not restore a removed key over a newer one", async () => {
    await keys.store("Edited", sealKey(fakeKey("before"), home));
    const undo = await editing.removeKey(named("Edited"));
    await keys.store("Edited", sealKey(fakeKey("after"), home));
    assert.ok(undo !== undefined);
    await assert.rejects(undo(), /already has a new key/);
    assert.ok(await holds("Edited", fakeKey("after")));
  });
});
