import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openTestStore, removeTestStores, writeConversation } from "../sampleConversation.ts";
import { exchange } from "../../transcript/sampleEvents.ts";

const day = 24 * 60 * 60 * 1000;
/** The time of removal, far from midnight in any time zone that tests run in. */
const start = Date.UTC(2026, 0, 2, 12);

/** Removes a conversation. `lookAfter` advances the clock by some days before each purge. */
async function throwAway() {
  let now = start;
  const { store, folder } = await openTestStore(undefined, () => new Date(now));
  await store.remove(await writeConversation(store, exchange("1", null)));
  /** Returns, for each purge, whether the conversation is still in the trash. */
  const lookAfter = async (...days: readonly number[]): Promise<readonly boolean[]> => {
    const seen: boolean[] = [];
    for (const each of days) {
      now += each * day;
      await store.purge();
      seen.push((await readdir(join(folder, "trash"))).length > 0);
    }
    return seen;
  };
  return { folder, lookAfter };
}

async function seenAfter(...days: readonly number[]): Promise<readonly boolean[]> {
  return (await throwAway()).lookAfter(...days);
}

describe("a conversation in the trash", () => {
  afterEach(removeTestStores);

  it("is deleted when purges on two days find it at least 30 days old", async () => {
    assert.deepEqual(await seenAfter(0, 29, 1, 1), [true, true, true, false]);
    assert.deepEqual(await seenAfter(400, 400), [true, false]);
  });

  it("stays if only purges of one day find it at least 30 days old", async () => {
    assert.deepEqual(await seenAfter(30, 0.1, 0.1, 1), [true, true, true, false]);
  });

  it("stays if the clock is ahead or behind for one purge", async () => {
    assert.deepEqual(await seenAfter(1, 365, -365, 28, 1, 1), [true, true, true, true, true, false]);
    assert.deepEqual(await seenAfter(365, -365, 365, -365), [true, true, true, true]);
    assert.deepEqual(await seenAfter(-365, 365, 29, 1, 1), [true, true, true, true, false]);
  });

  it("needs two more purges if its stored age is unreadable", async () => {
    const trash = await throwAway();
    assert.deepEqual(await trash.lookAfter(30), [true]);
    await writeFile(join(trash.folder, "trash.json"), "[]");
    assert.deepEqual(await trash.lookAfter(1, 1), [true, false]);
  });

  it("keeps the age that an earlier version stored", async () => {
    const trash = await throwAway();
    const [name = ""] = await readdir(join(trash.folder, "trash"));
    const noted = { lookedAt: start + 15 * day, wasBehind: false, ages: { [name]: 15 * day } };
    await writeFile(join(trash.folder, "trash.json"), JSON.stringify(noted));
    assert.deepEqual(await trash.lookAfter(30, 1), [true, false]);
  });

  it("has the same age in all windows", async () => {
    const trash = await throwAway();
    assert.deepEqual(await trash.lookAfter(30), [true]);
    const later = new Date(start + 31 * day);
    const { store } = await openTestStore(trash.folder, () => later);
    await store.purge();
    assert.deepEqual(await readdir(join(trash.folder, "trash")), []);
  });
});
