import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { ask, findModel, user, waitForModels } from "./stranger.ts";
import { createTalking, loadTestChats } from "./testChats.ts";
import { writeConnections } from "./testConnections.ts";
import { withOwnService } from "./withOwnService.ts";

const keyVariable = "INFERENCE_CAP_TEST_KEY";
/** Tokens; the same number as the default cap. */
const contextWindow = 4096;

for (const clientStyle of clientStyles) {
  describe(`an answer of a model with a small context window, over ${clientStyle}`, () => {
    const connection = withOwnService(`Small ${clientStyle}`, { contextWindow });

    beforeEach(() => connection.connect({ clientStyle }));

    function assertFits(): void {
      const caps = connection.asks.map(({ maxTokens = Infinity }) => maxTokens);
      assert.ok(
        caps.length === 1 && caps.every((cap) => cap > 3000 && cap < 0.95 * contextWindow),
        caps.join(),
      );
    }

    it("has a cap that leaves room for the question, in a chat", async () => {
      const owned: vscode.Disposable[] = [];
      const folder = await mkdtemp(join(tmpdir(), "cap-"));
      const { secrets } = await companionStores();
      const state = createMemento();
      const talking = createTalking(new ApiKeyStore(secrets, process.env, state), state, owned);
      const { chats } = await loadTestChats(talking, folder, owned);
      owned.push(chats);
      await talking.catalog.refresh(
        talking.connections.current ?? assert.fail(),
        AbortSignal.timeout(10_000),
      );
      const chat = chats.create();
      await chat.session.send("Is it small?");
      const answer = chat.session.transcript.turns.at(-1);
      assert.ok(answer?.kind === "answer" && answer.state.kind === "complete", JSON.stringify(answer));
      assertFits();
      await chats.close();
      for (const each of owned.toReversed()) each.dispose();
      await rm(folder, { recursive: true });
    });

    it("has the same cap for other extensions, and does not present it as the user's cap", async () => {
      await vscode.commands.executeCommand("inference.listModels", {});
      await waitForModels((models) => models.length === 3);
      const { text } = await ask(await findModel(connection.name), [user("/long 100000")]);
      assertFits();
      assert.match(text, /The answer reached its token limit\.$/);
    });
  });
}

describe("an answer that the service cuts below the user's cap", () => {
  const connection = "Cut elsewhere";
  let plain: PlainServer;

  beforeEach(async () => {
    plain = await startPlainServer();
    plain.answer = (request, response) => {
      const usage = { prompt_tokens: 90, completion_tokens: 7, total_tokens: 97 };
      const choices = [{ message: { content: "Half an" }, finish_reason: "length" }];
      response.end(
        JSON.stringify(request.method === "GET" ? { data: [{ id: "service-core" }] } : { choices, usage }),
      );
    };
    process.env[keyVariable] = fakeKey("cut");
    await writeConnections([{ name: connection, baseUrl: plain.origin, keyVariable }]);
  });
  afterEach(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await plain.close();
  });

  it("names no setting", async () => {
    const { text } = await ask(await findModel(connection), [user("Is it short?")]);
    assert.equal(text, "Half an\n\nThe answer reached its token limit.");
  });
});
