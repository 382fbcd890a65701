import assert from "node:assert/strict";
import { withoutExposedKeys } from "../../src/connection/exposedKeys/exposedKeys.ts";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { SearchedKeys } from "../../src/editor/service/searchedKeys.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { writeConnections } from "./testConnections.ts";
import { sealKey } from "../support/sealFor.ts";

const home = "https://h.example";

describe("the keys searched for in texts", () => {
  let keys: ApiKeyStore;
  let connections: WorkspaceConnections;

  beforeEach(async () => {
    const { secrets, globalState, workspaceState } = await companionStores();
    await writeConnections([
      { name: "Used", baseUrl: home },
      { name: "Broken", baseUrl: 7 },
      { name: "Varied", baseUrl: home, keyVariable: "SERVICE_KEY" },
    ]);
    keys = new ApiKeyStore(
      secrets,
      { SERVICE_KEY: fakeKey("variable"), TEAM_TOKEN: fakeKey("team") },
      globalState,
    );
    connections = new WorkspaceConnections(
      new WorkspaceBinding(workspaceState),
      new ConnectionWorkspaces(globalState),
    );
  });
  afterEach(async () => {
    for (const name of await keys.storedNames()) await keys.remove(name);
    connections.dispose();
    keys.dispose();
    await writeConnections(undefined);
  });

  it("include keys that no connection uses now", async () => {
    const names = ["Used", "Broken", "Varied", "Gone"];
    for (const name of names) await keys.store(name, sealKey(fakeKey(name), home));
    const list = await new SearchedKeys(connections, keys).list();
    const found = list.map(({ connectionName }) => connectionName);
    assert.deepEqual(found.slice(0, 2), ["Used", "Varied"]);
    assert.deepEqual(found.slice(2).sort(), ["Broken", "Gone", "Varied"]);
    for (const name of [...names, "variable"])
      assert.equal(withoutExposedKeys(`a ${fakeKey(name)} b`, list).text, "a [API key] b", name);
  });

  it("include the values of headers in environment variables, also beside a faulty header", async () => {
    await writeConnections([
      { name: "Used", baseUrl: home, headers: { "x-team-token": { variable: "TEAM_TOKEN" }, host: "x" } },
    ]);
    const searched = new SearchedKeys(connections, keys);
    const list = await searched.list();
    const text = withoutExposedKeys(`a ${fakeKey("team")} b`, list);
    assert.deepEqual(text, { text: "a [API key] b", connectionNames: ["Used"] });
    const environment = { OTHER: "x", COPY: `Bearer ${fakeKey("team")}` };
    assert.deepEqual(await searched.variableNames(environment), ["INFERENCE_API_KEY", "TEAM_TOKEN", "COPY"]);
  });
});
