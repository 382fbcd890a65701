import type { Attachment } from "./attachments.ts";
import { estimateTurns } from "./contextWindow.ts";
import { tokensOf } from "./cost.ts";
import { estimateAttachment, estimateTokens, usualRatio } from "./tokenEstimate.ts";
import { type AnswerTurn, type Transcript, visibleTurns } from "./transcript.ts";

/** What a question adds to what was counted before. */
export interface QuestionToCount {
  readonly text: string;
  /** Those that no answer has counted yet. */
  readonly attachments: readonly Attachment[];
  readonly instructions: readonly Attachment[];
}

const { charactersPerToken } = usualRatio;

/**
 * Tokens that an answer took: the service's count, or an estimate where there is none, or none of the end.
 * Zero where it failed before anything came.
 */
export function spentOn(transcript: Transcript, answer: AnswerTurn): number {
  const { usage, state, text, reasoning } = answer;
  const counted = tokensOf(usage);
  if (counted > 0 && state.kind === "complete") return counted;
  const said = estimateTokens(text.length + reasoning.length, charactersPerToken);
  if (counted === 0 && said === 0 && state.kind === "failed") return 0;
  const input = usage?.inputTokens ?? estimateBranch({ ...transcript, leafId: answer.parentId });
  return Math.max(counted, input + Math.max(usage?.outputTokens ?? 0, said));
}

/** All answers of a chat together, those of other branches too. */
export function spentInChat(transcript: Transcript): number {
  return transcript.turns.reduce(
    (sum, turn) => (turn.kind === "answer" ? sum + spentOn(transcript, turn) : sum),
    0,
  );
}

/** What the next question takes at least: all that is sent again, and itself. */
export function expectedTokens(
  transcript: Transcript,
  { text, attachments, instructions }: QuestionToCount,
): number {
  const last = visibleTurns(transcript).findLast((turn) => turn.kind === "answer");
  // What was counted held the instructions.
  const counted = tokensOf(last?.usage);
  const isWhole = counted > 0 && last?.state.kind === "complete";
  const before = isWhole
    ? counted
    : Math.max(counted, estimateTurns(visibleTurns(transcript), charactersPerToken) + sumOf(instructions));
  return before + estimateTokens(text.length, charactersPerToken) + sumOf(attachments);
}

function estimateBranch(branch: Transcript): number {
  const turns = visibleTurns(branch);
  const question = turns.findLast((turn) => turn.kind === "question");
  return estimateTurns(turns, charactersPerToken) + sumOf(question?.instructions ?? []);
}

function sumOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, each) => sum + estimateAttachment(each, charactersPerToken), 0);
}
