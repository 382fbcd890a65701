import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openTestStore, removeTestStores, writeConversation } from "./sampleConversation.ts";
import { exchange } from "./sampleEvents.ts";

const day = 24 * 60 * 60 * 1000;

/** A conversation that was thrown away, and a clock that is set on by some days before each look at the trash. */
async function throwAway() {
  let now = Date.UTC(2026, 0, 2);
  const { store, folder } = await openTestStore(undefined, () => new Date(now));
  await store.remove(await writeConversation(store, exchange("1", null)));
  /** Whether it is still there, behind each look. */
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

describe("what is in the trash", () => {
  afterEach(removeTestStores);

  it("ends for good after 30 days, however often it is looked at", async () => {
    assert.deepEqual(await seenAfter(0, 10, 10, 9, 1), [true, true, true, true, false]);
    assert.deepEqual(await seenAfter(15, 14, 1), [true, true, false]);
  });

  it("is ended by no single look, however late that is", async () => {
    assert.deepEqual(await seenAfter(400, 400), [true, false]);
  });

  it("grows no older than half of that by a clock that is set while nobody looks, ahead or back", async () => {
    const ahead = await seenAfter(1, 365, 0.1, -365, 10);
    assert.deepEqual(ahead, [true, true, true, true, true]);
    const thrownAwayInThePast = await seenAfter(3000, 1, 13, 1);
    assert.deepEqual(thrownAwayInThePast, [true, true, true, false]);
    const thrownAwayInTheFuture = await seenAfter(-365, 15, 14, 1);
    assert.deepEqual(thrownAwayInTheFuture, [true, true, true, false]);
  });

  it("ends also where the clock was far ahead at one look", async () => {
    assert.deepEqual(await seenAfter(1, 365, -365, 1, 13, 1), [true, true, true, true, true, false]);
  });

  it("begins anew where its age cannot be read", async () => {
    const trash = await throwAway();
    assert.deepEqual(await trash.lookAfter(14, 1), [true, true]);
    const ages = join(trash.folder, "trash.json");
    assert.match(await readFile(ages, "utf8"), /"lookedAt":\d+/);
    await writeFile(ages, "[]");
    assert.deepEqual(await trash.lookAfter(1, 15), [true, false]);
  });

  it("is of one age in all windows", async () => {
    const trash = await throwAway();
    assert.deepEqual(await trash.lookAfter(15), [true]);
    const later = new Date(Date.UTC(2026, 0, 2) + 30 * day);
    const { store } = await openTestStore(trash.folder, () => later);
    await store.purge();
    assert.deepEqual(await readdir(join(trash.folder, "trash")), []);
  });
});
