import assert from "node:assert/strict";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  openTestStore,
  removeTestStores,
  textsOf,
  writeConversation as write,
} from "./sampleConversation.ts";
import { asked, completed, exchange, started, text } from "../transcript/sampleEvents.ts";

describe("the trash of two windows", () => {
  afterEach(removeTestStores);

  it("restores a removed chat if another window asks a question in it", async () => {
    const { store, folder } = await openTestStore();
    const other = await openTestStore(folder);
    const written = await write(other.store, exchange("1", null));
    const read = await write(store, exchange("1", null));
    assert.ok((await other.store.open(read)) !== undefined);
    const { undo } = await store.removeAll([written, read]);
    for (const id of [written, read]) {
      other.store.log(id).append([asked("q2", "a1"), started("a2", "q2"), text("new"), completed]);
      assert.equal(await other.store.log(id).flush(), true);
    }
    assert.deepEqual(other.broughtBack, [written, read]);
    for (const id of [written, read]) {
      const stored = (await store.open(id)) ?? assert.fail();
      assert.deepEqual(Object.keys(textsOf(stored)), ["q1", "a1", "q2", "a2"]);
      assert.equal(stored.transcript.leafId, "a2");
    }
    assert.deepEqual(await undo(), { restored: 2, failures: [] }, "none of them is missing");
    assert.deepEqual(await readdir(join(folder, "trash")), []);
  });

  it("still counts a removed chat as existing, so that what belongs to it is kept", async () => {
    const { store } = await openTestStore();
    assert.deepEqual(await store.existingIds(), new Set());
    const [left, removed] = [
      await write(store, exchange("1", null)),
      await write(store, exchange("2", null)),
    ];
    await store.remove(removed);
    assert.deepEqual(await store.existingIds(), new Set([left, removed]));
  });

  it("restores a removed chat for the next answer in another window, but not for an answer in progress", async () => {
    const { store, folder } = await openTestStore();
    const other = await openTestStore(folder);
    const id = await write(other.store, [asked("q1"), started("a1", "q1"), text("ha")]);
    await store.remove(id);
    other.store.log(id).append([text("lf"), completed]);
    assert.equal(await other.store.log(id).flush(), true);
    assert.deepEqual([await store.list(), other.broughtBack], [[], []]);
    other.store.log(id).append([started("a2", "q1"), text("whole"), completed]);
    assert.equal(await other.store.log(id).flush(), true);
    assert.deepEqual(other.broughtBack, [id]);
    const texts = textsOf((await store.open(id)) ?? assert.fail());
    assert.deepEqual([texts["a1"], texts["a2"]], ["half", "whole"]);
  });

  it("removes and restores several chats without overwriting anything", async () => {
    const { store, folder } = await openTestStore();
    const ids = [];
    for (const name of ["1", "2", "3"]) ids.push(await write(store, exchange(name, null)));
    const { undo } = await store.removeAll(ids);
    assert.deepEqual(await store.list(), []);
    const [first = "", second = ""] = ids;
    // As in a window that has never opened this chat.
    const other = (await openTestStore(folder)).store;
    other.log(first).append(exchange("new", "a1"));
    assert.equal(await other.log(first).flush(), true);
    for (const name of await readdir(join(folder, "trash"))) {
      if (name.includes(second)) await rm(join(folder, "trash", name));
    }
    assert.deepEqual(await undo(), { restored: 2, failures: [] });
    const stored = (await store.open(first)) ?? assert.fail();
    assert.deepEqual(Object.keys(textsOf(stored)), ["q1", "a1", "qnew", "anew"]);
    assert.deepEqual([stored.transcript.leafId, stored.skipped], ["anew", 0]);
  });

  it("removes only the named chats", async () => {
    const { store } = await openTestStore();
    const id = await write(store, exchange("1", null));
    const later = await write(store, exchange("2", null));
    const { removed } = await store.removeAll([id]);
    assert.deepEqual(removed, [id]);
    assert.deepEqual(
      (await store.list()).map((summary) => summary.id),
      [later],
    );
  });

  it("removes all chats that can be moved, can undo that, and reports the failures", async () => {
    const at = new Date(Date.UTC(2026, 0, 2));
    const { store, folder } = await openTestStore(undefined, () => at);
    const ids = [];
    for (let name = 1; name <= 20; name += 1) ids.push(await write(store, exchange(`${name}`, null)));
    const [stuck = ""] = ids;
    // A file can't replace a folder.
    await mkdir(join(folder, "trash", `${at.getTime()}-${stuck}.jsonl`), { recursive: true });
    const { removed, failures, undo } = await store.removeAll(ids);
    assert.deepEqual(removed, ids.slice(1));
    assert.deepEqual(
      failures.map(({ id }) => id),
      [stuck],
    );
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      [stuck],
    );
    assert.deepEqual(await undo(), { restored: 19, failures: [] });
    assert.equal((await store.list()).length, 20);
    await assert.rejects(store.remove(stuck));
  });

  it("restores all chats that it can, and the rest on the next try", async () => {
    const { store, folder } = await openTestStore();
    const ids = [];
    for (const name of ["1", "2", "3"]) ids.push(await write(store, exchange(name, null)));
    const { undo } = await store.removeAll(ids);
    const [stuck = ""] = ids;
    const place = join(folder, `${stuck}.jsonl`);
    await mkdir(place);
    const first = await undo();
    assert.equal(first.restored, 2);
    assert.deepEqual(
      first.failures.map(({ id }) => id),
      [stuck],
    );
    await rm(place, { recursive: true });
    assert.deepEqual(await undo(), { restored: 3, failures: [] });
    const stored = (await store.open(stuck)) ?? assert.fail();
    assert.deepEqual([Object.keys(textsOf(stored)), stored.skipped], [["q1", "a1"], 0]);
  });
});
