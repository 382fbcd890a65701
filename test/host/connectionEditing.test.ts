import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Connection } from "../../src/connection/connection.ts";
import { ApiKeyStore } from "../../src/editor/apiKeyStore.ts";
import { ConnectionEditing } from "../../src/editor/connectionEditing.ts";
import { ConnectionWorkspaces } from "../../src/editor/connectionWorkspaces.ts";
import { WorkspaceBinding } from "../../src/editor/workspaceBinding.ts";
import { WorkspaceConnections } from "../../src/editor/workspaceConnections.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { writeConnections } from "./testConnections.ts";

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
    return (await keys.readForSearch(named(name)))?.occurrencesIn(key).length === 1;
  }

  it("puts a removed connection and its key back", async () => {
    await keys.store("Edited", fakeKey("before"), home);
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

  it("puts all entries of a name back, where they stood", async () => {
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

  it("takes no name whose entry cannot be used, or whose key is still stored", async () => {
    await writeConnections([
      { name: "Edited", baseUrl: home },
      { name: "Broken", baseUrl: 7 },
    ]);
    await keys.store("Gone", fakeKey("orphan"), home);
    await keys.store("Edited", fakeKey("own"), home);
    await assert.rejects(editing.renameTo(named("Edited"), "Broken"), /named Broken already/);
    await assert.rejects(editing.renameTo(named("Edited"), "Gone"), /stored under the name Gone/);
    await editing.renameTo(named("Edited"), "Renamed");
    assert.ok(await holds("Renamed", fakeKey("own")));
    assert.deepEqual([...(await keys.storedNames())].sort(), ["Gone", "Renamed"]);
  });

  it("keeps the seal of a variable's key through a new name, and forgets it with the connection", async () => {
    const entry = { baseUrl: home, keyVariable: "SERVICE_KEY" };
    await writeConnections([{ name: "Edited", ...entry }]);
    await keys.read(named("Edited"));
    await editing.renameTo(named("Edited"), "Renamed");
    await writeConnections([{ name: "Renamed", ...entry, baseUrl: "https://moved.example" }]);
    assert.equal(keys.variables.movedOf(named("Renamed"))?.sealedOrigin, home);
    await editing.remove(named("Renamed"));
    await writeConnections([{ name: "Renamed", ...entry, baseUrl: "https://moved.example" }]);
    assert.equal(keys.variables.movedOf(named("Renamed")), undefined);
  });

  it("does not put the key of a removed connection into another one of its name", async () => {
    await keys.store("Edited", fakeKey("before"), home);
    const undo = await editing.remove(named("Edited"));
    await writeConnections([{ name: "Edited", baseUrl: "https://other.example" }]);
    await assert.rejects(undo(), /There is a connection named Edited again/);
    assert.deepEqual(await keys.storedNames(), []);
    await keys.store("Edited", fakeKey("after"), home);
    await assert.rejects(undo());
    assert.ok(await holds("Edited", fakeKey("after")));
  });

  it("does not put a removed key back over the one that was set since", async () => {
    await keys.store("Edited", fakeKey("before"), home);
    const undo = await editing.removeKey(named("Edited"));
    await keys.store("Edited", fakeKey("after"), home);
    assert.ok(undo !== undefined);
    await assert.rejects(undo(), /has another key by now/);
    assert.ok(await holds("Edited", fakeKey("after")));
  });
});
