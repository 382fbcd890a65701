import type { Usage } from "../../protocol/conversation/conversation.ts";
import type { Attachment } from "../transcript/attachments.ts";
import { estimateTurns } from "./contextWindow.ts";
import { lastUsage, tokensOf } from "../transcript/usage.ts";
import { type AnswerStep, charactersOfCalls, charactersOfSteps } from "../transcript/steps.ts";
import { sendingOf, sentTurns } from "../transcript/sentTurns.ts";
import { estimateAttachment, estimateTokens, usualRatio } from "./tokenEstimate.ts";
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
  const counted = tokensOf(last && lastUsage(last));
  const isWhole = counted > 0 && last?.state.kind === "complete";
  const before = isWhole ? counted : Math.max(counted, estimateBefore(sent, last, instructions));
  return before + estimateTokens(text.length, charactersPerToken) + sumOf(attachments);
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
  const characters = text.length + reasoning.length + charactersOfCalls(steps);
  const firstTokens = leftOut?.sentTokens ?? branches.get(parentId)?.sent ?? 0;
  const sentTokens = sentInSteps(firstTokens, steps);
  return tokensTaken({ usage, ending: state.kind, characters, sentTokens });
}

/** Estimates the input of all requests of an answer: each request sends the steps before it again. */
function sentInSteps(firstTokens: number, steps: readonly AnswerStep[]): number {
  let [sent, next] = [firstTokens, firstTokens];
  for (const step of steps) {
    next += estimateTokens(charactersOfSteps([step]), charactersPerToken);
    sent += next;
  }
  return sent;
}

/**
 * Tokens used by an answer: the service's count, or an estimate if the count is missing or incomplete. Zero if the
 * answer failed before any data arrived.
 */
export function tokensTaken({ usage, ending, characters, sentTokens }: EndedAnswer): number {
  const counted = tokensOf(usage);
  if (counted > 0 && ending === "complete") return counted;
  const said = estimateTokens(characters, charactersPerToken);
  if (counted === 0 && said === 0 && ending === "failed") return 0;
  return Math.max(counted, (usage?.inputTokens ?? sentTokens) + Math.max(usage?.outputTokens ?? 0, said));
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
    const tokens = isWithout
      ? tokensBefore(question)
      : tokensBefore(turn) + estimateTurns([turn], charactersPerToken);
    const instructions = turn.kind === "question" ? (turn.instructions ?? []) : [];
    branches.set(turn.id, { tokens, sent: tokens + sumOf(instructions) });
  }
  return branches;
}

/** Minimum tokens of the next request of the streaming answer. */
export function expectedNextRequest(transcript: Transcript): number {
  const { arriving } = transcript;
  const counted = tokensOf(arriving === null ? undefined : lastUsage(arriving));
  return Math.max(counted, estimateTurns(sentTurns(visibleTurns(transcript)), charactersPerToken));
}

function sumOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, each) => sum + estimateAttachment(each, charactersPerToken), 0);
}
