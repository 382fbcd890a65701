import assert from "node:assert/strict";
import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
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
