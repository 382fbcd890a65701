import { compactTurns } from "./compaction.ts";
import type { AnswerTurn, QuestionTurn, Turn } from "./transcript.ts";

/** How later requests treat a question without an answer: `left-out` by default or by choice, `included` by choice. */
export type Sending = "left-out" | "included";

/**
 * Returns the turns of a branch to send. Omits a question, with its attachments, if its answer failed without any
 * text. Otherwise one refused question would cause every later request to be refused. The user may include the
 * question. A summary replaces the turns before it.
 */
export function sentTurns(branch: readonly Turn[]): readonly Turn[] {
  const sent = branch.filter((turn, index) => {
    const [question, answer] =
      turn.kind === "question" ? [turn, branch[index + 1]] : [branch[index - 1], turn];
    return question === undefined || sendingOf(question, answer) !== "left-out";
  });
  return compactTurns(sent);
}

/** Returns undefined for a question that is sent by default, such as one whose answer has text or was stopped. */
export function sendingOf(question: Turn, answer: Turn | undefined): Sending | undefined {
  if (question.kind !== "question" || answer?.kind !== "answer" || !endedEmpty(answer)) return undefined;
  return choiceOf(question) ?? (answer.state.kind === "failed" ? "left-out" : undefined);
}

function choiceOf({ included }: QuestionTurn): Sending | undefined {
  if (included === undefined) return undefined;
  return included ? "included" : "left-out";
}

/** Whether the answer has ended without text. */
function endedEmpty({ state, text, steps }: AnswerTurn): boolean {
  switch (state.kind) {
    case "waiting":
    case "streaming":
    case "retrying":
    case "working":
    case "paused":
      return false;
    case "complete":
    case "stopped":
    case "interrupted":
    case "failed":
      return text.trim() === "" && steps === undefined;
  }
}
