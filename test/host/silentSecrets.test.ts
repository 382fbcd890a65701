import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import type { LoadedChats } from "../../src/editor/chat/chats.ts";
import { LanguageModelResponder } from "../../src/editor/languageModels/languageModelResponder.ts";
import { modelIdentifier } from "../../src/editor/languageModels/modelInformation.ts";
import { writeSealedKey } from "../../src/editor/key/storedKeys.ts";
import { tellFigure } from "../support/figures.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { sealKey } from "../support/sealFor.ts";
import { tamper } from "./tamperedSecrets.ts";
import { createTalking, loadTestChats } from "./testChats.ts";
import { writeConnections } from "./testConnections.ts";

/** Milliseconds; longer than a test may take. */
const forEver = 600_000;
const home = "https://h.example";

const key = fakeKey("silent");
const sealed = writeSealedKey(sealKey(key, home));

describe("chats while the secret storage does not answer", () => {
  const owned: vscode.Disposable[] = [];
  let folder: string;
  let keyring: PromiseWithResolvers<void>;
  let asked: () => void;
  let sent = 2;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "silent-"));
    keyring = Promise.withResolvers();
    asked = () => undefined;
    await writeConnections([{ name: "Acme", baseUrl: home }]);
  });
  after(() => {
    tellFigure(`secret store that does not answer while something is asked: ${sent} of 2 requests sent`);
  });
  afterEach(async () => {
    keyring.resolve();
    for (const each of owned.splice(0).toReversed()) each.dispose();
    await writeConnections(undefined);
    await rm(folder, { recursive: true });
  });

  const get: vscode.SecretStorage["get"] = (name) => {
    asked();
    return keyring.promise.then(() => (name.endsWith(".Acme") ? sealed : undefined));
  };

  /** The services for requests, with secret storage that answers after the keyring is unlocked. */
  async function open(timeoutMs: number) {
    const { secrets } = await companionStores();
    const state = createMemento();
    const keys = new ApiKeyStore(tamper(secrets, { get }), {}, state, timeoutMs);
    return createTalking(keys, state, owned);
  }

  async function load(timeoutMs: number): Promise<LoadedChats> {
    return loadTestChats(await open(timeoutMs), folder, owned);
  }

  /** Unlocks the keyring at its second read, right after the first read timed out. */
  function unlockAtSecondGet(): void {
    let gets = 0;
    asked = () => {
      gets += 1;
      if (gets === 2) keyring.resolve();
    };
  }

  it("can be created nevertheless", async () => {
    const { chats } = await load(50);
    assert.ok(chats.create().empty);
  });

  it("can be stopped while an answer waits for its key", async () => {
    keyring.resolve();
    const { chats } = await load(forEver);
    keyring = Promise.withResolvers();
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { session } = chats.create();
    const answered = session.send("Is anybody there?");
    await isAsked;
    session.stop();
    await answered;
    const answer = session.transcript.turns.at(-1);
    assert.ok(answer?.kind === "answer" && answer.state.kind === "stopped");
  });

  it("send nothing until the keys to remove are known", async () => {
    const { chats } = await load(50);
    unlockAtSecondGet();
    const { session } = chats.create();
    await session.send(`My key is ${key}.`);
    const answer = session.transcript.turns.at(-1);
    assert.ok(answer?.kind === "answer" && answer.state.kind === "failed");
    assert.equal(answer.state.diagnosis.cause, "empty-key");
    sent -= 1;
  });

  it("send nothing for requests of other extensions either", async () => {
    const requests = new LanguageModelResponder(await open(50));
    unlockAtSecondGet();
    const { role, content, name } = vscode.LanguageModelChatMessage.User(`My key is ${key}.`);
    const answered = requests.answer(
      modelIdentifier("Acme", "service-core"),
      [{ role, content, name }],
      { toolMode: vscode.LanguageModelChatToolMode.Auto },
      { report: () => undefined },
      new vscode.CancellationTokenSource().token,
    );
    await assert.rejects(answered, /Couldn't read the secret storage/);
    sent -= 1;
  });
});
