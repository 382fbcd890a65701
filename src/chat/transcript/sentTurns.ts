import type { AnswerTurn, QuestionTurn, Turn } from "./transcript.ts";

/** What later questions do with one that got no answer: `left-out` by itself or by choice, `included` by choice. */
export type Sending = "left-out" | "included";

/**
 * The turns of a branch that a request sends. A question that failed without a word of an answer is left out, together
 * with its attachments, since a refused question would have every later one refused as well. The person may include it.
 */
export function sentTurns(branch: readonly Turn[]): readonly Turn[] {
  return branch.filter((turn, index) => {
    const [question, answer] =
      turn.kind === "question" ? [turn, branch[index + 1]] : [branch[index - 1], turn];
    return question === undefined || sendingOf(question, answer) !== "left-out";
  });
}

/** Undefined for a question that is sent like any other, such as one whose answer was stopped or cut. */
export function sendingOf(question: Turn, answer: Turn | undefined): Sending | undefined {
  if (question.kind !== "question" || answer?.kind !== "answer" || !endedEmpty(answer)) return undefined;
  return choiceOf(question) ?? (answer.state.kind === "failed" ? "left-out" : undefined);
}

function choiceOf({ included }: QuestionTurn): Sending | undefined {
  if (included === undefined) return undefined;
  return included ? "included" : "left-out";
}

/** Whether the answer has ended without any text. */
function endedEmpty({ state, text }: AnswerTurn): boolean {
  switch (state.kind) {
    case "waiting":
    case "streaming":
    case "retrying":
      return false;
    case "complete":
    case "stopped":
    case "interrupted":
    case "failed":
      return text.trim() === "";
  }
}
