import assert from "node:assert/strict";
import { stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { mock } from "node:test";
import type { ConversationStore } from "../../../../src/chat/history/conversationStore.ts";
import {
  emptyTranscript,
  type TranscriptEvent,
  visibleTurns,
} from "../../../../src/chat/transcript/transcript.ts";
import { Chat } from "../../../../src/editor/chat/chat.ts";
import {
  StreamingHeartbeat,
  CrossWindowSync,
  sharedStorage,
} from "../../../../src/editor/chat/crossWindowSync.ts";
import { openTestStore, removeTestStores, writeConversation } from "../../chat/history/sampleConversation.ts";
import { asked, completed, exchange, reduce, started, text } from "../../chat/transcript/sampleEvents.ts";
import { MockClock } from "../../client/http/mockClock.ts";

/** A window that shows one chat. */
interface Window {
  readonly store: ConversationStore;
  readonly others: CrossWindowSync;
  readonly chat: Chat;
  /** How often the file was read and how often the transcript was replaced. */
  readonly counts: { reads: number; replaced: number };
  /** Whether reading the file's status fails. */
  readonly fails: { looks: boolean };
  /** How often the file's status was read. */
  readonly looked: () => number;
}

const half: readonly TranscriptEvent[] = [asked("q1"), started("a1", "q1"), text("half")];

async function write(
  store: ConversationStore,
  id: string,
  events: readonly TranscriptEvent[],
): Promise<void> {
  store.log(id).append(events);
  assert.equal(await store.log(id).flush(), true);
}

describe("a chat that another window also writes", () => {
  let now: number;

  beforeEach(() => {
    now = Date.now();
  });
  afterEach(removeTestStores);

  /** Opens the chat in another window on the same folder. */
  async function openWindow(folder: string, id: string): Promise<Window> {
    const { store } = await openTestStore(folder);
    const counts = { reads: 0, replaced: 0 };
    const fails = { looks: false };
    let looks = 0;
    const counted = {
      open: (opened: string) => {
        counts.reads += 1;
        return store.open(opened);
      },
      stampOf: async (stamped: string) => {
        looks += 1;
        if (fails.looks) throw new Error("EIO");
        return store.stampOf(stamped);
      },
      bytesWritten: (written: string) => store.bytesWritten(written),
      isWritten: (written: string) => store.isWritten(written),
    };
    const others = new CrossWindowSync(counted, () => new Date(now));
    const read = (await others.read(id)) ?? assert.fail();
    const chat = createChat(id, read.transcript);
    chat.listen({ onEvents: () => undefined, onReplaced: () => (counts.replaced += 1) });
    others.opened(chat, read);
    return { store, others, chat, counts, fails, looked: () => looks };
  }

  /** Sets the file's modification time, in milliseconds before now. */
  async function age(folder: string, id: string, milliseconds: number): Promise<void> {
    const at = new Date(now - milliseconds);
    await utimes(join(folder, `${id}.jsonl`), at, at);
  }

  it("shows turns added in another window and stays on its branch", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, exchange("1", null));
    const { others, chat, counts } = await openWindow(folder, id);
    await write(store, id, exchange("2", "a1"));
    await others.catchUp(chat);
    assert.deepEqual(shownIn(chat), ["q1", "a1", "q2", "a2"]);
    await write(store, id, exchange("3", null));
    await others.catchUp(chat);
    assert.deepEqual(shownIn(chat), ["q1", "a1", "q2", "a2"], "it is on another branch");
    assert.equal(chat.session.transcript.turns.length, 6);
    assert.deepEqual(chat.shownTranscript, chat.session.transcript);
    assert.equal(counts.replaced, 2);
  });

  it("is read again only after writes of other windows", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, exchange("1", null));
    const here = await openWindow(folder, id);
    const { others, chat, counts } = here;
    await write(here.store, id, [{ type: "version-selected", turnId: "a1" }]);
    await others.catchUp(chat);
    assert.equal(counts.reads, 1);
    await store.rename(id, "Named");
    await others.catchUp(chat);
    await others.catchUp(chat);
    assert.deepEqual(counts, { reads: 2, replaced: 0 }, "a name is none of the page's");
  });

  it("is not updated while a question is being sent or if the file lacks its turns", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, exchange("1", null));
    const { others, chat } = await openWindow(folder, id);
    await write(store, id, exchange("2", "a1"));
    const release = chat.hold();
    await others.catchUp(chat);
    assert.deepEqual(shownIn(chat), ["q1", "a1"]);
    release();
    await others.catchUp(chat);
    assert.deepEqual(shownIn(chat), ["q1", "a1", "q2", "a2"]);
    const lost = createChat(id, reduce(exchange("lost", null)));
    await others.catchUp(lost);
    assert.deepEqual(shownIn(lost), ["qlost", "alost"]);
  });

  it("shows an answer as streaming while another window writes it, then the rest", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, half);
    await age(folder, id, 1000);
    const { others, chat } = await openWindow(folder, id);
    assert.deepEqual(answersOf(chat), ["streaming half"]);
    for (let looks = 0; looks < 30; looks += 1) await others.catchUp(chat);
    assert.deepEqual(answersOf(chat), ["streaming half"], "it got the focus, which is no time");
    for (let looks = 0; looks < 2; looks += 1) await others.catchUp(chat, true);
    assert.deepEqual(answersOf(chat), ["interrupted half"], "nothing was heard of it");
    await write(store, id, [text(" and more")]);
    // The file's modification time does not matter here.
    await age(folder, id, 4000);
    await others.catchUp(chat);
    assert.deepEqual(answersOf(chat), ["streaming half and more"]);
    await write(store, id, [completed]);
    await others.catchUp(chat);
    assert.deepEqual(answersOf(chat), ["complete half and more"]);
  });

  it("shows a silent answer as streaming while its window is open", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, half);
    await age(folder, id, 30_000);
    const { others, chat } = await openWindow(folder, id);
    assert.deepEqual(answersOf(chat), ["interrupted half"]);
    for (let look = 0; look < 30; look += 1) {
      await age(folder, id, 29_000 - 1000 * look);
      await others.catchUp(chat, true);
      assert.deepEqual(answersOf(chat), ["streaming half"]);
    }
    await others.catchUp(chat, true);
    assert.deepEqual(answersOf(chat), ["streaming half"], "it may have missed a beat");
    await others.catchUp(chat, true);
    assert.deepEqual(answersOf(chat), ["interrupted half"]);
    await store.beat(id);
    await others.catchUp(chat, true);
    assert.deepEqual(answersOf(chat), ["streaming half"]);
  });

  it("keeps streaming while a question is being sent, but is interrupted if the file can't be read", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, half);
    const { others, chat, fails } = await openWindow(folder, id);
    await others.catchUp(chat, true);
    const looking = others.catchUp(chat, true);
    const release = chat.hold();
    await looking;
    assert.deepEqual(answersOf(chat), ["streaming half"]);
    release();
    fails.looks = true;
    await others.catchUp(chat, true);
    assert.deepEqual(answersOf(chat), ["interrupted half"]);
  });

  it("is polled for a minute after a silent answer, unless the file is old", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, half);
    await age(folder, id, 30_000);
    using clock = new MockClock();
    const { looked } = await openWindow(folder, id);
    const lookFor = async (milliseconds: number): Promise<number> => {
      const before = looked();
      for (let past = 0; past < milliseconds; past += 3000) {
        clock.tick(3000);
        // Waits for the file access that the timer started.
        for (let turn = 0; turn < 3; turn += 1) await stat(folder);
      }
      return looked() - before;
    };
    const looks = (await lookFor(60_000)) + (await lookFor(60_000));
    assert.equal(looks, 20);
    assert.equal(await lookFor(60_000), 0);
    await age(folder, id, 24 * 60 * 60_000);
    const { looked: later } = await openWindow(folder, id);
    const before = later();
    clock.tick(60_000);
    assert.equal(later(), before, "nobody writes what was interrupted yesterday");
  });

  it("shows an interrupted answer once the chat's file is deleted", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, half);
    const { others, chat } = await openWindow(folder, id);
    assert.deepEqual(answersOf(chat), ["streaming half"]);
    await store.remove(id);
    await others.catchUp(chat);
    assert.deepEqual(answersOf(chat), ["interrupted half"]);
  });

  it("shows an answer as interrupted if its window recorded that, or if another window wrote later", async () => {
    for (const kind of ["end", "rename"] as const) {
      const { store, folder } = await openTestStore();
      const id = await writeConversation(store, half);
      const { store: later } = await openTestStore(folder);
      if (kind === "rename") await later.rename(id, "Named");
      else await write(store, id, [{ type: "answer-ended", state: { kind: "interrupted" } }]);
      const { chat } = await openWindow(folder, id);
      assert.deepEqual(answersOf(chat), ["interrupted half"]);
    }
  });

  it("is polled while visible until the answer is complete", async () => {
    const { store, folder } = await openTestStore();
    const id = await writeConversation(store, half);
    await age(folder, id, 0);
    using clock = new MockClock();
    const { chat, counts } = await openWindow(folder, id);
    // The log's timers are mocked, so `write` flushes the log.
    await write(store, id, [text(" and the rest"), completed]);
    await age(folder, id, 4000);
    assert.deepEqual(answersOf(chat), ["streaming half"]);
    for (let looks = 0; looks < 1000 && counts.replaced === 0; looks += 1) {
      clock.tick(3000);
      await new Promise(setImmediate);
    }
    assert.deepEqual(answersOf(chat), ["complete half and the rest"]);
    clock.tick(30_000);
    await new Promise(setImmediate);
    assert.equal(counts.reads, 2, "it is over");
  });
});

function createChat(id: string, transcript = emptyTranscript): Chat {
  return new Chat({
    id,
    title: null,
    draft: "",
    transcript,
    log: () => Promise.resolve(),
    target: () => assert.fail("nobody is asked"),
    now: () => new Date(),
    newId: () => assert.fail("nothing is begun"),
  });
}

function shownIn({ session }: Chat): readonly string[] {
  return visibleTurns(session.transcript).map(({ id }) => id);
}

/** State and text of each answer. */
function answersOf({ session }: Chat): readonly string[] {
  return session.transcript.turns.flatMap((turn) =>
    turn.kind === "answer" ? [`${turn.state.kind} ${turn.text}`] : [],
  );
}

describe("StreamingHeartbeat", () => {
  afterEach(() => mock.timers.reset());

  it("beats every two seconds for each chat with an answer arriving", () => {
    mock.timers.enable({ apis: ["setInterval"] });
    let beats: string[] = [];
    const arriving = new StreamingHeartbeat((id) => beats.push(id));
    const beatsIn = (milliseconds: number): readonly string[] => {
      beats = [];
      mock.timers.tick(milliseconds);
      return beats;
    };
    assert.deepEqual(beatsIn(10_000), []);
    arriving.add("one");
    arriving.add("two");
    assert.deepEqual(beatsIn(2000), ["one", "two"]);
    arriving.delete("one");
    assert.deepEqual([arriving.has("one"), arriving.has("two")], [false, true]);
    assert.deepEqual(beatsIn(4000), ["two", "two"]);
    arriving.delete("two");
    assert.deepEqual(beatsIn(10_000), []);
    arriving.add("one");
    arriving.dispose();
    assert.deepEqual(beatsIn(10_000), []);
  });
});

describe("sharedStorage", () => {
  it("returns the folder of the first window for every window", () => {
    for (const id of ["0123456789abcdef0123456789abcdef", "5b2c8a1d", "-5b2c8a1d", "-12345678"]) {
      const first = `/storage/${id}/inference-chat.inference-chat`;
      assert.equal(sharedStorage(first), first);
      for (const number of [1, 2, 9]) {
        assert.equal(sharedStorage(`/storage/${id}-${number}/inference-chat.inference-chat`), first);
      }
    }
  });

  it("returns any other folder unchanged", () => {
    for (const folder of ["/storage/ext-dev/x.y", "/a-1", "/storage/my-project-2/x.y"]) {
      assert.equal(sharedStorage(folder), folder);
    }
  });
});
