import assert from "node:assert/strict";
import { CheckConsents } from "../../src/editor/check/checkConsents.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { companionStores } from "./companionStores.ts";
import { writeConnections } from "./testConnections.ts";

describe("the consent to a billable check", () => {
  it("is stored by origin and client style, for a connection of any name", async () => {
    const { globalState, workspaceState } = await companionStores();
    const names = ["Acme", "constructor", "__proto__"];
    await writeConnections(names.map((name) => ({ name, baseUrl: "https://h.example" })));
    const connections = new WorkspaceConnections(
      new WorkspaceBinding(workspaceState),
      new ConnectionWorkspaces(globalState),
    );
    const consents = new CheckConsents(globalState, connections);
    assert.deepEqual(
      connections.all.map(({ name }) => name),
      names,
    );
    for (const connection of connections.all) {
      assert.ok(!consents.has(connection, "messages"));
      await consents.grant(connection, "messages");
      await consents.grant(connection, "messages");
      assert.ok(consents.has(connection, "messages"), connection.name);
      assert.ok(!consents.has(connection, "chat-completions"));
    }
    await globalState.update("inference.checkConsents", undefined);
    consents.dispose();
    connections.dispose();
    await writeConnections(undefined);
  });
});
