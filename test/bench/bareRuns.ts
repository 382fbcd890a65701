/** What the page does by itself with a text, away from the editor, on a processor of its own where there is one. */
import type { ToWebview } from "../../src/chat/panelProtocol.ts";
import {
  emptyTranscript,
  type AnswerTurn,
  type QuestionTurn,
  type Transcript,
} from "../../src/chat/transcript.ts";
import { openBarePage, snapshotOf } from "./barePage.ts";
import { MainThread } from "./mainThread.ts";
import { type Drawing, measureDrawing } from "./pageWork.ts";
import { pageRoot } from "./paintProbe.ts";
import type { FreeProcessor } from "./processors.ts";
import { askProcesses } from "./tracing.ts";

/** Characters of a text that come together, as from one read of the network. */
const partLength = 2000;

/** An answer that arrives in parts. */
export function measureArriving(text: string, free?: FreeProcessor): Promise<Drawing> {
  return measure(emptyTranscript, arrival(0, text), free);
}

/** A short answer that arrives in a long conversation. */
export function measureAsked(texts: readonly string[], free?: FreeProcessor): Promise<Drawing> {
  return measure(transcriptOf(texts), arrival(texts.length, "A short answer.\n"), free);
}

function arrival(at: number, text: string): readonly ToWebview[] {
  const messages: ToWebview[] = [
    {
      type: "transcript-events",
      events: [
        { type: "question-asked", turn: questionOf(at) },
        { type: "answer-started", turn: { ...answerOf(at, ""), state: { kind: "waiting" } } },
      ],
    },
  ];
  for (let start = 0; start < text.length; start += partLength) {
    messages.push({
      type: "transcript-events",
      events: [{ type: "text-delta", text: text.slice(start, start + partLength) }],
    });
  }
  messages.push({
    type: "transcript-events",
    events: [{ type: "answer-ended", state: { kind: "complete", reason: "stop" } }],
  });
  return messages;
}

/** A conversation of earlier days is opened: each answer is one of the texts. */
export function measureRestored(texts: readonly string[], free?: FreeProcessor): Promise<Drawing> {
  const snapshot = { ...snapshotOf(transcriptOf(texts)), chatId: idOf("chat", 1) };
  return measure(emptyTranscript, [{ type: "snapshot", snapshot }], free);
}

function transcriptOf(texts: readonly string[]): Transcript {
  const turns = texts.flatMap((text, at) => [questionOf(at), answerOf(at, text)]);
  return { turns, arriving: null, leafId: turns.at(-1)?.id ?? null };
}

async function measure(
  before: Transcript,
  messages: readonly ToWebview[],
  free: FreeProcessor | undefined,
): Promise<Drawing> {
  await using bare = await openBarePage(before);
  await free?.giveTo((await askProcesses(bare.page)).window);
  const thread = await MainThread.of(bare.page);
  const place = { frame: bare.page, root: pageRoot };
  return await measureDrawing(bare.page, thread, place, async () => {
    for (const message of messages) await bare.post(message);
  });
}

function questionOf(at: number): QuestionTurn {
  const parentId = at === 0 ? null : idOf("a", at - 1);
  return { kind: "question", id: idOf("q", at), parentId, text: `Question ${at}`, at: time };
}

function answerOf(at: number, text: string): AnswerTurn {
  return {
    kind: "answer",
    id: idOf("a", at),
    parentId: idOf("q", at),
    text,
    reasoning: "",
    state: { kind: "complete", reason: "stop" },
    connection: "Bench",
    model: "service-core",
    clientStyle: "chat-completions",
    at: time,
  };
}

const time = "2026-01-01T00:00:00.000Z";
const idOf = (kind: string, at: number): string => `${kind}${at}`;
