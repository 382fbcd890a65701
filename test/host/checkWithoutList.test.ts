import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { ShownReports } from "./shownReports.ts";
import { writeConnections } from "./testConnections.ts";

const name = "No list";
const keyVariable = "INFERENCE_NO_LIST_KEY";

const say = (response: ServerResponse, value: object): void => void response.end(JSON.stringify(value));

describe("the check of a service that lacks parts of the specification", () => {
  let plain: PlainServer;
  let dialogues: ShownDialogues;
  let reports: ShownReports;

  // One server for all tests, because a variable's key is bound to the server's origin.
  before(async () => {
    plain = await startPlainServer();
    process.env[keyVariable] = fakeKey("listless");
  });
  beforeEach(async () => {
    await writeConnections([
      { name, baseUrl: plain.origin, keyVariable, clientStyle: "messages", model: "own-model" },
    ]);
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === "Run Check"));
    reports = new ShownReports();
  });
  afterEach(async () => {
    reports.dispose();
    dialogues.dispose();
    await writeConnections(undefined);
  });
  after(async () => {
    delete process.env[keyVariable];
    await plain.close();
  });

  const message = { type: "message", content: [{ type: "text", text: "pong" }], stop_reason: "max_tokens" };
  const completion = { choices: [{ message: { content: "pong" }, finish_reason: "length" }] };

  it("passes without a model list, and offers the models used before", async () => {
    plain.answer = (request, response) => {
      if (request.method === "GET") response.writeHead(404).end("Cannot GET /v1/models");
      else say(response, request.url === "/v1/messages" ? message : completion);
    };
    await vscode.commands.executeCommand(commandIds.checkConnection);
    const { summary } = reports.page(`Connection Check: ${name}`).report;
    assert.deepEqual(summary, { state: "good", text: "You can chat. The service provides no model list." });
    const inputs = new AnsweredInputs(["Model for 'No list' in This Workspace", "other-model"]);
    await vscode.commands.executeCommand(commandIds.selectModel);
    inputs.expect(["Model for 'No list' in This Workspace", undefined]);
    await vscode.commands.executeCommand(commandIds.selectModel);
    assert.deepEqual(
      inputs.all.at(-1)?.rows.map((row) => row.split(" · ")[0]),
      ["other-model", "own-model", "service-core"],
    );
    inputs.dispose();
  });

  it("judges a Messages connection by its own style if there are no chat completions", async () => {
    plain.answer = (request, response) => {
      if (request.method === "GET") say(response, { data: [{ id: "own-model" }] });
      else if (request.url === "/v1/messages") say(response, message);
      else response.writeHead(404).end("Not Found");
    };
    await vscode.commands.executeCommand(commandIds.checkConnection);
    const { report } = reports.page(`Connection Check: ${name}`);
    assert.equal(report.summary.state, "good");
    assert.match(report.summary.text, /^You can chat\. The service has no Chat Completions API/);
    const result = await vscode.commands.executeCommand(commandIds.checkConnection, { connection: name });
    assert.equal(Reflect.get(Object(result), "ok"), false);
  });
});
