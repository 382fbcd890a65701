import { withoutContent } from "../transcript/attachments.ts";
import type { QuestionTurn, Transcript, TranscriptEvent } from "../transcript/transcript.ts";

/** The transcript as the page gets it: attachments by their names, their texts stay with the host. */
export function withoutContents(transcript: Transcript): Transcript {
  return {
    ...transcript,
    turns: transcript.turns.map((turn) => (turn.kind === "question" ? bare(turn) : turn)),
  };
}

/** The same for an event. */
export function withoutEventContents(event: TranscriptEvent): TranscriptEvent {
  return event.type === "question-asked" ? { ...event, turn: bare(event.turn) } : event;
}

function bare(turn: QuestionTurn): QuestionTurn {
  const { attachments, instructions, ...question } = turn;
  return {
    ...question,
    ...(attachments === undefined ? {} : { attachments: attachments.map(withoutContent) }),
    ...(instructions === undefined ? {} : { instructions: instructions.map(withoutContent) }),
  };
}
