import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { LanguageModelResponder } from "../../src/editor/languageModels/languageModelResponder.ts";
import { modelIdentifier } from "../../src/editor/languageModels/modelInformation.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { createTalking } from "./testChats.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_HOST_TEST_KEY";
const network = vscode.workspace.getConfiguration("inference.network");

describe("a transport recreated after the network settings changed", () => {
  const owned: vscode.Disposable[] = [];
  let plain: PlainServer;

  beforeEach(async () => {
    plain = await startPlainServer();
    await writeConnections([{ name: "Remade", baseUrl: plain.origin, keyVariable }]);
  });
  afterEach(async () => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await network.update("transport", undefined, vscode.ConfigurationTarget.Global);
    await writeConnections(undefined);
    await plain.close();
  });

  it("sends the retry of another extension's request", async () => {
    plain.answer = (_request, response) => {
      if (plain.requests === 1) {
        const refuse = (): void => void response.writeHead(503).end();
        network.update("transport", "undici", vscode.ConfigurationTarget.Global).then(refuse, refuse);
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const choice = { index: 0, delta: { content: "heron" }, finish_reason: "stop" };
      response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
    };
    const { secrets } = await companionStores();
    const state = createMemento();
    const keys = new ApiKeyStore(secrets, { [keyVariable]: fakeKey("remade") }, state);
    const requests = new LanguageModelResponder(createTalking(keys, state, owned));
    const { role, content, name } = vscode.LanguageModelChatMessage.User("Hello");
    let text = "";
    await requests.answer(
      modelIdentifier("Remade", "service-core"),
      [{ role, content, name }],
      { toolMode: vscode.LanguageModelChatToolMode.Auto },
      { report: (part) => (text += part instanceof vscode.LanguageModelTextPart ? part.value : "") },
      new vscode.CancellationTokenSource().token,
    );
    assert.deepEqual([text, plain.requests], ["heron", 2]);
  });
});
