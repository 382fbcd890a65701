import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { walkFolder } from "../../../src/chat/folderWalk.ts";
import { FileMatches } from "../../../src/chat/fileMatches.ts";
import type { ConversationStore } from "../../../src/chat/conversationStore.ts";
import { createUndiciTransport } from "../../../src/client/undiciTransport.ts";
import type { Transport } from "../../../src/client/transport.ts";
import { clientStyles } from "../../../src/protocol/wireStyle.ts";
import { writeSampleFiles } from "../../bench/sampleFiles.ts";
import { type ReferenceService, startReferenceService } from "../../service/serve.ts";
import { sized, tellFigure } from "../../support/figures.ts";
import { compareHeld, type HostResources, HostWatch } from "../../support/hostResources.ts";
import { openTestStore, removeTestStores, temporaryFolder } from "../../unit/chat/sampleConversation.ts";
import { exchange } from "../../unit/chat/sampleEvents.ts";
import { fakeKey } from "../../unit/service/fixture.ts";
import { openTestChat } from "../home/testChat.ts";

describe("load", function () {
  this.timeout(15 * 60_000);
  let watch: HostWatch;
  let service: ReferenceService;
  let transport: Transport;
  let key: string;
  let folder: string;
  let store: ConversationStore;

  before(async () => {
    watch = new HostWatch();
    service = await startReferenceService();
    key = service.keys.add({}, fakeKey("load"));
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    ({ store } = await openTestStore(folder));
    transport = createUndiciTransport({ strictCertificates: true });
  });
  afterEach(async () => {
    await transport.close();
    await removeTestStores();
  });
  after(async () => {
    watch[Symbol.dispose]();
    await service.close();
  });

  /** As the extension does it: a chat is opened, answers, and is let go of. */
  async function talk(text: string, questions: number, id = randomUUID()): Promise<void> {
    const style = clientStyles[questions % clientStyles.length] ?? "messages";
    const { origin } = service;
    const chat = await openTestChat({ store, id, transport, origin, key, style, stallSeconds: 60 });
    for (let question = 0; question < questions; question += 1) await chat.session.send(text);
    const answers = chat.session.transcript.turns.filter((turn) => turn.kind === "answer");
    assert.ok(answers.every(({ state }) => state.kind === "complete"));
    assert.ok(answers.length >= questions);
    await store.log(id).close();
  }

  /** What is held once no answer is under way and no connection is kept for the next. */
  async function rest(before?: HostResources): Promise<HostResources> {
    await transport.close();
    transport = createUndiciTransport({ strictCertificates: true });
    return before === undefined ? watch.readSettled() : watch.readBehind(before);
  }

  it("of 50 chats that stream at once, several times over, leaves nothing behind", async () => {
    const atOnce = 50;
    const rounds = sized(10, 2);
    const stream = async (): Promise<void> => {
      await Promise.all(Array.from({ length: atOnce }, () => talk("about load /long 20000", 1)));
    };
    for (let round = 0; round < 2; round += 1) await stream();
    const before = await rest();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    for (let round = 0; round < rounds; round += 1) await stream();
    delay.disable();
    const growth = compareHeld(before, await rest(before));
    const held = Math.round(delay.percentile(99) / 1e6);
    tellFigure(
      `${atOnce} chats streaming at once, ${rounds} times over: all complete; the host, with the service in it, is held up ` +
        `for ${held} ms at most in 99 of 100 moments; ${growth}`,
    );
  });

  it("of answers one after another in one host leaves nothing behind", async () => {
    const answers = sized(10_000, 300);
    const ofOne = 10;
    for (let asked = 0; asked < 1000; asked += ofOne) await talk("one of many", ofOne);
    const before = await rest();
    for (let asked = 0; asked < answers; asked += ofOne) await talk("one of many", ofOne);
    const growth = compareHeld(before, await rest(before));
    tellFigure(`${answers} answers one after another in one host: all complete; ${growth}`);
  });

  it("of a conversation of 5,000 turns goes on, and leaves nothing behind", async () => {
    const turns = 5000;
    const id = randomUUID();
    for (let turn = 0; turn < turns / 2; turn += 1) {
      store
        .log(id)
        .append(exchange(`${turn}`, turn === 0 ? null : `a${turn - 1}`, "A short answer. ".repeat(20)));
    }
    await store.log(id).close();
    const began = performance.now();
    await talk("once more", 1, id);
    const first = performance.now() - began;
    const before = await rest();
    for (let round = 0; round < sized(20, 3); round += 1) await talk("and once more", 1, id);
    const growth = compareHeld(before, await rest(before));
    const stored = (await store.open(id)) ?? assert.fail();
    assert.ok(stored.transcript.turns.length > turns);
    assert.equal(stored.skipped, 0);
    tellFigure(`a conversation of ${turns} turns: opened and answered in ${Math.round(first)} ms; ${growth}`);
  });

  it("of a workspace of many files, listed and searched by name, leaves nothing behind", async () => {
    const count = sized(100_000, 2000);
    const root = path.join(folder, "workspace");
    const names = await writeSampleFiles(root, count);
    const list = async (): Promise<FileMatches> => {
      const paths: string[] = [];
      for await (const walked of walkFolder(root, { isExcluded: () => false, followLinks: false }))
        paths.push(...walked.files.map((name) => `${walked.path}/${name}`));
      assert.equal(paths.length, count);
      return new FileMatches(paths);
    };
    const searchAll = (matches: FileMatches): number => {
      const times = names
        .filter((_, at) => at % Math.ceil(count / 200) === 0)
        .map((name) => {
          const began = performance.now();
          assert.ok(matches.find(name.toLowerCase()).take(50).next().done === false);
          return performance.now() - began;
        });
      return Math.max(...times);
    };
    // As in the editor, one list is held until the next takes its place.
    let matches = await list();
    searchAll(matches);
    const before = await rest();
    const began = performance.now();
    matches = await list();
    const listed = performance.now() - began;
    const longest = searchAll(matches);
    const growth = compareHeld(before, await rest(before));
    tellFigure(
      `a workspace of ${count} files: listed in ${Math.round(listed)} ms, the longest search by name took ${Math.round(longest)} ms; ${growth}`,
    );
  });
});
