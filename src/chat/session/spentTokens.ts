import type { Usage } from "../../protocol/conversation/conversation.ts";
import type { Attachment } from "../transcript/attachments.ts";
import { estimateTurns } from "./contextWindow.ts";
import { tokensOf } from "../transcript/usage.ts";
import { sendingOf, sentTurns } from "../transcript/sentTurns.ts";
import { estimateAttachment, estimateTokens, usualRatio } from "./tokenEstimate.ts";
import {
  type AnswerState,
  type AnswerTurn,
  type Transcript,
  type Turn,
  visibleTurns,
} from "../transcript/transcript.ts";

/** What a question adds to what was counted before. */
export interface QuestionToCount {
  readonly text: string;
  /** Those that no answer has counted yet. */
  readonly attachments: readonly Attachment[];
  readonly instructions: readonly Attachment[];
}

const { charactersPerToken } = usualRatio;

/** What is known of an answer that has ended. */
export interface EndedAnswer {
  readonly ending: AnswerState["kind"];
  readonly usage: Usage | undefined;
  /** UTF-16 units of all that came. */
  readonly characters: number;
  /** An estimate of its request. */
  readonly sentTokens: number;
}

/** Tokens that an answer took; see `tokensTaken`. */
export function spentOn(transcript: Transcript, answer: AnswerTurn): number {
  return spentAfter(estimateBranches(transcript), answer);
}

/** All answers of a chat together, those of other branches too. */
export function spentInChat(transcript: Transcript): number {
  const branches = estimateBranches(transcript);
  return transcript.turns.reduce(
    (sum, turn) => (turn.kind === "answer" ? sum + spentAfter(branches, turn) : sum),
    0,
  );
}

/** What the next question takes at least: all that is sent again, and itself. */
export function expectedTokens(
  transcript: Transcript,
  { text, attachments, instructions }: QuestionToCount,
): number {
  const sent = sentTurns(visibleTurns(transcript));
  const last = sent.findLast((turn) => turn.kind === "answer");
  // What was counted held the instructions.
  const counted = tokensOf(last?.usage);
  const isWhole = counted > 0 && last?.state.kind === "complete";
  const before = isWhole ? counted : Math.max(counted, estimateBefore(sent, last, instructions));
  return before + estimateTokens(text.length, charactersPerToken) + sumOf(attachments);
}

/** What did not fit before will not fit now. */
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
  const { usage, state, text, reasoning, leftOut, parentId } = answer;
  const characters = text.length + reasoning.length;
  const sentTokens = leftOut?.sentTokens ?? branches.get(parentId)?.sent ?? 0;
  return tokensTaken({ usage, ending: state.kind, characters, sentTokens });
}

/**
 * Tokens that an answer took: the service's count, or an estimate where there is none, or none of the end.
 * Zero where it failed before anything came.
 */
export function tokensTaken({ usage, ending, characters, sentTokens }: EndedAnswer): number {
  const counted = tokensOf(usage);
  if (counted > 0 && ending === "complete") return counted;
  const said = estimateTokens(characters, charactersPerToken);
  if (counted === 0 && said === 0 && ending === "failed") return 0;
  return Math.max(counted, (usage?.inputTokens ?? sentTokens) + Math.max(usage?.outputTokens ?? 0, said));
}

/** By turn, the tokens of the branch that it ends, and of a request that this branch makes. */
type Branches = ReadonlyMap<string, { readonly tokens: number; readonly sent: number }>;

/** In one pass, since parents precede their children. */
function estimateBranches({ turns }: Transcript): Branches {
  const branches = new Map<string, { readonly tokens: number; readonly sent: number }>();
  const known = new Map<string, Turn>();
  const tokensBefore = ({ parentId }: Turn): number =>
    parentId === null ? 0 : (branches.get(parentId)?.tokens ?? 0);
  for (const turn of turns) {
    known.set(turn.id, turn);
    const question = known.get(turn.parentId ?? "");
    // What follows a question that is left out goes without it.
    const isWithout = question !== undefined && sendingOf(question, turn) === "left-out";
    const tokens = isWithout
      ? tokensBefore(question)
      : tokensBefore(turn) + estimateTurns([turn], charactersPerToken);
    const instructions = turn.kind === "question" ? (turn.instructions ?? []) : [];
    branches.set(turn.id, { tokens, sent: tokens + sumOf(instructions) });
  }
  return branches;
}

function sumOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, each) => sum + estimateAttachment(each, charactersPerToken), 0);
}
