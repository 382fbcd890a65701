import assert from "node:assert/strict";
import * as vscode from "vscode";
import { startReferenceService } from "../service/serve.ts";
import { startPlainServer } from "../unit/client/transport/plainServer.ts";
import { startRecorder } from "./recorder.ts";
import { ask, failureOf, findModel, user, waitForModels } from "./stranger.ts";
import { writeConnections, writeEntries, writeDailyCap } from "./testConnections.ts";
import { withOwnService } from "./withOwnService.ts";

describe("models of the workspace's connection", () => {
  const connection = withOwnService("Choice");
  const { service, key, keyVariable } = connection;

  afterEach(() => writeDailyCap(undefined));

  it("are all listed after the first connection check, without a further request", async () => {
    await connection.connect();
    await findModel(connection.name);
    await vscode.commands.executeCommand("inference.checkConnection", { connection: connection.name });
    const listed = await waitForModels((models) => models.length === 3);
    assert.ok(listed.every(({ id }) => id.startsWith(`${connection.name}/`)));
    assert.equal(service.journal.entries.filter(({ method }) => method === "GET").length, 1);
  });

  it("tell apart connections whose names contain slashes", async () => {
    const slashed = await startReferenceService({ models: ["c", "b/c"] });
    process.env[keyVariable] = slashed.keys.add({});
    const identifiers: string[] = [];
    for (const [name, model] of [
      [connection.name, "b/c"],
      [`${connection.name}/b`, "c"],
    ] as const) {
      await writeConnections([{ name, baseUrl: slashed.origin, keyVariable, model }]);
      const [found] = await waitForModels(([first]) => first?.family === model);
      assert.ok(found !== undefined);
      assert.equal((await ask(found, [user("Say it with the word heron.")])).text, "heron");
      identifiers.push(found.id);
    }
    assert.equal(new Set(identifiers).size, 2);
    await slashed.close();
  });

  it("count tokens without failing after the workspace switched to another connection", async () => {
    await connection.connect();
    const model = await findModel(connection.name);
    await writeEntries([{ name: `${connection.name} b`, baseUrl: service.origin, keyVariable }]);
    assert.equal(await model.countTokens("word ".repeat(200)), 250);
  });

  it("send nothing if the daily cap would be exceeded, because there is no user to ask", async () => {
    await connection.connect();
    const model = await findModel(connection.name);
    await writeDailyCap(1);
    await failureOf(ask(model, [user("Say it with the word heron.")]));
    assert.equal(service.journal.answers.length, 0);
    await writeDailyCap(10_000);
    assert.equal((await ask(model, [user("Say it with the word heron.")])).text, "heron");
    assert.equal(service.journal.answers.length, 1);
  });

  it("count toward the daily cap even if the service reports no counts, and while answers arrive", async () => {
    const plain = await startPlainServer();
    plain.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const choice = { index: 0, delta: { content: "heron ".repeat(400) }, finish_reason: "stop" };
      response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
    };
    await writeConnections([{ name: connection.name, baseUrl: plain.origin, keyVariable }]);
    const model = await findModel(connection.name);
    const long = user("word ".repeat(400));
    await writeDailyCap(1200);
    await ask(model, [long]);
    await failureOf(ask(model, [long]));
    assert.equal(plain.requests, 1, "500 tokens for the question and 600 for the answer are taken");
    await writeDailyCap(2400);
    const both = await Promise.allSettled([ask(model, [long]), ask(model, [long]), ask(model, [long])]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ["fulfilled", "fulfilled", "rejected"]);
    await plain.close();
  });

  it("have our command to manage connections", async () => {
    const declared: unknown = vscode.extensions.all.flatMap(({ packageJSON }) =>
      packageJSON.name === "inference-chat" ? packageJSON.contributes.languageModelChatProviders : [],
    )[0]?.managementCommand;
    assert.equal(declared, "inference.manageConnections");
    assert.ok((await vscode.commands.getCommands(true)).includes("inference.manageConnections"));
  });

  it("send no key that a tool or a stop text contains", async () => {
    const { bodies, plain } = await startRecorder();
    await writeConnections([{ name: "Keyless tools", baseUrl: plain.origin, keyVariable }]);
    const inputSchema = { type: "object", properties: { place: { type: "string", default: key } } };
    const tools = [{ name: "get_weather", description: `Wants ${key}.`, inputSchema }];
    const asking = ask(await findModel("Keyless tools"), [user("Look")], {
      tools,
      modelOptions: { stop: [key] },
    });
    await failureOf(asking);
    assert.ok(bodies.length > 0 && !bodies.join().includes(key));
    assert.ok(bodies[0]?.includes("Wants [API key]."));
    assert.ok(bodies[0]?.includes('"stop":["[API key]"]'), bodies[0]);
    await plain.close();
  });
});
