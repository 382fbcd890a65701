import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileCopies } from "../../../../src/editor/agent/fileCopies.ts";
import { itBesidesWindows } from "../../../support/itWhere.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const answer = { chatId: "chat", answerId: "answer" };
const uri = "file:///ws/a.ts";
const dayMs = 24 * 60 * 60 * 1000;

function cleanAfter(copies: FileCopies, days: number, chatIds: readonly string[]): Promise<void> {
  return copies.clean(async () => new Set(chatIds), new Date(Date.now() + days * dayMs));
}

describe("FileCopies", () => {
  let folder: string;
  let copies: FileCopies;

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "copies-")), "file-copies");
    copies = new FileCopies({ folder, maxBytes: 10 });
  });
  afterEach(() => rm(join(folder, ".."), { recursive: true }));

  /** Each write of the answer, as texts. */
  async function writes(of = uri): Promise<readonly (readonly (string | undefined)[])[]> {
    const file = (await copies.filesOf(answer)).find((each) => each.uri === of);
    const textOf = async (copy: string | null | undefined): Promise<string | undefined> =>
      typeof copy === "string" ? Buffer.from(await copies.read(answer, copy)).toString() : undefined;
    return Promise.all(
      (file?.writes ?? []).map(async ({ before, after }) => [await textOf(before), await textOf(after)]),
    );
  }

  async function write(before: string | undefined, after: string, of = uri): Promise<void> {
    await copies.begin(answer, of, before === undefined ? undefined : bytes(before));
    await copies.end(answer, of, bytes(after));
  }

  /** All files below the folder of copies. */
  const stored = async (): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);

  it("have the contents from before the first write, and from after the last", async () => {
    await write("a", "b");
    await write("b", "c");
    await write(undefined, "new", "file:///ws/new.ts");
    assert.deepEqual(await writes(), [["a", "c"]]);
    assert.deepEqual(await writes("file:///ws/new.ts"), [[undefined, "new"]]);
    // There are two copies of one file, one of the other, and the index. All others are deleted.
    assert.equal((await stored()).length, 4);
  });

  it("are there before the file is written", async () => {
    await copies.begin(answer, uri, bytes("a"));
    assert.deepEqual(await writes(), [["a", undefined]]);
    await copies.cancel(answer, uri);
    assert.deepEqual(await copies.filesOf(answer), []);
  });

  it("have every write apart if somebody else has written in between", async () => {
    await write("a", "b");
    await write("b and more", "c");
    assert.deepEqual(await writes(), [
      ["a", "b"],
      ["b and more", "c"],
    ]);
    await copies.begin(answer, uri, bytes("other"));
    await copies.cancel(answer, uri);
    assert.equal((await writes()).length, 2);
  });

  it("have no room beyond the limit of an answer", async () => {
    assert.ok(await copies.hasRoom(answer, uri, bytes("0123456789")));
    assert.ok(!(await copies.hasRoom(answer, uri, bytes("0123456789+"))));
    await write("0123456", "a longer text than the limit");
    assert.ok(!(await copies.hasRoom(answer, "file:///ws/b.ts", bytes("0123"))));
    assert.ok(await copies.hasRoom(answer, "file:///ws/b.ts", bytes("012")));
    assert.ok(await copies.hasRoom(answer, uri, bytes("a longer text than the limit")));
    assert.ok(await copies.hasRoom({ ...answer, answerId: "other" }, uri, bytes("0123456789")));
  });

  itBesidesWindows("outlive the window, and are for their owner only", async () => {
    await write("a", "b");
    copies = new FileCopies({ folder });
    assert.deepEqual(await writes(), [["a", "b"]]);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      assert.equal(mode & 0o077, 0, entry.name);
    }
  });

  it("stay in their folder, whatever the IDs are", async () => {
    const hostile = { chatId: "../../..", answerId: "/tmp/x" };
    await copies.begin(hostile, uri, bytes("a"));
    assert.equal((await copies.filesOf(hostile)).length, 1);
    assert.deepEqual(await readdir(join(folder, "..")), ["file-copies"]);
  });

  it("are dropped for some files or for all", async () => {
    await write("a", "b");
    await write("c", "d", "file:///ws/b.ts");
    await copies.drop(answer, [uri]);
    assert.deepEqual(await writes(), []);
    assert.deepEqual(await writes("file:///ws/b.ts"), [["c", "d"]]);
    assert.equal((await stored()).length, 3);
    assert.deepEqual(await copies.droppedOf(answer), [uri]);
    await write("e", "f");
    await copies.drop(answer, [uri]);
    await copies.drop(answer, ["file:///ws/b.ts"]);
    assert.deepEqual(await stored(), []);
    await write("a", "b");
    await copies.drop(answer);
    assert.deepEqual(await stored(), []);
  });

  it("count as none if the index cannot be read", async () => {
    await write("a", "b");
    const [chat = ""] = await readdir(folder);
    const [own = ""] = await readdir(join(folder, chat));
    const index = join(folder, chat, own, "index.json");
    const text = await readFile(index, "utf8");
    for (const broken of ["", "{", text.replace(/[0-9a-f-]{36}/, "../../secret")]) {
      await rm(index);
      await writeFile(index, broken);
      assert.deepEqual(await copies.filesOf(answer), []);
    }
  });

  describe("are cleaned up", () => {
    it("after 30 days, with the empty folders", async () => {
      await write("a", "b");
      await cleanAfter(copies, 29, ["chat"]);
      assert.deepEqual(await writes(), [["a", "b"]]);
      await cleanAfter(copies, 30.1, ["chat"]);
      assert.deepEqual(await readdir(folder), []);
    });

    it("a day after the last write if the chat is gone", async () => {
      await write("a", "b");
      await cleanAfter(copies, 0.5, []);
      assert.deepEqual(await writes(), [["a", "b"]]);
      await cleanAfter(copies, 1.1, ["another"]);
      assert.deepEqual(await readdir(folder), []);
    });

    it("by the time of the last write", async () => {
      await write("a", "b");
      const [chat = ""] = await readdir(folder);
      const [own = ""] = await readdir(join(folder, chat));
      const old = new Date(Date.now() - 20 * dayMs);
      await utimes(join(folder, chat, own, "index.json"), old, old);
      await cleanAfter(copies, 11, ["chat"]);
      assert.deepEqual(await readdir(folder), []);
    });

    it("without asking for the chats if there are none", async () => {
      await copies.clean(() => Promise.reject(new Error("asked")), new Date());
    });
  });
});
