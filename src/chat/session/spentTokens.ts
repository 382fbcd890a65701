import type { Usage } from "../../protocol/conversation/conversation.ts";
import type { Attachment } from "../transcript/attachments.ts";
import { estimateTurns } from "./contextWindow.ts";
import { isWholeUsage, reportedUsage, tokensOf } from "../transcript/usage.ts";
import { charactersOfCalls, partsOf } from "../transcript/steps.ts";
import { isCompaction } from "../transcript/compaction.ts";
import { sendingOf, sentTurns } from "../transcript/sentTurns.ts";
import {
  estimateAttachment,
  estimateMessagesToAdd,
  estimateSteps,
  estimateTokens,
  usualRatio,
} from "./tokenEstimate.ts";
import {
  type AnswerState,
  type AnswerTurn,
  type Transcript,
  type Turn,
  visibleTurns,
} from "../transcript/transcript.ts";

/** The parts of the next question that no answer has counted yet. */
export interface QuestionToCount {
  readonly text: string;
  /** Attachments that no answer has counted yet. */
  readonly attachments: readonly Attachment[];
  readonly instructions: readonly Attachment[];
}

const { charactersPerToken } = usualRatio;

export interface EndedAnswer {
  readonly ending: AnswerState["kind"];
  readonly usage: Usage | undefined;
  /** UTF-16 units of the received text and reasoning. */
  readonly characters: number;
  /** Estimated tokens of the request. */
  readonly sentTokens: number;
}

/** Tokens used by an answer, as `tokensTaken` counts them. */
export function spentOn(transcript: Transcript, answer: AnswerTurn): number {
  return spentAfter(estimateBranches(transcript), answer);
}

/** Tokens used by all answers of a chat, including other branches. */
export function spentInChat(transcript: Transcript): number {
  const branches = estimateBranches(transcript);
  return transcript.turns.reduce(
    (sum, turn) => (turn.kind === "answer" ? sum + spentAfter(branches, turn) : sum),
    0,
  );
}

/** Minimum tokens of the next question: everything that is sent again, and the question itself. */
export function expectedTokens(
  transcript: Transcript,
  { text, attachments, instructions }: QuestionToCount,
): number {
  const sent = sentTurns(visibleTurns(transcript));
  const last = sent.findLast((turn) => turn.kind === "answer");
  // The service's count already includes the instructions.
  const usage = last && reportedUsage(last);
  const counted = countedBefore(usage, (last && partsOf(last).at(-1)?.text) ?? "");
  const isWhole = usage !== undefined && isWholeUsage(usage) && last?.state.kind === "complete";
  const before = isWhole ? counted : Math.max(counted, estimateBefore(sent, last, instructions));
  return before + estimateTokens(text.length, charactersPerToken) + sumOf(attachments);
}

/** Tokens of a request and its answer, as far as they are counted. If only the input is, estimates the answer's text. */
function countedBefore(usage: Usage | undefined, text: string): number {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  const isInputAlone = inputTokens > 0 && outputTokens === 0;
  const said = isInputAlone ? estimateTokens(text.length, charactersPerToken) : 0;
  return Math.max(tokensOf(usage), inputTokens + said);
}

/** If the last request omitted turns, counts only what it sent: the next request will omit these turns too. */
function estimateBefore(
  turns: readonly Turn[],
  last: AnswerTurn | undefined,
  instructions: readonly Attachment[],
): number {
  const sent = last?.leftOut?.sentTokens;
  return last === undefined || sent === undefined
    ? estimateTurns(turns, charactersPerToken) + sumOf(instructions)
    : sent + estimateTurns([last], charactersPerToken);
}

function spentAfter(branches: Branches, answer: AnswerTurn): number {
  const { usage, state, text, reasoning, steps = [], leftOut, parentId } = answer;
  const firstTokens = leftOut?.sentTokens ?? branches.get(parentId)?.sent ?? 0;
  if (steps.length === 0) {
    const characters = text.length + reasoning.length;
    return tokensTaken({ usage, ending: state.kind, characters, sentTokens: firstTokens });
  }
  return requestsOf(answer, firstTokens).reduce((sum, each) => sum + missingTokens(each), tokensOf(usage));
}

/** One request of an answer with steps. */
interface AnswerRequest {
  readonly usage: Usage | undefined;
  /** Estimated tokens of the request, and of the text and calls in its answer. */
  readonly sent: number;
  readonly said: number;
  /** Whether all of its answer arrived, so that the service's counts are final. */
  readonly isComplete: boolean;
}

/** Whether a request followed the last step. None did if a call of the step was stopped or is still to be run. */
function hasSentLast({ state, steps }: AnswerTurn): boolean {
  if (state.kind === "waiting" || state.kind === "working" || state.kind === "paused") return false;
  return (steps?.at(-1)?.calls ?? []).every(
    (call) =>
      call.state.kind === "settled" &&
      call.state.result.outcome !== "stopped" &&
      call.state.result.outcome !== "interrupted",
  );
}

/** The requests that were sent. Each sends the steps before it again. */
function requestsOf(answer: AnswerTurn, firstTokens: number): readonly AnswerRequest[] {
  let sent = firstTokens;
  return partsOf(answer).flatMap(({ text, reasoning, step }): readonly AnswerRequest[] => {
    const steps = step === undefined ? [] : [step];
    const characters = text.length + reasoning.length + charactersOfCalls(steps);
    const request = { sent, said: estimateTokens(characters, charactersPerToken) };
    sent += estimateTokens(text.length, charactersPerToken) + estimateSteps(steps, charactersPerToken);
    if (step === undefined) {
      const isComplete = answer.state.kind === "complete";
      return hasSentLast(answer) ? [{ ...request, usage: reportedUsage(answer), isComplete }] : [];
    }
    const isComplete = step.messages?.some(({ by }) => by === "resumed") !== true;
    return [{ ...request, usage: step.usage, isComplete }];
  });
}

/** The estimated tokens of a request that the service did not count. */
function missingTokens({ usage = {}, sent, said, isComplete }: AnswerRequest): number {
  if (isComplete && isWholeUsage(usage)) return 0;
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const all = (inputTokens === 0 ? sent : inputTokens) + Math.max(outputTokens, said);
  return Math.max(0, all - tokensOf(usage));
}

/**
 * Tokens used by an answer: the service's count, or an estimate if the count is missing or incomplete. Zero if the
 * answer failed before any data arrived.
 */
export function tokensTaken({ usage, ending, characters, sentTokens }: EndedAnswer): number {
  const counted = tokensOf(usage);
  const said = estimateTokens(characters, charactersPerToken);
  if (counted === 0 && said === 0 && ending === "failed") return 0;
  return counted + missingTokens({ usage, sent: sentTokens, said, isComplete: ending === "complete" });
}

/** By turn ID: the tokens of the branch that ends with the turn, and of a request with this branch. */
type Branches = ReadonlyMap<string, { readonly tokens: number; readonly sent: number }>;

/** One pass is enough, since parents precede their children. */
function estimateBranches({ turns }: Transcript): Branches {
  const branches = new Map<string, { readonly tokens: number; readonly sent: number }>();
  const known = new Map<string, Turn>();
  const tokensBefore = ({ parentId }: Turn): number =>
    parentId === null ? 0 : (branches.get(parentId)?.tokens ?? 0);
  for (const turn of turns) {
    known.set(turn.id, turn);
    const question = known.get(turn.parentId ?? "");
    // The turns after an omitted question are sent without it.
    const isWithout = question !== undefined && sendingOf(question, turn) === "left-out";
    let tokens = isWithout
      ? tokensBefore(question)
      : tokensBefore(turn) + estimateTurns([turn], charactersPerToken);
    if (question?.kind === "question" && isCompaction(question)) {
      const branch = visibleTurns({ turns, arriving: null, leafId: turn.id });
      tokens = estimateTurns(sentTurns(branch), charactersPerToken);
    }
    const instructions = turn.kind === "question" ? (turn.instructions ?? []) : [];
    branches.set(turn.id, { tokens, sent: tokens + sumOf(instructions) });
  }
  return branches;
}

/**
 * Minimum tokens of the next request of the streaming answer: an estimate of the conversation, or the newest count if
 * that is more.
 */
export function expectedNextRequest(transcript: Transcript): number {
  const { arriving } = transcript;
  const queued = estimateMessagesToAdd(arriving?.queued ?? [], charactersPerToken);
  const estimated = estimateTurns(sentTurns(visibleTurns(transcript)), charactersPerToken) + queued;
  if (arriving === null) return estimated;
  const counts = partsOf(arriving).map(({ text, step }) =>
    countedBefore(step === undefined ? reportedUsage(arriving) : step.usage, text),
  );
  return Math.max(estimated, (counts.findLast((count) => count > 0) ?? 0) + queued);
}

function sumOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, each) => sum + estimateAttachment(each, charactersPerToken), 0);
}
