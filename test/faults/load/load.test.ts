import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { walkFolder } from "../../../src/files/folderWalk.ts";
import { FileMatches } from "../../../src/files/fileMatches.ts";
import type { ConversationStore } from "../../../src/chat/history/conversationStore.ts";
import { createUndiciTransport } from "../../../src/client/transport/undiciTransport.ts";
import type { Transport } from "../../../src/client/http/transport.ts";
import { type ClientStyle, clientStyles, styleFacts } from "../../../src/protocol/conversation/wireStyle.ts";
import { writeSampleFiles } from "../../bench/sampleFiles.ts";
import { type ReferenceService, startReferenceService } from "../../service/serve.ts";
import { sized, tellFigure } from "../../support/figures.ts";
import { compareHeld, type HostResources, HostWatch } from "../../support/hostResources.ts";
import {
  openTestStore,
  removeTestStores,
  temporaryFolder,
} from "../../unit/chat/history/sampleConversation.ts";
import { exchange } from "../../unit/chat/transcript/sampleEvents.ts";
import { fakeKey } from "../../unit/service/fixture.ts";
import { openTestChat } from "../home/testChat.ts";

interface Talk {
  readonly text: string;
  readonly style: ClientStyle;
  /** Number of times the text is asked, one answer at a time; 1 by default. */
  readonly questions?: number;
  /** ID of the conversation; a new one by default. */
  readonly id?: string;
}

/** Alternates between the styles. */
function styleOf(turn: number): ClientStyle {
  return clientStyles[turn % clientStyles.length] ?? "messages";
}

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

  /** Opens a chat, lets it answer and closes it, as the extension does. */
  async function talk({ text, style, questions = 1, id = randomUUID() }: Talk): Promise<void> {
    const { origin } = service;
    const chat = await openTestChat({ store, id, transport, origin, key, style, stallSeconds: 60 });
    for (let question = 0; question < questions; question += 1) await chat.session.send(text);
    const answers = chat.session.transcript.turns.filter((turn) => turn.kind === "answer");
    assert.ok(answers.every(({ state }) => state.kind === "complete"));
    assert.ok(answers.length >= questions);
    await store.log(id).close();
  }

  /** Reads the resources held while no answer is pending and no connection is pooled. */
  async function rest(before?: HostResources): Promise<HostResources> {
    await transport.close();
    transport = createUndiciTransport({ strictCertificates: true });
    return before === undefined ? watch.readSettled() : watch.readBehind(before);
  }

  /** Number of answers that have begun and not ended, as the service counts them. */
  function countArriving(): number {
    return service.journal.answers.filter(({ state, piecesSent }) => state === "open" && piecesSent > 0)
      .length;
  }

  function assertBothStyles(): void {
    const paths = new Set(service.journal.answers.map(({ path: asked }) => asked));
    assert.deepEqual(
      paths,
      new Set(clientStyles.map((style) => `/v1${styleFacts[style].endpoint}`)),
      "a style is missing",
    );
  }

  /** Streams slowly until all answers have begun, then at full speed. */
  async function streamTogether(chats: number): Promise<void> {
    service.journal.clear();
    const text = "about load /long 20000 /pace 20";
    const all = Promise.all(Array.from({ length: chats }, (_, at) => talk({ text, style: styleOf(at) })));
    const allOpen = service.journal.next(() => countArriving() === chats, new AbortController().signal);
    const ended = all.then(() => assert.fail(`${chats} answers never arrived at the same time`));
    await Promise.race([allOpen, ended]);
    service.hurry();
    await all;
    assertBothStyles();
  }

  it("leaves nothing open after 50 chats stream at once, several times", async () => {
    const atOnce = 50;
    const rounds = sized(10, 2);
    for (let round = 0; round < 2; round += 1) await streamTogether(atOnce);
    const before = await rest();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    for (let round = 0; round < rounds; round += 1) await streamTogether(atOnce);
    delay.disable();
    const growth = compareHeld(before, await rest(before));
    const held = Math.round(delay.percentile(99) / 1e6);
    tellFigure(
      `${atOnce} chats streaming at once in both styles, all open at one moment, ${rounds} times over: all complete; the host, with the service in it, is held up ` +
        `for ${held} ms at most in 99 of 100 moments; ${growth}`,
    );
  });

  it("leaves nothing open after many answers in one host", async () => {
    const answers = sized(10_000, 300);
    const questions = 10;
    const answer = async (count: number): Promise<void> => {
      for (let chat = 0; chat < count / questions; chat += 1)
        await talk({ text: "one of many", style: styleOf(chat), questions });
    };
    await answer(1000);
    const before = await rest();
    service.journal.clear();
    await answer(answers);
    assertBothStyles();
    const growth = compareHeld(before, await rest(before));
    tellFigure(`${answers} answers one after another in one host, in both styles: all complete; ${growth}`);
  });

  it("leaves nothing open after a conversation of 5,000 turns continues", async () => {
    const turns = 5000;
    const id = randomUUID();
    for (let turn = 0; turn < turns / 2; turn += 1) {
      store
        .log(id)
        .append(exchange(`${turn}`, turn === 0 ? null : `a${turn - 1}`, "A short answer. ".repeat(20)));
    }
    await store.log(id).close();
    const began = performance.now();
    await talk({ text: "once more", style: styleOf(0), id });
    const first = performance.now() - began;
    const before = await rest();
    for (let round = 0; round < sized(20, 3); round += 1)
      await talk({ text: "and once more", style: styleOf(round), id });
    const growth = compareHeld(before, await rest(before));
    const stored = (await store.open(id)) ?? assert.fail();
    assert.ok(stored.transcript.turns.length > turns);
    assert.equal(stored.skipped, 0);
    tellFigure(`a conversation of ${turns} turns: opened and answered in ${Math.round(first)} ms; ${growth}`);
  });

  it("leaves nothing open after the files of a large workspace are listed and searched by name", async () => {
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
    // As in VS Code, one list stays in memory until the next one replaces it.
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
