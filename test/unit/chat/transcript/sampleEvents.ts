import {
  type AnswerTurn,
  emptyTranscript,
  type QuestionTurn,
  reduceTranscript,
  type Transcript,
  type TranscriptEvent,
} from "../../../../src/chat/transcript/transcript.ts";

const at = "2026-01-01T00:00:00.000Z";

export function question(id: string, parentId: string | null = null, text = `question ${id}`): QuestionTurn {
  return { kind: "question", id, parentId, text, at };
}

/** An answer without any text yet. */
export function answer(id: string, parentId: string): AnswerTurn {
  return {
    kind: "answer",
    id,
    parentId,
    text: "",
    reasoning: "",
    state: { kind: "waiting" },
    connection: "Work",
    model: "service-core",
    clientStyle: "messages",
    at,
  };
}

export function asked(id: string, parentId?: string | null, text?: string): TranscriptEvent {
  return { type: "question-asked", turn: question(id, parentId, text) };
}

export function started(id: string, parentId: string): TranscriptEvent {
  return { type: "answer-started", turn: answer(id, parentId) };
}

export const text = (delta: string): TranscriptEvent => ({ type: "text-delta", text: delta });

export const completed: TranscriptEvent = {
  type: "answer-ended",
  state: { kind: "complete", reason: "stop" },
};

/** A question with its whole answer. */
export function exchange(
  name: string,
  parentId: string | null,
  words = `answer ${name}`,
): readonly TranscriptEvent[] {
  return [asked(`q${name}`, parentId), started(`a${name}`, `q${name}`), text(words), completed];
}

export function reduce(events: readonly TranscriptEvent[]): Transcript {
  return events.reduce(reduceTranscript, emptyTranscript);
}

/** The transcript as it is read after its writer crashed: an unfinished answer is interrupted. */
export function abandoned(events: readonly TranscriptEvent[]): Transcript {
  return reduceTranscript(reduce(events), { type: "answer-ended", state: { kind: "interrupted" } });
}
