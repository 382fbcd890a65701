import assert from "node:assert/strict";
import * as vscode from "vscode";
import { noQuirks } from "../service/quirks.ts";
import { startReferenceService } from "../service/serve.ts";
import { writeConnections } from "./testConnections.ts";
import { withOwnService } from "./withOwnService.ts";

function check(connection: string): Thenable<{ ok: boolean }> {
  return vscode.commands.executeCommand("inference.checkConnection", { connection });
}

describe("requests after the service refused a field", () => {
  const connection = withOwnService("Steered");
  const { service, keyVariable } = connection;

  beforeEach(() => connection.connect());

  const bodies = (): readonly string[] =>
    service.journal.entries.filter(({ method }) => method === "POST").map(({ fields = [] }) => fields.join());

  it("send the field's replacement instead, but only to this origin", async () => {
    service.quirks = { ...noQuirks, refuse: ["max_tokens"] };
    assert.ok((await check(connection.name)).ok);
    assert.deepEqual(bodies(), ["model,messages,max_tokens", "model,messages,max_completion_tokens"]);
    service.journal.clear();
    assert.ok((await check(connection.name)).ok);
    assert.deepEqual(bodies(), ["model,messages,max_completion_tokens"]);
    const other = await startReferenceService();
    process.env[keyVariable] = other.keys.add({});
    await writeConnections([{ name: "elsewhere", baseUrl: other.origin, keyVariable }]);
    assert.ok((await check("elsewhere")).ok);
    const sent = other.journal.entries.find(({ method }) => method === "POST");
    assert.deepEqual(sent?.fields, ["model", "messages", "max_tokens"]);
    await other.close();
  });
});
