import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { connectionCommands } from "../../src/editor/connections/connectionCommands.ts";
import { namesInSettings } from "../../src/editor/workspace/connectionEntries.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { UnusedKeys } from "../../src/editor/key/unusedKeys.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { type AnswerDialogue, ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";
import { sealKey } from "../support/sealFor.ts";

const home = "https://h.example";
const inUse = { name: "Used", baseUrl: home };

describe("Remove Unused Keys", () => {
  const { showQuickPick } = vscode.window;
  let connections: WorkspaceConnections;
  let keys: ApiKeyStore;
  let unused: UnusedKeys;
  let globalState: vscode.Memento;
  let shown: ShownDialogues;
  let listed: readonly vscode.QuickPickItem[];

  beforeEach(async () => {
    const stores = await companionStores();
    const { secrets, workspaceState } = stores;
    ({ globalState } = stores);
    await writeConnections([inUse]);
    keys = new ApiKeyStore(secrets, {}, globalState);
    connections = new WorkspaceConnections(
      new WorkspaceBinding(workspaceState),
      new ConnectionWorkspaces(globalState),
    );
    unused = new UnusedKeys(keys, globalState, namesInSettings);
    for (const name of ["Used", "Acme", "Beta"]) await keys.store(name, sealKey(fakeKey(name), home));
    await unused.takeUnreported();
    listed = [];
  });
  afterEach(async () => {
    shown.dispose();
    Object.assign(vscode.window, { showQuickPick });
    for (const name of await keys.storedNames()) await keys.remove(name);
    for (const name of ["Acme", "Beta"]) await unused.forget({ name, seal: undefined, since: undefined });
    connections.dispose();
    keys.dispose();
    await writeConnections(undefined);
  });

  /** Runs the command with these rows selected and the dialogs answered. */
  async function run(ticked: readonly string[], answer: AnswerDialogue): Promise<void> {
    shown = new ShownDialogues(answer);
    const pick = async (items: readonly vscode.QuickPickItem[]) => {
      listed = items;
      return items.filter(({ label }) => ticked.includes(label));
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    await connectionCommands({ connections, keys, globalState })[commandIds.removeUnusedKeys]();
  }

  async function change(): Promise<void> {
    await new Promise<unknown>((resolve) => void keys.onDidChange(resolve));
  }

  async function storedNames(): Promise<readonly string[]> {
    return [...(await keys.storedNames())].sort();
  }

  it("removes the selected keys after confirmation, and offers Undo", async () => {
    await run(["Acme"], ({ buttons }) => buttons[0]);
    assert.deepEqual(
      listed.map(({ label, description }) => [label, description]),
      [
        ["Acme", home],
        ["Beta", home],
      ],
    );
    assert.ok(listed.every(({ detail }) => detail?.startsWith("Unused since ")));
    assert.ok(!JSON.stringify(listed).includes(fakeKey("Acme")));
    assert.deepEqual(shown.messages, [
      "Remove the API key for 'Acme' from this computer?",
      "Removed the API key for 'Acme' from this computer.",
    ]);
    for (let next = change(); !(await storedNames()).includes("Acme"); next = change()) await next;
    assert.deepEqual(await storedNames(), ["Acme", "Beta", "Used"]);
  });

  it("removes all selected keys, and says so if no unused key is stored", async () => {
    await run(["Acme", "Beta"], ({ buttons }) => buttons.find((button) => button === "Remove"));
    assert.equal(shown.messages[0], "Remove 2 keys from this computer?");
    assert.deepEqual(await storedNames(), ["Used"]);
    shown.dispose();
    await run([], () => undefined);
    assert.deepEqual(shown.messages, ["No unused keys are stored on this computer."]);
  });

  it("keeps all keys if the user selects no key or dismisses the question", async () => {
    await run([], () => assert.fail("nothing was chosen"));
    shown.dispose();
    await run(["Acme", "Beta"], () => undefined);
    assert.equal(shown.messages.length, 1);
    assert.deepEqual(await storedNames(), ["Acme", "Beta", "Used"]);
  });

  it("keeps a key if its connection returns before the question is answered", async () => {
    await run(["Acme"], async ({ buttons }) => {
      await writeConnections([inUse, { name: "Acme", baseUrl: home }]);
      return buttons[0];
    });
    assert.equal(
      shown.messages[1],
      "The connection 'Acme' is in the settings again, so its key was not removed.",
    );
    assert.deepEqual(await storedNames(), ["Acme", "Beta", "Used"]);
  });
});
