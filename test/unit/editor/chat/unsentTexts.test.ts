import assert from "node:assert/strict";
import { join } from "node:path";
import { DraftStore } from "../../../../src/chat/drafts/draftStore.ts";
import { emptyTranscript } from "../../../../src/chat/transcript/transcript.ts";
import { Chat } from "../../../../src/editor/chat/chat.ts";
import { unsentChats } from "../../../../src/editor/chat/unsentTexts.ts";
import { removeTestStores, temporaryFolder } from "../../chat/history/sampleConversation.ts";

const now = (): Date => new Date();

describe("unsent chats", () => {
  afterEach(removeTestStores);

  it("are open or stored chats without a question, titled by the draft's first line or the attachment", async () => {
    const kept = await DraftStore.open(join(await temporaryFolder(), "open-chats.json"), now);
    const attachment = { id: "1", kind: "file", name: "a.ts", detail: "src/a.ts", characters: 1 } as const;
    kept.saveDraft("left", "\n  a thought\nthat goes on");
    kept.saveAttachments("attached", [attachment]);
    kept.saveDraft("asked", "a second question");
    const asked = openChat("asked", "a second question", ["turn"]);
    const open = [asked, openChat("empty", " "), openChat("typed", "typed just now")];
    assert.deepEqual(
      [...unsentChats(open, kept)].sort((one, other) => (one.id < other.id ? -1 : 1)),
      [
        { id: "attached", title: "a.ts" },
        { id: "left", title: "a thought" },
        { id: "typed", title: "typed just now" },
      ],
    );
    await kept.close();
  });

  it("are not idle", () => {
    assert.ok(openChat("empty", " ").idle);
    assert.ok(!openChat("typed", "typed").idle);
  });
});

function openChat(id: string, draft: string, questions: readonly string[] = []): Chat {
  const turns = questions.map((turn) => ({
    kind: "question" as const,
    id: turn,
    parentId: null,
    text: turn,
    at: "2026-01-02T03:04:05Z",
  }));
  return new Chat({
    id,
    title: null,
    draft,
    log: () => Promise.resolve(),
    transcript: { ...emptyTranscript, turns },
    target: () => {
      throw new Error("Unexpected question");
    },
    now: () => new Date(),
    newId: () => "id",
  });
}
