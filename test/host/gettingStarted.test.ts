import assert from "node:assert/strict";
import * as vscode from "vscode";
import { contextKeys } from "../../src/contributions.ts";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { GettingStarted } from "../../src/editor/statusBar/gettingStarted.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { writeConnections } from "./testConnections.ts";
import { sealKey } from "../support/sealFor.ts";

const home = "https://h.example";

describe("the steps of the walkthrough", () => {
  const { executeCommand } = vscode.commands;
  const owned: vscode.Disposable[] = [];
  /** The steps that were reported to VS Code as done. */
  let told: unknown[];
  let state: vscode.Memento;
  let keys: ApiKeyStore;
  let connections: WorkspaceConnections;

  beforeEach(async () => {
    const { secrets } = await companionStores();
    told = [];
    Object.assign(vscode.commands, {
      executeCommand: async (command: string, ...values: readonly unknown[]) =>
        command === "setContext" ? void told.push(values[0]) : executeCommand(command, ...values),
    });
    state = createMemento();
    keys = new ApiKeyStore(secrets, {}, state);
    connections = new WorkspaceConnections(
      new WorkspaceBinding(createMemento()),
      new ConnectionWorkspaces(state),
    );
    owned.push(keys, connections);
  });
  afterEach(async () => {
    Object.assign(vscode.commands, { executeCommand });
    for (const name of await keys.storedNames()) await keys.remove(name);
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await writeConnections(undefined);
  });

  function start(environment: Readonly<Record<string, string>> = {}): GettingStarted {
    const started = new GettingStarted({ connections, keys, state, environment });
    owned.push(started);
    return started;
  }

  it("are done when their task is done, and stay done after a restart", async () => {
    const started = start();
    assert.deepEqual(told, []);
    await writeConnections([{ name: "Started", baseUrl: home }]);
    assert.deepEqual(told, [contextKeys.hasConnection]);
    const changed = new Promise((resolve) => keys.onDidChange(resolve));
    await keys.store("Started", sealKey(fakeKey("started"), home));
    await changed;
    // `GettingStarted` checks for a key; this later read resolves after that check.
    await keys.has("Started");
    started.done("checkPassed");
    started.done("hasChatted");
    const { hasConnection, hasKey, checkPassed, hasChatted } = contextKeys;
    const all = [hasConnection, hasKey, checkPassed, hasChatted];
    assert.deepEqual(told, all);
    await writeConnections(undefined);
    await keys.remove("Started");
    told = [];
    start();
    assert.deepEqual(told, all);
  });

  it("count a key in the environment variable that a connection names", async () => {
    await writeConnections([{ name: "Started", baseUrl: home, keyVariable: "STARTED_KEY" }]);
    start();
    assert.equal(told.at(-1), contextKeys.hasConnection);
    start({ STARTED_KEY: fakeKey("started") });
    assert.equal(told.at(-1), contextKeys.hasKey);
  });
});
