import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  ConversationDecoder,
  type StoredConversation,
} from "../../../../src/chat/history/log/conversationFile.ts";
import { ConversationStore } from "../../../../src/chat/history/conversationStore.ts";
import type { TranscriptEvent } from "../../../../src/chat/transcript/transcript.ts";
import { asked, completed, started, text } from "../transcript/sampleEvents.ts";

/** Reads the bytes of a whole file at once. */
export function decodeConversation(bytes: Uint8Array): StoredConversation {
  const decoder = new ConversationDecoder();
  decoder.take(bytes);
  return decoder.end();
}

/** The texts of all turns by ID. */
export function textsOf({ transcript }: Pick<StoredConversation, "transcript">): Record<string, string> {
  return Object.fromEntries(transcript.turns.map((turn) => [turn.id, turn.text]));
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("\n", "\r\n", '"', "\ud800", " ", "<!-- inference-chat:question {} -->\n"),
);

/** A random event about one of ten turns. A sequence of these events may be invalid. */
const anyEvent: fc.Arbitrary<TranscriptEvent> = fc.oneof(
  fc
    .tuple(fc.nat(9), fc.option(fc.nat(9)), anyText)
    .map(([id, parent, words]) => asked(`t${id}`, parent === null ? null : `t${parent}`, words)),
  fc.tuple(fc.nat(9), fc.nat(9)).map(([id, parent]) => started(`t${id}`, `t${parent}`)),
  { arbitrary: anyText.map(text), weight: 4 },
  anyText.map((words): TranscriptEvent => ({ type: "reasoning-delta", text: words })),
  fc
    .record({ inputTokens: fc.nat(), cacheReadTokens: fc.nat(), cacheWriteTokens: fc.nat() })
    .map((usage): TranscriptEvent => ({ type: "usage", usage: { ...usage } })),
  anyText.map((requestId): TranscriptEvent => ({ type: "request-id", requestId })),
  anyText.map((field): TranscriptEvent => ({ type: "field-refused", field })),
  fc.constantFrom<TranscriptEvent>(
    completed,
    { type: "answer-ended", state: { kind: "stopped" } },
    {
      type: "answer-ended",
      state: {
        kind: "failed",
        diagnosis: {
          cause: "network",
          title: "No connection",
          explanation: "Look at the network.",
          evidence: ["ECONNREFUSED"],
          actions: [{ id: "retry", label: "Retry" }],
          requestId: "req_1",
        },
      },
    },
  ),
  fc.nat(9).map((id): TranscriptEvent => ({ type: "version-selected", turnId: `t${id}` })),
  fc
    .tuple(fc.nat(9), fc.boolean())
    .map(([id, included]): TranscriptEvent => ({ type: "question-included", turnId: `t${id}`, included })),
);

export const anyEvents = fc.array(anyEvent, { maxLength: 60, size: "max" });

/** Writes a new conversation and returns its ID. */
export async function writeConversation(
  store: ConversationStore,
  events: readonly TranscriptEvent[],
): Promise<string> {
  const id = randomUUID();
  store.log(id).append(events);
  assert.equal(await store.log(id).flush(), true);
  return id;
}

export interface TestStore {
  readonly store: ConversationStore;
  readonly folder: string;
  /** The errors passed to `onWriteError`. */
  readonly errors: unknown[];
  /** The IDs passed to `onBroughtBack`. */
  readonly broughtBack: string[];
}

/** Opens a store in the folder or in a new one. The default clock advances by a second at each call. */
export async function openTestStore(folder?: string, now = steadyClock()): Promise<TestStore> {
  const errors: unknown[] = [];
  const broughtBack: string[] = [];
  const path = folder ?? (await temporaryFolder());
  const store = new ConversationStore({
    folder: path,
    now,
    newId: randomUUID,
    onWriteError: (error) => errors.push(error),
    onBroughtBack: (id) => broughtBack.push(id),
  });
  opened.push(store);
  return { store, folder: path, errors, broughtBack };
}

function steadyClock(): () => Date {
  let time = Date.UTC(2026, 0, 2);
  return () => new Date((time += 1000));
}

/** A `KeyCleaner` that removes nothing. */
export const keyless = {
  cleanText: (words: string): string => words,
  cleanEvent: (event: TranscriptEvent): TranscriptEvent => event,
};

const opened: ConversationStore[] = [];
const folders: string[] = [];

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "conversations-"));
  folders.push(folder);
  return folder;
}

/** Closes the stores and removes the folders. Call it after each test. */
export async function removeTestStores(): Promise<void> {
  for (const store of opened.splice(0)) await store.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}
