import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { connectionCommands } from "../../src/editor/connections/connectionCommands.ts";
import { ConnectionEditing } from "../../src/editor/connections/connectionEditing.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { showConnectionAdded } from "../../src/editor/connections/connectionNotices.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { writeConnections } from "./testConnections.ts";
import { sealKey } from "../support/sealFor.ts";

/** Records the connections whose key would be requested. */
class Asked extends ConnectionEditing {
  readonly names: string[] = [];

  override async setKey({ name }: { readonly name: string }): Promise<undefined> {
    this.names.push(name);
  }
}

describe("actions for one connection while the workspace uses another", () => {
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const { executeCommand } = vscode.commands;
  let connections: WorkspaceConnections;
  let keys: ApiKeyStore;
  let globalState: vscode.Memento;

  beforeEach(async () => {
    const stores = await companionStores();
    const { secrets, workspaceState } = stores;
    ({ globalState } = stores);
    await writeConnections(["Used", "Added"].map((name) => ({ name, baseUrl: "https://h.example" })));
    keys = new ApiKeyStore(secrets, {}, globalState);
    connections = new WorkspaceConnections(
      new WorkspaceBinding(workspaceState),
      new ConnectionWorkspaces(globalState),
    );
    await connections.use({ name: "Used" });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showInformationMessage, showWarningMessage });
    Object.assign(vscode.commands, { executeCommand });
    connections.dispose();
    keys.dispose();
    await writeConnections(undefined);
  });

  function commandsBy(editing: ConnectionEditing): ReturnType<typeof connectionCommands> {
    return connectionCommands({ connections, keys, globalState }, editing);
  }

  it("apply to the connection that the notice names", async () => {
    const run: unknown[][] = [];
    Object.assign(vscode.commands, { executeCommand: async (...values: unknown[]) => void run.push(values) });
    for (const [label, hasKey] of [
      ["Set API Key...", false],
      ["Check Connection", true],
    ] as const) {
      Object.assign(vscode.window, { showInformationMessage: async () => label });
      await showConnectionAdded({ name: "Added", hasKey, isUsed: false });
    }
    assert.deepEqual(run, [
      [commandIds.setApiKey, "Added"],
      [commandIds.checkConnection, "Added"],
    ]);
  });

  it("remove a stored key that an environment variable replaced, if the user agrees", async () => {
    await keys.store("Used", sealKey(fakeKey("left"), "https://h.example"));
    await writeConnections([{ name: "Used", baseUrl: "https://h.example", keyVariable: "SOME_KEY" }]);
    const told: string[] = [];
    const answer = async (text: string): Promise<string> => {
      told.push(text);
      return "Remove";
    };
    Object.assign(vscode.window, { showWarningMessage: answer, showInformationMessage: answer });
    const { [commandIds.removeApiKey]: removeApiKey } = commandsBy(new ConnectionEditing(connections, keys));
    await removeApiKey();
    assert.ok(!(await keys.storedNames()).includes("Used"));
    assert.match(told[0] ?? "", /^Remove the API key for 'Used'/);
    told.length = 0;
    await removeApiKey();
    assert.match(told[0] ?? "", /comes from the environment variable SOME_KEY/);
  });

  it("apply to the named connection, and to no other if the name does not exist", async () => {
    const warnings: string[] = [];
    Object.assign(vscode.window, { showWarningMessage: async (text: string) => void warnings.push(text) });
    const editing = new Asked(connections, keys);
    const { [commandIds.setApiKey]: setApiKey } = commandsBy(editing);
    await setApiKey("Added");
    await setApiKey();
    await setApiKey("Gone");
    assert.deepEqual(editing.names, ["Added", "Used"]);
    assert.deepEqual(warnings, ["No connection is named 'Gone'."]);
  });
});
