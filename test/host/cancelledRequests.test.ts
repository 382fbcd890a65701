import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { LanguageModelResponder } from "../../src/editor/languageModels/languageModelResponder.ts";
import { modelIdentifier } from "../../src/editor/languageModels/modelInformation.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { companionStores } from "./companionStores.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { createTalking } from "./testChats.ts";
import { writeConnections, writeDailyCap } from "./testConnections.ts";

const connection = "Capped";

describe("requests canceled before the daily cap allows them", () => {
  const owned: vscode.Disposable[] = [];
  let requests: LanguageModelResponder;
  let dialogues: ShownDialogues;
  let shown: PromiseWithResolvers<void>;
  let answer: PromiseWithResolvers<undefined>;

  beforeEach(async () => {
    await writeConnections([{ name: connection, baseUrl: "https://h.example" }]);
    await writeDailyCap(1);
    const { secrets } = await companionStores();
    const state = createMemento();
    const talking = createTalking(new ApiKeyStore(secrets, {}, state), state, owned);
    await talking.connections.use({ name: connection });
    requests = new LanguageModelResponder(talking);
    shown = Promise.withResolvers();
    answer = Promise.withResolvers();
    dialogues = new ShownDialogues(() => {
      shown.resolve();
      return answer.promise;
    });
  });
  afterEach(async () => {
    dialogues.dispose();
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await writeDailyCap(undefined);
    await writeConnections(undefined);
  });

  function ask(token: vscode.CancellationToken): Promise<void> {
    const { role, content, name } = vscode.LanguageModelChatMessage.User("Is anybody there?");
    return requests.answer(
      modelIdentifier(connection, "service-core"),
      [{ role, content, name }],
      { toolMode: vscode.LanguageModelChatToolMode.Auto },
      { report: () => undefined },
      token,
    );
  }

  it("end at once while a dialog is open, and cause no further dialog", async () => {
    const source = new vscode.CancellationTokenSource();
    const cancelled = [ask(source.token), ask(source.token)];
    const other = assert.rejects(
      ask(new vscode.CancellationTokenSource().token),
      /exceed your daily token cap/,
    );
    await shown.promise;
    source.cancel();
    await Promise.all(cancelled);
    answer.resolve(undefined);
    await other;
    assert.equal(dialogues.all.length, 2, "for the first one, and for the one that goes on");
  });

  it("cause no dialog if they were canceled from the start", async () => {
    const source = new vscode.CancellationTokenSource();
    source.cancel();
    await ask(source.token);
    answer.resolve(undefined);
    await assert.rejects(ask(new vscode.CancellationTokenSource().token), /exceed your daily token cap/);
    assert.equal(dialogues.all.length, 1);
  });
});
