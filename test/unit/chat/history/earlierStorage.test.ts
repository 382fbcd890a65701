import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { StoredConversation } from "../../../../src/chat/history/log/conversationFile.ts";
import type { ConversationStore } from "../../../../src/chat/history/conversationStore.ts";
import { DraftStore } from "../../../../src/chat/drafts/draftStore.ts";
import { groupVersions, visibleTurns } from "../../../../src/chat/transcript/transcript.ts";
import { recordedTitles, recordingFile, storageKeys } from "../../../support/recordedStorage.ts";
import { readRecording } from "../../../support/storedThings.ts";
import { openTestStore, removeTestStores, temporaryFolder } from "./sampleConversation.ts";

describe("chats stored by an earlier version", () => {
  let store: ConversationStore;
  let kept: DraftStore;

  beforeEach(async () => {
    const folder = await temporaryFolder();
    const { files } = await readRecording(recordingFile, {
      acmeKey: storageKeys.acme,
      betaKey: storageKeys.beta,
      origin: "https://h.example",
      workspace: "/work",
    });
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    store = (await openTestStore(join(folder, "conversations"))).store;
    kept = await DraftStore.open(join(folder, "open-chats.json"), () => new Date());
  });
  afterEach(removeTestStores);

  async function find(title: string): Promise<{ readonly id: string; readonly stored: StoredConversation }> {
    const { id } = (await store.list()).find((each) => each.title === title) ?? assert.fail(title);
    return { id, stored: (await store.open(id)) ?? assert.fail(title) };
  }

  async function statesOf(title: string) {
    const { stored } = await find(title);
    return stored.transcript.turns.flatMap((turn) => (turn.kind === "answer" ? [turn.state] : []));
  }

  it("are all listed, and the pinned chat is still pinned", async () => {
    const list = await store.list();
    assert.deepEqual(list.map(({ title }) => title).toSorted(), [...recordedTitles].toSorted());
    assert.deepEqual(
      list.filter(({ pinned }) => pinned).map(({ title }) => title),
      ["Of the sea"],
    );
    assert.ok(list.every(({ skipped }) => skipped === 0));
  });

  it("keep their versions, their attachments, and the unfinished edit", async () => {
    const { id, stored } = await find("Of the sea");
    const turns = visibleTurns(stored.transcript);
    assert.deepEqual(
      turns.flatMap(({ kind, text }) => (kind === "question" ? [text] : [])),
      ["about lighthouses", "and of its foghorn"],
    );
    const versionsOf = groupVersions(stored.transcript);
    assert.deepEqual(
      turns.map((turn) => versionsOf(turn).length),
      [1, 2, 2, 1],
    );
    const names = stored.transcript.turns.flatMap((turn) =>
      turn.kind === "question" ? (turn.attachments ?? []).map(({ name }) => name) : [],
    );
    assert.deepEqual(names, ["summary.ts", "dot.png", "dot.png"]);
    assert.deepEqual(Object.values(kept.editsOf(id)), ["about lighthouses in winter"]);
  });

  it("keep how their answers ended: failed, stopped, or interrupted", async () => {
    const [failed] = await statesOf("about nobody");
    assert.equal(failed?.kind === "failed" && failed.diagnosis.cause, "bad-request");
    assert.deepEqual(await statesOf("about canals /long 20000 /pace 20"), [{ kind: "stopped" }]);
    assert.deepEqual(await statesOf("about windmills /long 20000 /pace 20"), [{ kind: "interrupted" }]);
  });

  it("keep the unsent draft, its attachment, and the open chat", async () => {
    assert.equal(kept.viewChat, (await find("about windmills /long 20000 /pace 20")).id);
    const drafted = kept.chatIds.filter((id) => kept.draftOf(id) !== "");
    assert.deepEqual(
      drafted.map((id) => [kept.draftOf(id), kept.attachmentsOf(id).map(({ name }) => name)]),
      [["a thought that is not finished", ["readings.csv"]]],
    );
  });
});
