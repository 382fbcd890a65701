import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ConversationStore } from "../../src/chat/history/conversationStore.ts";
import { ChatHistory } from "../../src/editor/history/chatHistory.ts";
import { exchange } from "../unit/chat/transcript/sampleEvents.ts";
import { writeConversation } from "../unit/chat/history/sampleConversation.ts";
import { type AnswerDialogue, ShownDialogues } from "./shownDialogues.ts";

describe("deleting all chats", () => {
  const at = new Date(Date.UTC(2026, 0, 2));
  let folder: string;
  let store: ConversationStore;
  let dialogues: ShownDialogues;
  let ids: string[];
  let gone: readonly string[];
  let broughtBack: number;
  /** Number of stored chats at each call of `reopen`. */
  let shownAgain: number[];
  let press: AnswerDialogue;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "history-"));
    store = new ConversationStore({
      folder,
      now: () => at,
      newId: () => crypto.randomUUID(),
      onWriteError: (error) => assert.fail(String(error)),
      onBroughtBack: () => undefined,
    });
    ids = [];
    for (const name of ["1", "2", "3"]) ids.push(await writeConversation(store, exchange(name, null)));
    [gone, broughtBack, shownAgain] = [[], 0, []];
    dialogues = new ShownDialogues((shown) => press(shown));
  });
  afterEach(async () => {
    dialogues.dispose();
    await store.close();
    await rm(folder, { recursive: true });
  });

  const history = (): ChatHistory =>
    new ChatHistory({
      store,
      cleanText: async (text) => text,
      unsent: async () => [],
      onRemove: async () => undefined,
      onRemoved: async (removed) => {
        gone = removed;
        return {
          restore: () => {
            broughtBack += 1;
          },
          reopen: async () => {
            shownAgain.push((await store.list()).length);
          },
        };
      },
      onRenamed: async () => undefined,
    });

  it("deletes the confirmed chats, and none that was added since", async () => {
    let later = "";
    press = async ({ buttons }) => {
      if (!buttons.includes("Delete All")) return undefined;
      later = await writeConversation(store, exchange("4", null));
      return "Delete All";
    };
    await history().removeAll();
    assert.deepEqual(gone.toSorted(), ids.toSorted());
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      [later],
    );
  });

  it("names the chats that could not be deleted, and offers Undo for the others", async () => {
    const [stuck = ""] = ids;
    await mkdir(path.join(folder, "trash", `${at.getTime()}-${stuck}.jsonl`), { recursive: true });
    press = ({ buttons }) => buttons.find((label) => label === "Delete All" || label === "Undo");
    await history().removeAll();
    assert.deepEqual(gone.toSorted(), ids.slice(1).toSorted());
    await until(async () => (await store.list()).length === 3 && dialogues.all.length === 3);
    assert.equal(broughtBack, 1);
    await until(() => shownAgain.length > 0);
    assert.deepEqual(shownAgain, [3], "once their files are back");
    assert.match(dialogues.messages.join("\n"), /2 chats were deleted[^]*Couldn't delete 1 chat/);
  });

  it("restores the chats that it can, and the rest on retry", async () => {
    const [stuck = ""] = ids;
    const place = path.join(folder, `${stuck}.jsonl`);
    press = async ({ buttons }) => {
      const label = buttons.find((each) => ["Delete All", "Undo", "Try Again"].includes(each));
      if (label === "Undo") await mkdir(place);
      if (label === "Try Again") await rm(place, { recursive: true });
      return label;
    };
    await history().removeAll();
    await until(() => dialogues.messages.some((message) => message.includes("from the trash")));
    await until(async () => {
      const stored = await store.open(stuck).catch(() => undefined);
      return stored?.transcript.turns.length === 2;
    });
    assert.equal((await store.list()).length, 3);
    await until(() => shownAgain.at(-1) === 3);
    assert.match(dialogues.messages.join("\n"), /Couldn't restore 1 of 3 deleted chats from the trash/);
  });
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
