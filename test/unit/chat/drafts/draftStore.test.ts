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
import { sealFor } from "../../../support/sealFor.ts";

const longAgo = (): Date => new Date("2026-01-01T00:00:00Z");
const now = (): Date => new Date();

/** Keeps a draft that cannot be written until what is at the path is gone. */
async function refuseDraft(): Promise<{ readonly path: string; readonly kept: DraftStore }> {
  const path = join(await temporaryFolder(), "open-chats.json");
  // No file can take the place of a folder that holds something.
  await mkdir(join(path, "in the way"), { recursive: true });
  const kept = await DraftStore.open(path, now);
  kept.saveDraft("a", "a thought");
  await kept.close();
  return { path, kept };
}

describe("the drafts of a workspace", () => {
  afterEach(removeTestStores);

  it("are kept from one window to the next, with the chat of the view", async () => {
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

  it("of two windows do not take each other's place", async () => {
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

  it("of two windows are the newest, whichever of them writes last, and of whatever clock", async () => {
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

  it("of two windows are the newest, also where the clock is set back before the second has read the first", async () => {
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

  it("of two windows that write at once are written with what each keeps next", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const [one, other] = [await DraftStore.open(path, now), await DraftStore.open(path, now)];
    one.saveDraft("a", "typed in the first window");
    await one.close();
    // What the first one wrote is lost, as where the second had read the file before.
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

  it("are written together where there are many of them: each key would write them all", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    using clock = new MockClock();
    const kept = await DraftStore.open(path, now);
    const long = "x".repeat(400_000);
    kept.saveDraft("long", long);
    /** Types for longer than a write takes, and counts what was written. */
    const versions = new Set<bigint>();
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

  it("are written later where they cannot be written now", async () => {
    const { path, kept } = await refuseDraft();
    await rm(path, { recursive: true });
    kept.saveViewChat("b");
    await kept.close();
    assert.equal((await DraftStore.open(path, now)).draftOf("a"), "a thought");
  });

  it("are tried once more at the end where they could not be written before", async () => {
    const { path, kept } = await refuseDraft();
    await rm(path, { recursive: true });
    await kept.close();
    assert.equal((await DraftStore.open(path, now)).draftOf("a"), "a thought");
  });

  // Links are for administrators there.
  const itWithLinks = process.platform === "win32" ? () => undefined : it;
  itWithLinks("stay where their file cannot be read for a while", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const before = await DraftStore.open(path, now);
    before.saveDraft("other", "typed long ago");
    await before.close();
    const kept = await DraftStore.open(path, now);
    // A file that cannot be read, though it is there: its name leads round in a circle.
    await rename(path, `${path}.moved`);
    await symlink(path, path);
    kept.saveDraft("a", "a thought");
    await kept.close();
    await rename(`${path}.moved`, path);
    await kept.close();
    const again = await DraftStore.open(path, now);
    assert.deepEqual([again.draftOf("other"), again.draftOf("a")], ["typed long ago", "a thought"]);
  });

  it("stay where their file was damaged, which is put aside", async () => {
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

describe("what was not sent", () => {
  afterEach(removeTestStores);

  it("is kept with its attachments from one window to the next", async () => {
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

  it("is kept with the prompt that its attachments were gathered for, while the draft is one of that", async () => {
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

  it("is cleaned of a key that was stored after it was typed", async () => {
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

  it("is kept for its owner only", async () => {
    const path = join(await temporaryFolder(), "new", "open-chats.json");
    const kept = await DraftStore.open(path, now);
    kept.saveDraft("a", "typed");
    kept.saveAttachments("a", [attached("notes", "some notes")]);
    await kept.close();
    if (process.platform === "win32") return;
    assert.equal(await modeOf(dirname(path)), 0o700);
    for (const file of [path, path.replace(".json", "-attached.json")])
      assert.equal(await modeOf(file), 0o600, file);
  });

  it("is kept as it last was where it grows too long", async () => {
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

  it("is given up from the oldest on where it is too much together", async () => {
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
