import assert from "node:assert/strict";
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Attachment } from "../../../../src/chat/transcript/attachments.ts";
import { DraftStore } from "../../../../src/chat/drafts/draftStore.ts";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import { KnownKeys } from "../../../../src/editor/chat/knownKeys.ts";
import { MockClock } from "../../client/http/mockClock.ts";
import { fakeKey } from "../../service/fixture.ts";
import { removeTestStores, temporaryFolder } from "../history/sampleConversation.ts";
import { itBesidesWindows } from "../../../support/itWhere.ts";
import { sealFor } from "../../../support/sealFor.ts";

const longAgo = (): Date => new Date("2026-01-01T00:00:00Z");
const now = (): Date => new Date();

/** Saves a draft in a store whose file can't be written until the folder at `path` is removed. */
async function refuseDraft(): Promise<{ readonly path: string; readonly kept: DraftStore }> {
  const path = join(await temporaryFolder(), "open-chats.json");
  // A file can't replace a folder that isn't empty.
  await mkdir(join(path, "in the way"), { recursive: true });
  const kept = await DraftStore.open(path, now);
  kept.saveDraft("a", "a thought");
  await kept.close();
  return { path, kept };
}

describe("the drafts of a workspace", () => {
  afterEach(removeTestStores);

  it("are restored in the next window, with the chat of the view", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await DraftStore.open(path, now);
    kept.saveDraft("a", "a thought");
    kept.saveDraft("b", "another");
    kept.saveDraft("b", " ");
    kept.saveViewChat("a");
    await kept.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual([again.viewChat, again.draftOf("a"), again.draftOf("b")], ["a", "a thought", ""]);
  });

  it("don't overwrite each other in two windows", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const before = await DraftStore.open(path, now);
    before.saveDraft("sent", "will be sent");
    await before.close();
    const [one, other] = [await DraftStore.open(path, now), await DraftStore.open(path, now)];
    one.saveDraft("a", "typed in the first window");
    await one.close();
    other.saveDraft("b", "typed in the second");
    other.saveDraft("sent", "");
    await other.close();
    one.saveDraft("a", "typed on in the first window");
    await one.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual(
      ["a", "b", "sent"].map((id) => again.draftOf(id)),
      ["typed on in the first window", "typed in the second", ""],
    );
  });

  it("keep the newest text of two windows, whatever the clocks and the order of writes", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const before = await DraftStore.open(path, now);
    before.saveDraft("shared", "will be sent");
    await before.close();
    const [one, other] = [await DraftStore.open(path, now), await DraftStore.open(path, longAgo)];
    one.saveDraft("shared", "");
    await one.close();
    other.saveDraft("else", "something");
    await other.close();
    assert.equal(other.draftOf("shared"), "", "it knows what it has read");
    other.saveDraft("shared", "typed in the second window");
    await other.close();
    one.saveDraft("a", "typed in any other chat");
    await one.close();
    for (const kept of [one, await DraftStore.open(path, now)]) {
      assert.deepEqual(
        ["shared", "a", "else"].map((id) => kept.draftOf(id)),
        ["typed in the second window", "typed in any other chat", "something"],
      );
    }
  });

  it("keep the newest text of two windows even if the second window's clock is behind", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const [one, other] = [await DraftStore.open(path, now), await DraftStore.open(path, longAgo)];
    one.saveDraft("shared", "typed in the first window");
    await one.close();
    other.saveDraft("shared", "typed behind it in the second");
    await other.close();
    one.saveDraft("a", "typed in any other chat");
    await one.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual(
      [one, other, again].map((each) => each.draftOf("shared")),
      Array.from({ length: 3 }, () => "typed behind it in the second"),
    );
  });

  it("are written again with the next save if a concurrent write overwrote them", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const [one, other] = [await DraftStore.open(path, now), await DraftStore.open(path, now)];
    one.saveDraft("a", "typed in the first window");
    await one.close();
    // Undoes the first window's write, as if the second window had read the file before that write.
    await rm(path);
    other.saveDraft("b", "typed in the second");
    await other.close();
    one.saveViewChat("b");
    await one.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual(
      [again.draftOf("a"), again.draftOf("b")],
      ["typed in the first window", "typed in the second"],
    );
  });

  it("are written at intervals while typing, because each write contains all of them", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    using clock = new MockClock();
    const kept = await DraftStore.open(path, now);
    const long = "x".repeat(400_000);
    kept.saveDraft("long", long);
    const versions = new Set<bigint>();
    /** Types for longer than a write takes. Returns the number of versions written so far. */
    const type = async (): Promise<number> => {
      for (let letters = 1; letters <= 50; letters += 1) {
        kept.saveDraft("short", "x".repeat(letters));
        await writeFile(`${path}.compared`, long);
        const written = await stat(path, { bigint: true }).catch(() => undefined);
        if (written !== undefined) versions.add(written.mtimeNs);
      }
      return versions.size;
    };
    assert.equal(await type(), 1);
    clock.tick(200);
    assert.equal(await type(), 2);
    kept.saveDraft("short", "to its last letter");
    await kept.close();
    assert.equal((await DraftStore.open(path, now)).draftOf("short"), "to its last letter");
  });

  it("are written with the next save if a write failed", async () => {
    const { path, kept } = await refuseDraft();
    await rm(path, { recursive: true });
    kept.saveViewChat("b");
    await kept.close();
    assert.equal((await DraftStore.open(path, now)).draftOf("a"), "a thought");
  });

  it("are written on close if a write failed", async () => {
    const { path, kept } = await refuseDraft();
    await rm(path, { recursive: true });
    await kept.close();
    assert.equal((await DraftStore.open(path, now)).draftOf("a"), "a thought");
  });

  // On Windows only administrators can create links.
  itBesidesWindows("survive while their file can't be read", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const before = await DraftStore.open(path, now);
    before.saveDraft("other", "typed long ago");
    await before.close();
    const kept = await DraftStore.open(path, now);
    // The file exists but can't be read: its path is a link to itself.
    await rename(path, `${path}.moved`);
    await symlink(path, path);
    kept.saveDraft("a", "a thought");
    await kept.close();
    await rename(`${path}.moved`, path);
    await kept.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual([again.draftOf("other"), again.draftOf("a")], ["typed long ago", "a thought"]);
  });

  it("survive a damaged file, which is renamed", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const before = await DraftStore.open(path, now);
    before.saveDraft("other", "typed long ago");
    await before.close();
    const kept = await DraftStore.open(path, now);
    for (const damaged of ["{ no JSON", JSON.stringify({ drafts: "of a newer form" })]) {
      await writeFile(path, damaged);
      kept.saveDraft("a", damaged);
      await kept.close();
      const again = await DraftStore.open(path, now);
      assert.deepEqual([again.draftOf("other"), again.draftOf("a")], ["typed long ago", damaged]);
      assert.equal(await readFile(`${path}.unreadable`, "utf8"), damaged);
    }
  });
});

describe("unsent input", () => {
  afterEach(removeTestStores);

  it("is restored with its attachments in the next window", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await DraftStore.open(path, now);
    kept.saveAttachments("a", [attached("notes", "some notes")]);
    kept.saveDraft("b", "typed");
    kept.saveEdit("a", "turn", "asked better");
    await kept.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual(again.attachmentsOf("a"), [attached("notes", "some notes")]);
    assert.deepEqual(again.editsOf("a"), { turn: "asked better" });
    assert.deepEqual([...again.chatIds].sort(), ["a", "b"], "an edit is no chat");
    const things = again.forget("a");
    assert.deepEqual(things, {
      draft: "",
      attachments: [attached("notes", "some notes")],
      edits: { turn: "asked better" },
      preparedPrompt: "",
    });
    await again.close();
    const third = await DraftStore.open(path, now);
    assert.deepEqual([third.chatIds, third.attachmentsOf("a"), third.editsOf("a")], [["b"], [], {}]);
    third.restore("a", things);
    await third.close();
    const fourth = await DraftStore.open(path, now);
    assert.deepEqual(fourth.attachmentsOf("a"), [attached("notes", "some notes")]);
    assert.deepEqual([fourth.draftOf("a"), fourth.editsOf("a")], ["", { turn: "asked better" }]);
  });

  it("keeps the connection and model selected before the first question, also after a removal is undone", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await DraftStore.open(path, now);
    const saved = { selection: { connection: "Client B", model: "service-mini" }, after: 2 };
    kept.saveSelection("a", saved);
    kept.saveDraft("a", "a thought");
    assert.deepEqual(kept.editsOf("a"), {}, "it is no edit of a question");
    const things = kept.forget("a");
    assert.equal(kept.selectionOf("a"), undefined);
    kept.restore("a", things);
    await kept.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual(again.selectionOf("a"), saved);
    again.saveSelection("a", undefined);
    assert.equal(again.selectionOf("a"), undefined);
    for (const damaged of ["{", "[]", JSON.stringify({ ...saved, after: "2" })]) {
      again.saveEdit("a", "/selection", damaged);
      assert.equal(again.selectionOf("a"), undefined);
    }
    await again.close();
  });

  it("keeps its prepared prompt while the draft uses that prompt", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await DraftStore.open(path, now);
    kept.saveDraft("a", "/explain what a closure is");
    kept.savePreparedPrompt("a", "explain");
    kept.saveDraft("b", "/explain what a monad is");
    await kept.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual([again.preparedPromptOf("a"), again.preparedPromptOf("b")], ["explain", undefined]);
    assert.deepEqual([again.editsOf("a"), [...again.chatIds].sort()], [{}, ["a", "b"]], "it is no edit");
    const things = again.forget("a");
    assert.equal(again.preparedPromptOf("a"), undefined);
    again.restore("a", things);
    assert.equal(again.preparedPromptOf("a"), "explain");
    again.saveDraft("a", "/fix it");
    assert.equal(again.preparedPromptOf("a"), undefined);
    await again.close();
  });

  it("contains no key that was stored after it was typed", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const value = fakeKey("typed-early");
    const kept = await DraftStore.open(path, now);
    kept.saveDraft("a", `my key is ${value}`);
    kept.saveEdit("a", "turn", value);
    kept.saveAttachments("a", [attached("env", `KEY=${value}`)]);
    kept.saveDraft("b", "nothing to hide");
    const key = new ApiKey(value, sealFor("https://service.example"));
    const known = new KnownKeys({
      list: async () => [{ connectionName: "Acme", variable: "ACME_KEY", key }],
    });
    await known.read();
    kept.clean(known);
    await kept.close();
    for (const file of [path, path.replace(".json", "-attached.json")])
      assert.ok(!(await readFile(file, "utf8")).includes(value), file);
    const again = await DraftStore.open(path, now);
    assert.deepEqual(
      [again.draftOf("a"), again.editsOf("a"), again.draftOf("b")],
      ["my key is [API key]", { turn: "[API key]" }, "nothing to hide"],
    );
    const [{ content } = assert.fail()] = again.attachmentsOf("a");
    assert.deepEqual(content, { type: "text", text: "KEY=[API key]", language: "" });
  });

  itBesidesWindows("is readable only by its owner", async () => {
    const path = join(await temporaryFolder(), "new", "open-chats.json");
    const kept = await DraftStore.open(path, now);
    kept.saveDraft("a", "typed");
    kept.saveAttachments("a", [attached("notes", "some notes")]);
    await kept.close();
    assert.equal(await modeOf(dirname(path)), 0o700);
    for (const file of [path, path.replace(".json", "-attached.json")])
      assert.equal(await modeOf(file), 0o600, file);
  });

  it("stays at its last saved version if it grows too long", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await DraftStore.open(path, now);
    const long = "a long thought ".repeat(20_000);
    kept.saveDraft("a", long);
    kept.saveDraft("a", long.repeat(10));
    kept.saveAttachments("a", [attached("huge", "x".repeat(5_000_000)), attached("small", "x")]);
    await kept.close();
    const again = await DraftStore.open(path, now);
    assert.equal(again.draftOf("a"), long);
    assert.deepEqual(
      again.attachmentsOf("a").map(({ name }) => name),
      ["small"],
    );
  });

  it("is dropped, oldest first, if all of it together is too large", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await DraftStore.open(path, now);
    const long = "x".repeat(1_000_000);
    for (const id of ["a", "b", "c", "d", "e"]) kept.saveDraft(id, long);
    for (let at = 0; at < 49; at += 1) kept.saveDraft(`short ${at}`, "short");
    await kept.close();
    const again = await DraftStore.open(path, now);
    assert.equal(again.chatIds.length, 50);
    assert.deepEqual([again.draftOf("d"), again.draftOf("e")], ["", long]);
  });
});

function attached(name: string, text: string): Attachment {
  return {
    id: name,
    kind: "text",
    name,
    detail: name,
    characters: text.length,
    content: { type: "text", text, language: "" },
  };
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}
