import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openTestStore, removeTestStores, writeConversation } from "../sampleConversation.ts";
import { exchange } from "../../transcript/sampleEvents.ts";

const day = 24 * 60 * 60 * 1000;
/** When it is thrown away, far from where a day begins in any time zone that tests run in. */
const start = Date.UTC(2026, 0, 2, 12);

/** A conversation that was thrown away, and a clock that is set on by some days before each look at the trash. */
async function throwAway() {
  let now = start;
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

  it("ends for good when it is 30 days old on two days", async () => {
    assert.deepEqual(await seenAfter(0, 29, 1, 1), [true, true, true, false]);
    assert.deepEqual(await seenAfter(400, 400), [true, false]);
  });

  it("stays when it is 30 days old at several looks of one day", async () => {
    assert.deepEqual(await seenAfter(30, 0.1, 0.1, 1), [true, true, true, false]);
  });

  it("stays when the clock is set ahead or back for one look", async () => {
    assert.deepEqual(await seenAfter(1, 365, -365, 28, 1, 1), [true, true, true, true, true, false]);
    assert.deepEqual(await seenAfter(365, -365, 365, -365), [true, true, true, true]);
    assert.deepEqual(await seenAfter(-365, 365, 29, 1, 1), [true, true, true, true, false]);
  });

  it("begins anew when its age cannot be read", async () => {
    const trash = await throwAway();
    assert.deepEqual(await trash.lookAfter(30), [true]);
    await writeFile(join(trash.folder, "trash.json"), "[]");
    assert.deepEqual(await trash.lookAfter(1, 1), [true, false]);
  });

  it("goes on with what an earlier version has noted", async () => {
    const trash = await throwAway();
    const [name = ""] = await readdir(join(trash.folder, "trash"));
    const noted = { lookedAt: start + 15 * day, wasBehind: false, ages: { [name]: 15 * day } };
    await writeFile(join(trash.folder, "trash.json"), JSON.stringify(noted));
    assert.deepEqual(await trash.lookAfter(30, 1), [true, false]);
  });

  it("is of one age in all windows", async () => {
    const trash = await throwAway();
    assert.deepEqual(await trash.lookAfter(30), [true]);
    const later = new Date(start + 31 * day);
    const { store } = await openTestStore(trash.folder, () => later);
    await store.purge();
    assert.deepEqual(await readdir(join(trash.folder, "trash")), []);
  });
});
