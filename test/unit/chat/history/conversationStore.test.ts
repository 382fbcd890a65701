import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConversationStore } from "../../../../src/chat/history/conversationStore.ts";
import type { TranscriptEvent } from "../../../../src/chat/transcript/transcript.ts";
import {
  keyless,
  openTestStore,
  removeTestStores,
  textsOf,
  writeConversation as write,
} from "./sampleConversation.ts";
import { abandoned, asked, completed, exchange, reduce, started, text } from "../transcript/sampleEvents.ts";
import { MockClock } from "../../client/http/mockClock.ts";

const titlesOf = async (store: ConversationStore): Promise<string[]> =>
  (await store.list()).map(({ title }) => title);

const askedOn = (day: number, question: string): TranscriptEvent => ({
  type: "question-asked",
  turn: { kind: "question", id: "q1", parentId: null, text: question, at: `2026-02-0${day}T00:00:00.000Z` },
});

describe("ConversationStore", () => {
  afterEach(removeTestStores);

  it("reads a conversation in another window, and continues writing it there", async () => {
    const { store, folder } = await openTestStore();
    const events = [...exchange("1", null), asked("q2", "a1"), started("a2", "q2"), text("ha")];
    const id = await write(store, events);
    const other = (await openTestStore(folder)).store;
    const stored = await other.open(id);
    assert.deepEqual(stored?.transcript, abandoned(events));
    assert.deepEqual([stored.title, stored.pinned, stored.skipped], [null, false, 0]);
    other.log(id).append(exchange("3", "a2"));
    store.log(id).append([text("lf"), completed]);
    assert.deepEqual(await Promise.all([other.log(id).flush(), store.log(id).flush()]), [true, true]);
    assert.equal(textsOf((await store.open(id)) ?? assert.fail())["a2"], "half");
    assert.equal((await store.open(id))?.transcript.turns.length, 6);
  });

  it("writes arriving text without a flush, and batches its chunks", async () => {
    const { store, folder } = await openTestStore();
    const id = await write(store, [asked("q1"), started("a1", "q1")]);
    const before = (await readFile(join(folder, `${id}.jsonl`), "utf8")).split("\n").length;
    {
      using clock = new MockClock();
      for (let index = 0; index < 1000; index += 1) {
        store.log(id).append([text("x")]);
        if (index % 50 === 0) await new Promise(setImmediate);
      }
      clock.tick(150);
    }
    const reader = (await openTestStore(folder)).store;
    while (textsOf((await reader.open(id)) ?? assert.fail())["a1"]?.length !== 1000) {
      await new Promise(setImmediate);
    }
    const lines = (await readFile(join(folder, `${id}.jsonl`), "utf8")).split("\n");
    assert.equal(lines.length, before + 1);
  });

  it("reads a file of more than 4 MB", async () => {
    const { store } = await openTestStore();
    const words = "many words ".repeat(400_000);
    const id = await write(store, [...exchange("1", null, words), ...exchange("2", "a1")]);
    assert.deepEqual(Object.values(textsOf((await store.open(id)) ?? assert.fail())), [
      "question q1",
      words,
      "question q2",
      "answer 2",
    ]);
  });

  it("creates no file for an empty conversation", async () => {
    const { store, folder } = await openTestStore();
    const log = store.log(randomUUID());
    assert.equal(await log.close(), true);
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.open(randomUUID()), undefined);
    assert.equal(await store.rename(randomUUID(), "x"), false);
  });

  it("creates the folder on the first write, readable only by its owner", async () => {
    const parent = await openTestStore();
    const folder = join(parent.folder, "new", "conversations");
    const { store } = await openTestStore(folder);
    assert.deepEqual(await store.list(), []);
    // Removing creates the folder, too, even if the conversation was never written.
    await store.remove(randomUUID());
    await write(store, exchange("1", null));
    if (process.platform !== "win32") assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it("refuses IDs that could point to other files", async () => {
    const { store } = await openTestStore();
    for (const id of ["", "..", "../../x", "index", `${randomUUID()}/../x`, randomUUID().toUpperCase()]) {
      assert.throws(() => store.log(id), RangeError);
      await assert.rejects(store.open(id), RangeError);
      await assert.rejects(store.rename(id, "x"), RangeError);
      await assert.rejects(store.remove(id), RangeError);
    }
  });

  it("lists the newest first, titled by the given name or the first question's first nonempty line", async () => {
    const { store } = await openTestStore();
    const older = await write(store, [askedOn(1, "\n  Older\nmore"), started("a1", "q1"), completed]);
    const newer = await write(store, [askedOn(3, "long ".repeat(100))]);
    const list = await store.list();
    assert.deepEqual(
      list.map(({ id }) => id),
      [newer, older],
    );
    assert.equal(list[0]?.title.length, 120);
    assert.deepEqual(
      { ...list[1], createdAt: "" },
      {
        id: older,
        title: "Older",
        pinned: false,
        createdAt: "",
        updatedAt: "2026-02-01T00:00:00.000Z",
        connections: ["Work"],
        target: { connection: "Work", model: "service-core" },
        turns: 2,
        skipped: 0,
      },
    );
    assert.equal(await store.rename(older, "  Given\nname "), true);
    assert.equal(await store.pin(older, true), true);
    assert.deepEqual([(await store.list())[1]?.title, (await store.list())[1]?.pinned], ["Given name", true]);
    await store.rename(older, "");
    assert.equal((await store.list())[1]?.title, "Older");
  });

  it("keeps what a chat uses: the newest selection of any window, whatever answered last", async () => {
    const { store, folder } = await openTestStore();
    const id = await write(store, [
      askedOn(1, "Hello"),
      { type: "target-selected", selection: { connection: "Client A", model: "service-core" } },
      started("a1", "q1"),
      completed,
    ]);
    const other = (await openTestStore(folder)).store;
    const selection = { connection: "Client B", model: "vendor/model", clientStyle: "messages" } as const;
    await other.open(id);
    other.log(id).append([{ type: "target-selected", selection }]);
    await other.close();
    assert.deepEqual((await store.open(id))?.transcript.selection, selection);
    const [summary] = await store.list();
    assert.deepEqual(summary?.target, { connection: "Client B", model: "vendor/model" });
    assert.deepEqual([summary?.connections, summary?.skipped], [["Work"], 0]);
  });

  it("skips a damaged selection, and reads the rest of the chat", async () => {
    const { store, folder } = await openTestStore();
    const id = await write(store, [askedOn(1, "Hello"), started("a1", "q1"), completed]);
    const file = join(folder, `${id}.jsonl`);
    const record = { type: "meta", writer: "another", number: 1 };
    for (const selection of ["Client A", { connection: "Client A" }, { connection: 1, model: [] }])
      await appendFile(file, `\n${JSON.stringify({ ...record, selection })}`);
    const read = (await (await openTestStore(folder)).store.open(id)) ?? assert.fail();
    assert.deepEqual([read.transcript.selection, read.skipped], [undefined, 3]);
    assert.equal(read.transcript.turns.length, 2);
  });

  it("reads only changed files, and rebuilds a missing or wrong index", async () => {
    const { store, folder } = await openTestStore();
    const [first, second] = [
      await write(store, exchange("1", null)),
      await write(store, exchange("2", null)),
    ];
    await store.list();
    await store.close();
    const index = join(folder, "index.jsonl");
    const good = await readFile(index, "utf8");
    // The store trusts the index if the file's size and time match.
    await writeFile(index, good.replace("question q1", "from the index"));
    assert.deepEqual((await titlesOf((await openTestStore(folder)).store)).toSorted(), [
      "from the index",
      "question q2",
    ]);
    await appendFile(join(folder, `${first}.jsonl`), "\n");
    assert.deepEqual((await titlesOf((await openTestStore(folder)).store)).toSorted(), [
      "question q1",
      "question q2",
    ]);
    await rm(join(folder, `${second}.jsonl`));
    const another = (await openTestStore(folder)).store;
    assert.deepEqual(await titlesOf(another), ["question q1"]);
    await another.close();
    const newer = await readFile(index, "utf8");
    const wrong = [
      "",
      "{",
      "null",
      "[]",
      '{"version":2}',
      newer.replace('"version":2', '"version":3').replace("question q1", "x"),
    ];
    for (const content of [...wrong, good.replaceAll('"title"', '"name"'), good.slice(0, -9)]) {
      await writeFile(index, content);
      assert.deepEqual(await titlesOf((await openTestStore(folder)).store), ["question q1"]);
    }
    await rm(index);
    assert.deepEqual(await titlesOf((await openTestStore(folder)).store), ["question q1"]);
  });

  it("returns the first conversations from the index alone, pinned ones first", async () => {
    const { store, folder } = await openTestStore();
    assert.deepEqual(await store.listFirst(10), []);
    const ids: string[] = [];
    for (const name of ["1", "2", "3"]) ids.push(await write(store, exchange(name, null)));
    await store.pin(ids[0] ?? "", true);
    const listed = await store.list();
    await store.close();
    const first = (await openTestStore(folder)).store;
    const expected = [...listed.filter(({ pinned }) => pinned), ...listed.filter(({ pinned }) => !pinned)];
    assert.deepEqual(await first.listFirst(10), expected);
    assert.deepEqual(await first.listFirst(2), expected.slice(0, 2));
    for (const id of ids) await rm(join(folder, `${id}.jsonl`));
    assert.equal((await first.listFirst(10)).length, 3, "it may be outdated");
    assert.deepEqual(await first.list(), []);
    assert.deepEqual(await first.listFirst(10), []);
  });

  it("knows this window's changes without reading the other files", async () => {
    const { store, folder } = await openTestStore();
    const known = async (): Promise<string[]> => (await store.listKnown()).map(({ title }) => title);
    assert.deepEqual(await known(), []);
    const id = await write(store, exchange("1", null));
    assert.deepEqual(await known(), ["question q1"]);
    await write((await openTestStore(folder)).store, exchange("2", null));
    assert.deepEqual(await known(), ["question q1"]);
    assert.deepEqual((await titlesOf(store)).toSorted(), ["question q1", "question q2"]);
    await store.rename(id, "Named");
    assert.deepEqual((await known()).toSorted(), ["Named", "question q2"]);
    const undo = await store.remove(id);
    assert.deepEqual(await known(), ["question q2"]);
    await undo();
    assert.deepEqual((await known()).toSorted(), ["Named", "question q2"]);
    await store.close();
    const again = (await openTestStore(folder)).store;
    assert.deepEqual((await again.listKnown()).map(({ title }) => title).toSorted(), [
      "Named",
      "question q2",
    ]);
  });

  it("lists a damaged file with the number of unreadable records", async () => {
    const { store, folder } = await openTestStore();
    const id = await write(store, exchange("1", null));
    await appendFile(join(folder, `${id}.jsonl`), "\n{torn");
    await writeFile(join(folder, `${randomUUID()}.jsonl`), "nothing readable");
    await mkdir(join(folder, `${randomUUID()}.jsonl`));
    await writeFile(join(folder, "another.jsonl"), "not ours");
    assert.deepEqual((await store.list()).map(({ title, skipped }) => `${title}: ${skipped}`).toSorted(), [
      ": 1",
      "question q1: 1",
    ]);
    assert.equal((await store.open(id))?.skipped, 1);
  });

  it("moves a removed conversation to the trash and restores it", async () => {
    const { store } = await openTestStore();
    const id = await write(store, exchange("1", null));
    assert.deepEqual(await titlesOf(store), ["question q1"]);
    const undo = await store.remove(id);
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.open(id), undefined);
    assert.deepEqual(await undo(), { restored: 1, failures: [] });
    assert.deepEqual(await undo(), { restored: 1, failures: [] }, "it is there");
    assert.deepEqual(await titlesOf(store), ["question q1"]);
  });

  it("appends late text to a removed conversation so that undo restores all of it", async () => {
    const { store, folder } = await openTestStore();
    const other = (await openTestStore(folder)).store;
    const id = await write(store, [asked("q1"), started("a1", "q1"), text("ha")]);
    const same = await write(other, [asked("q1"), started("a1", "q1"), text("ha")]);
    const undo = [await store.remove(id), await store.remove(same)];
    for (const [window, removed] of [[store, id] as const, [other, same] as const]) {
      window.log(removed).append([text("lf"), completed]);
      assert.equal(await window.log(removed).flush(), true);
    }
    assert.deepEqual(await store.list(), []);
    for (const back of undo) await back();
    for (const restored of [id, same]) {
      assert.equal(textsOf((await store.open(restored)) ?? assert.fail())["a1"], "half");
    }
  });

  it("accepts concurrent writes of two windows to one conversation", async () => {
    const { store, folder } = await openTestStore();
    const other = (await openTestStore(folder)).store;
    const id = randomUUID();
    const windows = [store, other];
    await Promise.all(
      windows.map(async (window, index) => {
        for (let turn = 0; turn < 100; turn += 1) {
          const name = `${index}-${turn}`;
          const [question, answer, ...rest] = exchange(name, null, name.repeat(500));
          window.log(id).append([question ?? completed, answer ?? completed]);
          await window.log(id).flush();
          window.log(id).append(rest);
          if (turn % 10 === 0) await window.list();
          await window.log(id).flush();
        }
      }),
    );
    await Promise.all(windows.map((window) => window.close()));
    const stored = (await (await openTestStore(folder)).store.open(id)) ?? assert.fail();
    assert.equal(stored.skipped, 0);
    assert.equal(stored.transcript.turns.length, 400);
    for (const turn of stored.transcript.turns) {
      if (turn.kind === "question") continue;
      assert.equal(turn.state.kind, "complete");
      assert.equal(turn.text, turn.id.slice(1).repeat(500));
    }
    assert.deepEqual((await readdir(folder)).toSorted(), [`${id}.jsonl`, "index.jsonl"].toSorted());
  });

  it("imports its exports: JSON with all versions, Markdown with the visible branch", async () => {
    const { store } = await openTestStore();
    const events: TranscriptEvent[] = [
      ...exchange("1", null),
      ...exchange("2", "a1"),
      started("a3", "q2"),
      text("other"),
      { type: "usage", usage: { totalTokens: 3 } },
      { type: "answer-ended", state: { kind: "stopped" } },
      { type: "version-selected", turnId: "a2" },
    ];
    const id = await write(store, events);
    await store.rename(id, "Name");
    await store.pin(id, true);
    const { createdAt = "" } = (await store.list())[0] ?? {};
    const json = (await store.exportConversation(id, "json", keyless)) ?? assert.fail();
    const copy = (await store.importConversation(json, "json", keyless)) ?? assert.fail();
    const stored = (await store.open(copy)) ?? assert.fail();
    assert.notEqual(copy, id);
    assert.deepEqual(stored.transcript, reduce(events));
    assert.deepEqual([stored.title, stored.pinned, stored.createdAt], ["Name", true, createdAt]);
    const markdown = (await store.exportConversation(id, "markdown", keyless)) ?? assert.fail();
    const branch = (await store.importConversation(markdown, "markdown", keyless)) ?? assert.fail();
    assert.deepEqual(Object.values(textsOf((await store.open(branch)) ?? assert.fail())), [
      "question q1",
      "answer 1",
      "question q2",
      "answer 2",
    ]);
    for (const bad of ["", "{}", "# Title\n\ntext", "null", "[]"]) {
      assert.equal(await store.importConversation(bad, "json", keyless), undefined);
      assert.equal(await store.importConversation(bad, "markdown", keyless), undefined);
    }
    assert.equal(await store.exportConversation(randomUUID(), "json", keyless), undefined);
    assert.equal((await store.list()).length, 3);
  });

  it("exports reasoning only on request, and only as JSON", async () => {
    const { store } = await openTestStore();
    const events: TranscriptEvent[] = [
      asked("q1", null),
      started("a1", "q1"),
      { type: "reasoning-delta", text: "Hm, because." },
      text("So."),
      { type: "answer-ended", state: { kind: "complete", reason: "stop" } },
    ];
    const id = await write(store, events);
    const exported = (format: "json" | "markdown", hasReasoning?: boolean) =>
      store.exportConversation(id, format, keyless, undefined, hasReasoning);
    assert.doesNotMatch((await exported("json")) ?? assert.fail(), /because/);
    assert.doesNotMatch((await exported("markdown")) ?? assert.fail(), /because/);
    assert.doesNotMatch((await exported("markdown", true)) ?? assert.fail(), /because/);
    const json = (await exported("json", true)) ?? assert.fail();
    const copy = (await store.importConversation(json, "json", keyless)) ?? assert.fail();
    assert.deepEqual((await store.open(copy))?.transcript, reduce(events));
    assert.deepEqual((await store.open(id))?.transcript, reduce(events));
  });

  if (process.platform === "linux") {
    it("keeps a file open only while an answer arrives in it", async () => {
      const { store, folder } = await openTestStore();
      const open = async (): Promise<number> => {
        const descriptors = await readdir("/proc/self/fd");
        const paths = await Promise.all(
          descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")),
        );
        return paths.filter((path) => path.startsWith(folder)).length;
      };
      const ids = [];
      for (const name of ["1", "2", "3"]) ids.push(await write(store, exchange(name, null)));
      const [first = "", second = "", third = ""] = ids;
      await store.rename(first, "Name");
      await store.pin(second, true);
      store.log(third).append([{ type: "version-selected", turnId: "a3" }]);
      assert.equal(await store.log(third).flush(), true);
      while ((await open()) > 0) await new Promise(setImmediate);
      store.log(third).append([asked("q4", "a3"), started("a4", "q4"), text("ha")]);
      assert.equal(await store.log(third).flush(), true);
      assert.equal(await open(), 1);
    });
  }

  it("writes new events even after it was closed", async () => {
    const { store, folder } = await openTestStore();
    const id = await write(store, exchange("1", null));
    await store.close();
    assert.ok(existsSync(folder));
    store.log(id).append(exchange("2", "a1"));
    assert.equal(await store.log(id).flush(), true);
    assert.equal((await store.open(id))?.transcript.turns.length, 4);
  });
});
