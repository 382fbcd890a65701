/** Creates a folder of conversations, with the same texts each time. */
import { randomUUID } from "node:crypto";
import { ConversationStore } from "../../src/chat/history/conversationStore.ts";
import type { TranscriptEvent } from "../../src/chat/transcript/transcript.ts";
import { createRandom } from "./random.ts";

/** A word that occurs in one conversation only. */
export const rareWord = "quetzalcoatl";
/** A word that occurs in all conversations. */
const commonWord = "the";

const exchanges = 5;
const charactersPerAnswer = 3800;

export function openStore(folder: string): ConversationStore {
  return new ConversationStore({
    folder,
    now: () => new Date(),
    newId: randomUUID,
    onWriteError: (error) => {
      throw error;
    },
    onBroughtBack: () => undefined,
  });
}

/** Writes `count` conversations of about 20 KB each. */
export async function writeSampleHistory(folder: string, count: number): Promise<void> {
  const store = openStore(folder);
  const random = createRandom(7);
  const words = makeWords(random, 60_000);
  for (let index = 0; index < count; index += 1) {
    const log = store.log(randomUUID());
    const start = Date.UTC(2026, 0, 1) + index * 600_000;
    let last: string | null = null;
    for (let exchange = 0; exchange < exchanges; exchange += 1) {
      const rare = index === Math.floor(count / 3) && exchange === 2;
      const answerId = randomUUID();
      const time = new Date(start + exchange * 60_000);
      log.append(exchangeOf(random, words, time, { parentId: last, answerId, rare }));
      last = answerId;
      await log.flush();
    }
    await log.close();
  }
  await store.close();
}

function exchangeOf(
  random: () => number,
  words: readonly string[],
  time: Date,
  place: { readonly parentId: string | null; readonly answerId: string; readonly rare: boolean },
): TranscriptEvent[] {
  const { parentId, answerId, rare } = place;
  const questionId = randomUUID();
  const at = time.toISOString();
  const text = textOf(random, words, charactersPerAnswer) + (rare ? ` ${rareWord}` : "");
  const question = textOf(random, words, 120);
  return [
    {
      type: "question-asked",
      turn: { kind: "question", id: questionId, parentId, text: question, at },
    },
    {
      type: "answer-started",
      turn: {
        kind: "answer",
        id: answerId,
        parentId: questionId,
        text: "",
        reasoning: "",
        state: { kind: "waiting" },
        connection: "Work",
        model: "service-core",
        clientStyle: "messages",
        at,
      },
    },
    { type: "text-delta", text },
    { type: "answer-ended", state: { kind: "complete", reason: "stop" } },
  ];
}

/** Chooses words by rank: the n-th word is about 1/n as frequent as the first, like in real texts. */
function textOf(random: () => number, words: readonly string[], length: number): string {
  const chosen: string[] = [];
  for (let at = 0; at < length; at += (chosen.at(-1)?.length ?? 0) + 1) {
    const rank = Math.floor(words.length ** random()) - 1;
    const word = words[rank] ?? commonWord;
    chosen.push(random() < 0.02 ? `${word}.\n` : word);
  }
  return chosen.join(" ");
}

function makeWords(random: () => number, count: number): readonly string[] {
  const letters = "etaoinshrdlucmfwypvbgkjqxz";
  const words = new Set([commonWord]);
  while (words.size < count) {
    const length = 2 + Math.floor(random() * 9);
    words.add(Array.from({ length }, () => letters[Math.floor(26 * random() ** 1.7)]).join(""));
  }
  return [...words];
}
