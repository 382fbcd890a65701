import assert from "node:assert/strict";
import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Attachment } from "../../../src/chat/attachments.ts";
import { KeptChats } from "../../../src/chat/keptChats.ts";
import { removeTestStores, temporaryFolder } from "./sampleConversation.ts";

describe("the drafts of a workspace", () => {
  afterEach(removeTestStores);

  it("are kept from one window to the next, with the chat of the view", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await KeptChats.open(path);
    kept.keepDraft("a", "a thought");
    kept.keepDraft("b", "another");
    kept.keepDraft("b", " ");
    kept.keepViewChat("a");
    await kept.close();
    const again = await KeptChats.open(path);
    assert.deepEqual([again.viewChat, again.draftOf("a"), again.draftOf("b")], ["a", "a thought", ""]);
  });

  it("of two windows do not take each other's place", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const before = await KeptChats.open(path);
    before.keepDraft("sent", "will be sent");
    await before.close();
    const [one, other] = [await KeptChats.open(path), await KeptChats.open(path)];
    one.keepDraft("a", "typed in the first window");
    await one.close();
    other.keepDraft("b", "typed in the second");
    other.keepDraft("sent", "");
    await other.close();
    one.keepDraft("a", "typed on in the first window");
    await one.close();
    const again = await KeptChats.open(path);
    assert.deepEqual(
      ["a", "b", "sent"].map((id) => again.draftOf(id)),
      ["typed on in the first window", "typed in the second", ""],
    );
  });

  it("are written later where they cannot be written now", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    // No file can take the place of a folder that holds something.
    await mkdir(join(path, "in the way"), { recursive: true });
    const kept = await KeptChats.open(path);
    kept.keepDraft("a", "a thought");
    await kept.close();
    await rmdir(join(path, "in the way"));
    await rm(path, { recursive: true });
    kept.keepViewChat("b");
    await kept.close();
    assert.equal((await KeptChats.open(path)).draftOf("a"), "a thought");
  });
});

describe("what was not sent", () => {
  afterEach(removeTestStores);

  it("is kept with its attachments from one window to the next", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await KeptChats.open(path);
    kept.keepAttachments("a", [attached("notes", "some notes")]);
    kept.keepDraft("b", "typed");
    kept.keepEdit("a", "turn", "asked better");
    await kept.close();
    const again = await KeptChats.open(path);
    assert.deepEqual(again.attachmentsOf("a"), [attached("notes", "some notes")]);
    assert.deepEqual(again.editsOf("a"), { turn: "asked better" });
    assert.deepEqual([...again.chatIds].sort(), ["a", "b"], "an edit is no chat");
    assert.deepEqual(again.forget("a"), { draft: "", attachments: [attached("notes", "some notes")] });
    await again.close();
    const third = await KeptChats.open(path);
    assert.deepEqual([third.chatIds, third.attachmentsOf("a"), third.editsOf("a")], [["b"], [], {}]);
  });

  it("is kept as it last was where it grows too long", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await KeptChats.open(path);
    const long = "a long thought ".repeat(20_000);
    kept.keepDraft("a", long);
    kept.keepDraft("a", long.repeat(10));
    kept.keepAttachments("a", [attached("huge", "x".repeat(5_000_000)), attached("small", "x")]);
    await kept.close();
    const again = await KeptChats.open(path);
    assert.equal(again.draftOf("a"), long);
    assert.deepEqual(
      again.attachmentsOf("a").map(({ name }) => name),
      ["small"],
    );
  });

  it("is given up from the oldest on where it is too much together", async () => {
    const path = join(await temporaryFolder(), "open-chats.json");
    const kept = await KeptChats.open(path);
    const long = "x".repeat(1_000_000);
    for (const id of ["a", "b", "c", "d", "e"]) kept.keepDraft(id, long);
    for (let at = 0; at < 49; at += 1) kept.keepDraft(`short ${at}`, "short");
    await kept.close();
    const again = await KeptChats.open(path);
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
