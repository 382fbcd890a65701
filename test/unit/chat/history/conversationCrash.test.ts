import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, type FileHandle, open, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { mock } from "node:test";
import { sized } from "../../../support/figures.ts";
import { keyless, openTestStore, removeTestStores, temporaryFolder, textsOf } from "./sampleConversation.ts";
import { asked, completed, exchange, reduce, started, text } from "../transcript/sampleEvents.ts";

const writerPath = join(import.meta.dirname, "conversationWriter.ts");
const kills = sized(24, 8);
const killsAtOnce = 4;

describe("a conversation's file", () => {
  afterEach(removeTestStores);

  it("contains every acknowledged answer after the process is killed", async () => {
    let torn = 0;
    for (let round = 0; round < kills; round += killsAtOnce) {
      const rounds = Array.from({ length: killsAtOnce }, (_, index) => killWriter(round + index));
      torn += (await Promise.all(rounds)).filter((interrupted) => interrupted).length;
    }
    // At least one kill must have interrupted an answer. If not, the test shows nothing.
    assert.ok(torn > 0);
  }).timeout(240_000);

  it("is synced to disk for each question and each end of an answer, not for each text", async () => {
    const { store } = await openTestStore();
    const syncs = await countSyncs();
    const log = store.log(randomUUID());
    for (const events of [[asked("q1"), started("a1", "q1")], [text("a word")], [completed]]) {
      log.append(events);
      assert.equal(await log.flush(), true);
    }
    await log.close();
    syncs.mock.restore();
    assert.equal(syncs.mock.callCount(), 2);
  });

  if (process.platform === "linux") {
    it("is completed after a partial write when the disk has room again", async () => {
      const folder = await temporaryFolder();
      const id = randomUUID();
      // The limit of 16 KB cuts a record. Later writes fail until `prlimit` removes the limit.
      const limited = ["-c", 'ulimit -S -f 16; exec "$0" "$@"', process.execPath, writerPath, folder, id];
      const writer = spawn("bash", limited, { stdio: ["ignore", "pipe", "inherit"] });
      const lines = createInterface({ input: writer.stdout });
      let last = -1;
      let full = false;
      for await (const line of lines) {
        if (line === "full" && !full) {
          full = true;
          await run("prlimit", ["--pid", String(writer.pid), "--fsize=unlimited:"]);
        } else if (line !== "full") {
          last = Number(line);
          if (full && last > 20) break;
        }
      }
      await kill(writer);
      const stored = (await (await openTestStore(folder)).store.open(id)) ?? assert.fail();
      assertAllThere(textsOf(stored), last);
      assert.equal(stored.skipped, 1);
    });

    it("isn't reported as written while the disk is full, but its chat still exports completely", async () => {
      const { store, folder } = await openTestStore();
      const id = randomUUID();
      assert.ok(store.isWritten(id));
      await symlink("/dev/full", join(folder, `${id}.jsonl`));
      const events = [...exchange("1", null), asked("q2", "a1"), started("a2", "q2"), text("half")];
      store.log(id).append(events);
      assert.equal(await store.log(id).flush(), false);
      assert.ok(!store.isWritten(id));
      const shown = { title: "Named", transcript: reduce(events) };
      for (const format of ["json", "markdown"] as const) {
        const exported = (await store.exportConversation(id, format, keyless, shown)) ?? assert.fail();
        for (const part of ["Named", "answer 1", "question q2", "half", "interrupted"])
          assert.ok(exported.includes(part), `${format}: ${part}`);
      }
      await rm(join(folder, `${id}.jsonl`));
      assert.equal(await store.log(id).flush(), true);
      assert.ok(store.isWritten(id));
    });

    it("causes one error report while the disk is full, and is written when the disk has room", async () => {
      const { store, folder, errors } = await openTestStore();
      const id = randomUUID();
      await symlink("/dev/full", join(folder, `${id}.jsonl`));
      const log = store.log(id);
      log.append(exchange("1", null));
      assert.equal(await log.flush(), false);
      log.append(exchange("2", "a1"));
      assert.equal(await log.flush(), false);
      assert.deepEqual(
        errors.map((error) => (error instanceof Error && "code" in error ? error.code : error)),
        ["ENOSPC"],
      );
      await rm(join(folder, `${id}.jsonl`));
      assert.equal(await log.flush(), true);
      const stored = (await store.open(id)) ?? assert.fail();
      assert.deepEqual(Object.keys(textsOf(stored)), ["q1", "a1", "q2", "a2"]);
      assert.notEqual(stored.createdAt, null);
    });
  }

  it("is readable in a read-only folder", async () => {
    const { store, folder, errors } = await openTestStore();
    const id = randomUUID();
    store.log(id).append(exchange("1", null));
    await store.close();
    await chmod(join(folder, `${id}.jsonl`), 0o444);
    await chmod(folder, 0o555);
    const restore = leaveAdministrator();
    try {
      const reader = (await openTestStore(folder)).store;
      assert.deepEqual(
        (await reader.list()).map(({ title }) => title),
        ["question q1"],
      );
      assert.equal(textsOf((await reader.open(id)) ?? assert.fail())["a1"], "answer 1");
      store.log(id).append(exchange("2", "a1"));
      assert.equal(await store.log(id).flush(), false);
      assert.equal(errors.length, 1);
      await assert.rejects(store.remove(id), { code: "EACCES" });
      await reader.close();
    } finally {
      restore();
      await chmod(folder, 0o755);
      await chmod(join(folder, `${id}.jsonl`), 0o644);
    }
    assert.equal(await store.log(id).flush(), true);
    assert.equal(textsOf((await store.open(id)) ?? assert.fail())["a2"], "answer 2");
  });
});

/** Mocks `FileHandle.datasync` to count its calls. */
async function countSyncs() {
  await using handle = await open(import.meta.filename);
  const files: FileHandle = Object.getPrototypeOf(handle);
  return mock.method(files, "datasync");
}

/** Kills a writer some time after its first answer. Returns whether the kill interrupted an answer. */
async function killWriter(round: number): Promise<boolean> {
  const folder = await temporaryFolder();
  const id = randomUUID();
  const writer = spawn(process.execPath, [writerPath, folder, id], { stdio: ["ignore", "pipe", "inherit"] });
  let last = -1;
  for await (const line of createInterface({ input: writer.stdout })) {
    last = Number(line);
    // Each round has a different delay.
    if (last === 0) setTimeout(() => writer.kill("SIGKILL"), 5 + round * 1.37);
  }
  await kill(writer);
  const stored = (await (await openTestStore(folder)).store.open(id)) ?? assert.fail();
  assertAllThere(textsOf(stored), last);
  return stored.transcript.turns.length !== 2 * (last + 1);
}

function assertAllThere(texts: Readonly<Record<string, string>>, last: number): void {
  assert.ok(last >= 0);
  for (let number = 0; number <= last; number += 1) {
    assert.equal(texts[`a${number}`], `answer ${number} `.repeat(200));
  }
}

async function kill(writer: ChildProcess): Promise<void> {
  if (writer.exitCode !== null || writer.signalCode !== null) return;
  const closed = once(writer, "close");
  writer.kill("SIGKILL");
  await closed;
}

async function run(command: string, words: readonly string[]): Promise<void> {
  const [code] = await once(spawn(command, words, { stdio: "inherit" }), "close");
  assert.equal(code, 0);
}

/** Drops root rights, because root may write everywhere. Returns a function that restores them. */
function leaveAdministrator(): () => void {
  if (process.geteuid?.() !== 0) return () => {};
  process.seteuid?.(65_534);
  return () => process.seteuid?.(0);
}
