import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

interface Step {
  readonly id: string;
  readonly ok: boolean;
  readonly cause?: string;
  readonly detail?: string;
}

const keyVariable = "INFERENCE_HOST_HEADERS_KEY";
const headerVariable = "INFERENCE_HOST_TEAM_TOKEN";
const key = fakeKey("headers-host");
const secret = ["team", "token", "of-the-host-tests-42"].join("_");
const list = JSON.stringify({ data: [{ id: "service-core" }] });
const completion = JSON.stringify({ choices: [{ message: { content: "x" }, finish_reason: "length" }] });
const headers = {
  "X-Portkey-Provider": "openai",
  "x-team-token": { variable: headerVariable, scheme: "Bearer" },
};

async function check(): Promise<readonly Step[]> {
  const { steps } = await vscode.commands.executeCommand<{ steps: readonly Step[] }>(
    commandIds.checkConnection,
    { billable: true },
  );
  assert.ok(!JSON.stringify(steps).includes(secret));
  return steps;
}

async function listModels(): Promise<unknown> {
  return vscode.commands.executeCommand(commandIds.listModels, {});
}

async function failedStep(): Promise<Step | undefined> {
  return (await check()).find(({ cause }) => cause !== undefined);
}

describe("the further headers of a connection, in the extension", () => {
  let server: PlainServer;
  let other: PlainServer;
  let got: IncomingHttpHeaders[];

  before(async () => {
    server = await startPlainServer();
    other = await startPlainServer();
    for (const each of [server, other]) {
      each.answer = (request, response) => {
        got.push(request.headers);
        response.end(request.method === "GET" ? list : completion);
      };
    }
  });
  beforeEach(async () => {
    got = [];
    process.env[keyVariable] = key;
    process.env[headerVariable] = secret;
    await writeConnections([{ name: "Gateway", baseUrl: server.origin, keyVariable, headers }]);
  });
  afterEach(async () => {
    delete process.env[keyVariable];
    delete process.env[headerVariable];
    await writeConnections(undefined);
  });
  after(() => Promise.all([server.close(), other.close()]));

  it("are sent with each request of the check, which names them without their values", async () => {
    const steps = await check();
    assert.deepEqual(
      steps.map(({ ok }) => ok).slice(0, 5),
      [true, true, true, true, true],
      JSON.stringify(steps),
    );
    assert.ok(got.length >= 2);
    for (const sent of got) {
      assert.equal(sent["x-portkey-provider"], "openai");
      assert.equal(sent["x-team-token"], `Bearer ${secret}`);
      assert.equal(sent.authorization, `Bearer ${key}`);
    }
    assert.match(steps[1]?.detail ?? "", /\nFurther headers: X-Portkey-Provider, x-team-token$/);
  });

  it("are named in the support report, without their values", async () => {
    const dialogues = new ShownDialogues(() => undefined);
    await check();
    await vscode.commands.executeCommand(commandIds.copySupportReport);
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.match(text, /^Headers: {7}X-Portkey-Provider, x-team-token$/m);
    assert.ok(!text.includes(secret) && !text.includes("openai"));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    dialogues.dispose();
  });

  it("go to no other host until the user allows it with Set API Key", async () => {
    assert.equal(await failedStep(), undefined);
    got = [];
    await writeConnections([{ name: "Gateway", baseUrl: other.origin, keyVariable, headers }]);
    assert.equal((await failedStep())?.cause, "key-origin-mismatch");
    const dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === "Send Key"));
    await vscode.commands.executeCommand(commandIds.setApiKey, "Gateway");
    assert.equal((await failedStep())?.cause, undefined);
    dialogues.dispose();
    const asked = dialogues.messages.join("\n");
    assert.match(asked, new RegExp(`the environment variable ${headerVariable} to`));
    assert.match(asked, new RegExp(`the environment variable ${keyVariable} to`));
    assert.ok(got.length > 0);
  });

  it("stop all requests if one of them can't be sent, and the cause names it", async () => {
    const faulty: readonly (readonly [unknown, RegExp])[] = [
      [{ host: "elsewhere" }, /header host can't be set/],
      [
        { "x-team-token": { variable: "INFERENCE_HOST_UNSET" } },
        /INFERENCE_HOST_UNSET for the header x-team-token/,
      ],
    ];
    for (const [given, said] of faulty) {
      await writeConnections([{ name: "Faulty", baseUrl: server.origin, keyVariable, headers: given }]);
      const failed = await failedStep();
      assert.deepEqual([failed?.id, failed?.cause], ["key", "invalid-header"]);
      await assert.rejects(listModels(), said);
    }
    assert.deepEqual(got, []);
  });
});
