import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import type { LoadedChats } from "../../src/editor/chat/chats.ts";
import { clientStyles, styleFacts } from "../../src/protocol/conversation/wireStyle.ts";
import { type ReferenceService, startReferenceService } from "../service/serve.ts";
import { distinctNumbers } from "../support/distinctNumbers.ts";
import { sized, tellFigure } from "../support/figures.ts";
import { compareHeld, HostWatch } from "../support/hostResources.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { ask, findModel, user } from "./stranger.ts";
import { createTalking, loadTestChats } from "./testChats.ts";
import { writeConnections } from "./testConnections.ts";

/** Numbers of answers, for both styles together. */
interface Amount {
  readonly oneByOne: number;
  readonly together: number;
}

const keyVariable = "INFERENCE_SOAK_KEY";
const connection = "Soaked";
const warmUp: Amount = { oneByOne: sized(500, 50), together: sized(500, 50) };
const answers: Amount = { oneByOne: sized(10_000, 100), together: sized(5000, 100) };
const chatsBefore = sized(500, 50);
const chatsAfter = sized(3000, 100);
const atOnce = 50;
/** Maximum milliseconds for one answer among many. */
const longestAnswer = 60_000;

describe("an extension host with many answers", function () {
  this.timeout(sized(40, 15) * 60_000);
  const { random } = Math;
  let service: ReferenceService;

  before(async () => {
    Math.random = distinctNumbers(random());
    service = await startReferenceService();
    process.env[keyVariable] = service.keys.add({}, fakeKey("soaked"));
  });
  after(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await service.close();
    Math.random = random;
  });

  it("holds no more resources after many answers, in sequence and in parallel, than after the first", async () => {
    using watch = new HostWatch(vscode.env.appRoot);
    await soak(warmUp);
    const before = await watch.readSettled();
    await soak(answers);
    const growth = compareHeld(before, await watch.readBehind(before));
    tellFigure(
      `${answers.oneByOne} answers one after another and ${answers.together} more, ${atOnce} at once, ` +
        "in the editor's own extension host, in both styles: " +
        `all complete; ${growth}`,
    );
  });

  it("holds no more resources after many chats were answered, stored and closed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "soak-"));
    const owned: vscode.Disposable[] = [];
    const { secrets } = await companionStores();
    const state = createMemento();
    const keys = new ApiKeyStore(secrets, process.env, state);
    const loaded = await loadTestChats(createTalking(keys, state, owned), folder, owned);
    const { chats } = loaded;
    owned.push(chats);
    using watch = new HostWatch(vscode.env.appRoot);
    await talk(loaded, chatsBefore);
    const before = await watch.readSettled();
    await talk(loaded, chatsAfter);
    const growth = compareHeld(before, await watch.readBehind(before));
    tellFigure(
      `${chatsAfter} chats of a question and its answer, ${atOnce} at once, in the editor's own extension host: ` +
        `all complete and stored; ${growth}`,
    );
    await chats.close();
    for (const each of owned.toReversed()) each.dispose();
    await rm(folder, { recursive: true });
  });

  /** Asks as a chat page does, and closes each chat. */
  async function talk({ chats, store }: LoadedChats, count: number): Promise<void> {
    await writeConnections([{ name: connection, baseUrl: service.origin, keyVariable }]);
    const one = async (): Promise<void> => {
      const chat = chats.create();
      await chat.session.send("one of many");
      const answer = chat.session.transcript.turns.at(-1);
      assert.ok(answer?.kind === "answer" && answer.state.kind === "complete", JSON.stringify(answer));
      assert.ok(await store.log(chat.id).flush());
      chats.release(chat);
    };
    for (let asked = 0; asked < count; asked += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, count - asked) }, one));
    service.journal.clear();
  }

  /** Requests answers from VS Code as another extension does. */
  async function soak({ oneByOne, together }: Amount): Promise<void> {
    const styles = clientStyles.length;
    for (const clientStyle of clientStyles) {
      await writeConnections([{ name: connection, baseUrl: service.origin, clientStyle, keyVariable }]);
      const model = await findModel(connection);
      const answer = async (): Promise<void> => {
        const { promise, reject } = Promise.withResolvers<never>();
        const timer = setTimeout(() => reject(new Error(tellStuck(clientStyle))), longestAnswer);
        const asked = ask(model, [user("one of many")]);
        const { text } = await Promise.race([asked, promise]).finally(() => clearTimeout(timer));
        assert.match(text, /one of many/);
      };
      for (let asked = 0; asked < oneByOne / styles; asked += 1) await answer();
      for (let asked = 0; asked < together / styles; asked += atOnce)
        await Promise.all(Array.from({ length: Math.min(atOnce, together / styles - asked) }, answer));
      const paths = new Set(service.journal.answers.map(({ path }) => path));
      assert.deepEqual([...paths], [`/v1${styleFacts[clientStyle].endpoint}`]);
      service.journal.clear();
    }
  }

  function tellStuck(clientStyle: string): string {
    const { entries } = service.journal;
    const open = entries.filter(({ state }) => state === "open").length;
    return `An answer in the style ${clientStyle} does not end; of ${entries.length} requests the service has ${open} open.`;
  }
});
