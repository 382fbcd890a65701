import assert from "node:assert/strict";
import * as vscode from "vscode";
import { noQuirks } from "../service/quirks.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_HOST_TEST_KEY";

function check(connection = "steered"): Thenable<{ ok: boolean }> {
  return vscode.commands.executeCommand("inference.checkConnection", { connection });
}

describe("requests, after a field was refused", () => {
  let service: ReferenceService;

  beforeEach(async () => {
    service = await startReferenceService();
    process.env[keyVariable] = service.keys.add({});
    await writeConnections([{ name: "steered", baseUrl: service.origin, keyVariable }]);
  });
  afterEach(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await service.close();
  });

  const bodies = (): readonly string[] =>
    service.journal.entries.filter(({ method }) => method === "POST").map(({ fields = [] }) => fields.join());

  it("leave it out, for this origin only", async () => {
    service.quirks = { ...noQuirks, refuse: ["max_tokens"] };
    assert.ok((await check()).ok);
    assert.deepEqual(bodies(), ["model,messages,max_tokens", "model,messages,max_completion_tokens"]);
    service.journal.clear();
    assert.ok((await check()).ok);
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
