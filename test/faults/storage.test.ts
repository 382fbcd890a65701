import assert from "node:assert/strict";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Attachment } from "../../src/chat/transcript/attachments.ts";
import { DraftStore } from "../../src/chat/drafts/draftStore.ts";
import type { ConversationStore } from "../../src/chat/history/conversationStore.ts";
import type { Transcript } from "../../src/chat/transcript/transcript.ts";
import { tellFigure } from "../support/figures.ts";
import { anyDamages, damage } from "../fuzz/damagedFiles.ts";
import {
  openTestStore,
  removeTestStores,
  temporaryFolder,
  textsOf,
} from "../unit/chat/history/sampleConversation.ts";
import { exchange } from "../unit/chat/transcript/sampleEvents.ts";

const times = 2000;
const ids = Array.from({ length: 3 }, () => randomUUID());
/**
 * Modification time of every file. An index entry is used only if it matches the time and size of the conversation's
 * file.
 */
const writtenAt = new Date("2026-11-01T12:00:00Z");
const draftsFile = "drafts.json";
const attachmentsFile = "drafts-attached.json";
const draft = "What I was just about to ask";
const edit = { turn: "What I should have asked" };
const attachment: Attachment = {
  id: "notes",
  kind: "text",
  name: "notes.md",
  detail: "notes.md",
  characters: 7,
  content: { type: "text", text: "Nötes 🙂", language: "markdown" },
};

/**
 * Writes a folder as a window leaves it: three conversations, their index, and the unsent drafts, edits and
 * attachments. Resolves with the content of each file, by name.
 */
async function writeAll(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const { store } = await openTestStore(folder);
  for (const [index, id] of ids.entries()) {
    for (let turn = 1; turn <= 4; turn += 1) {
      const name = `${index}-${turn}`;
      store.log(id).append(exchange(name, turn === 1 ? null : `a${index}-${turn - 1}`, `Antwört ${name} 🙂`));
      await store.log(id).flush();
    }
  }
  await store.close();
  for (const id of ids) await utimes(path.join(folder, `${id}.jsonl`), writtenAt, writtenAt);
  const { store: indexing } = await openTestStore(folder);
  await indexing.list();
  await indexing.close();
  const drafts = await DraftStore.open(path.join(folder, draftsFile), now);
  for (const id of ids) keepUnsent(drafts, id, draft);
  await drafts.close();
  const names = (await readdir(folder)).filter((name) => /\.jsonl?$/.test(name));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
  );
}

function keepUnsent(kept: DraftStore, id: string, text: string): void {
  kept.saveDraft(id, text);
  kept.saveEdit(id, "turn", edit.turn);
  kept.saveAttachments(id, [attachment]);
}

async function writeOld(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(file, bytes);
  await utimes(file, writtenAt, writtenAt);
}

async function transcriptOf(store: ConversationStore, id: string): Promise<Transcript> {
  const stored = await store.open(id);
  assert.ok(stored !== undefined);
  return stored.transcript;
}

const now = (): Date => new Date();

describe("stored conversations that are damaged", function () {
  this.timeout(5 * 60_000);
  afterEach(removeTestStores);

  it(`lose only the damaged parts, and continue: ${times} times`, async () => {
    const folder = await temporaryFolder();
    const files = await writeAll(folder);
    const index = String(files.get("index.jsonl"));
    assert.deepEqual(
      [...files.keys()].toSorted(),
      [...ids.map((id) => `${id}.jsonl`), attachmentsFile, draftsFile, "index.jsonl"].toSorted(),
    );
    assert.equal(index.split(String(writtenAt.getTime())).length - 1, ids.length, "the index is not used");
    const { store } = await openTestStore(folder);
    const before = new Map<string, Transcript>();
    for (const id of ids) before.set(id, await transcriptOf(store, id));
    const names = [...files.keys()];
    let kept = 0;
    for (const [round, damages] of fc.sample(anyDamages, times).entries()) {
      const struck = names[round % names.length] ?? "";
      try {
        for (const [name, bytes] of files) await writeOld(path.join(folder, name), bytes);
        const whole = files.get(struck) ?? Buffer.alloc(0);
        const damaged = damages.reduce<Buffer>(damage, whole);
        await writeOld(path.join(folder, struck), damaged);
        const exchanges = wholeExchanges(whole, damaged);
        kept += exchanges.length;
        await surviveDamage(folder, struck, before, exchanges);
      } catch (error) {
        const what = JSON.stringify(damages.map((each) => ({ ...each, bytes: [...each.bytes] })));
        throw new Error(`${struck} damaged by ${what}`, { cause: error });
      }
    }
    assert.ok(kept > times);
    tellFigure(
      `stored files damaged at random: ${times} times over ${files.size} files, of conversations, their index, drafts and attachments; ` +
        `nothing lost but what was struck, ${kept} exchanges read beside it in the same files`,
    );
  });
});

/** Names of the exchanges without a damaged byte. Each exchange is one line of the file. */
function wholeExchanges(whole: Buffer, damaged: Buffer): readonly string[] {
  const left = new Set(damaged.toString("latin1").split("\n"));
  const lines = whole.toString("latin1").split("\n");
  return lines.filter((line) => left.has(line)).flatMap((line) => /"id":"q([^"]+)"/.exec(line)?.[1] ?? []);
}

/** @param exchanges names of the undamaged exchanges in the damaged file */
async function surviveDamage(
  folder: string,
  struck: string,
  before: ReadonlyMap<string, Transcript>,
  exchanges: readonly string[],
): Promise<void> {
  const { store, errors } = await openTestStore(folder);
  const listed = new Set((await store.list()).map(({ id }) => id));
  for (const id of ids.filter((each) => !struck.startsWith(each))) {
    assert.ok(listed.has(id), "an undamaged conversation is not listed");
    assert.deepEqual(await transcriptOf(store, id), before.get(id));
  }
  const found = new Set<string>();
  for await (const { summary } of store.search("Antwört", new AbortController().signal))
    found.add(summary.id);
  for (const id of ids.filter((each) => !struck.startsWith(each))) assert.ok(found.has(id), "not found");
  const goesOn = ids.find((id) => struck.startsWith(id)) ?? ids[0] ?? "";
  const held = textsOf({ transcript: await transcriptOf(store, goesOn) });
  for (const name of exchanges) {
    assert.equal(held[`q${name}`], `question q${name}`);
    assert.equal(held[`a${name}`], `Antwört ${name} 🙂`);
  }
  store.log(goesOn).append(exchange("new", null, "answered after the damage"));
  assert.equal(await store.log(goesOn).flush(), true);
  await store.close();
  assert.deepEqual(errors, []);

  const next = await openTestStore(folder);
  const texts = textsOf({ transcript: await transcriptOf(next.store, goesOn) });
  assert.deepEqual(texts, { ...held, qnew: "question qnew", anew: "answered after the damage" });
  await next.store.close();

  await surviveDamageUnsent(folder, struck);
}

async function surviveDamageUnsent(folder: string, struck: string): Promise<void> {
  const file = path.join(folder, draftsFile);
  const kept = await DraftStore.open(file, now);
  for (const id of ids) {
    if (struck !== draftsFile) assert.deepEqual([kept.draftOf(id), kept.editsOf(id)], [draft, edit]);
    if (struck !== attachmentsFile) assert.deepEqual(kept.attachmentsOf(id), [attachment]);
  }
  for (const id of ids) keepUnsent(kept, id, "typed after the damage");
  await kept.close();
  const again = await DraftStore.open(file, now);
  for (const id of ids) {
    assert.equal(again.draftOf(id), "typed after the damage");
    assert.deepEqual([again.editsOf(id)["turn"], again.attachmentsOf(id)], [edit.turn, [attachment]]);
  }
  await again.close();
}
