import { attachmentTraits, type Attachment } from "../transcript/attachments.ts";
import { estimateAttachment, estimateTokens, messageTokens } from "./tokenEstimate.ts";
import { type OmittedTurns, type QuestionTurn, sentText, type Turn } from "../transcript/transcript.ts";

/** How much a model takes, as far as it is known. */
export interface ModelLimits {
  /** Tokens of question and answer together; absent where the service does not tell. */
  readonly contextWindow?: number;
  /** The service has not been asked for its models yet. */
  readonly isUnasked?: true;
  /** Tokens of the answer. */
  readonly maxTokens: number;
  readonly charactersPerToken: number;
  /** Absent where it was never tried. */
  readonly takesImages?: boolean;
}

export interface FittedConversation {
  readonly turns: readonly Turn[];
  /** Estimated tokens of what is sent. */
  readonly tokens: number;
  /** Absent where everything is sent. */
  readonly leftOut?: OmittedTurns;
}

/** What an attachment costs beside its text: its element and its fence. */
const attachmentTokens = 30;
/** Part of the window that stays free, since the tokens are estimated. */
const margin = 0.05;
/** Tokens of an answer below which a question is too long, and its answer not worth to be cut so short. */
const minAnswerTokens = 256;

/** Tokens that a question with all before it may have; undefined where the window is not known. */
export function roomForInput({ contextWindow, maxTokens }: ModelLimits): number | undefined {
  if (contextWindow === undefined) return undefined;
  // A cap as large as the window says nothing of how long answers are.
  const answer = Math.min(maxTokens, contextWindow / 2);
  return Math.max(0, Math.floor(contextWindow * (1 - margin) - answer));
}

/**
 * The cap of an answer to so many estimated tokens, at least 1. Services refuse a question that passes the window
 * together with its cap, however short it is.
 */
export function answerCap({ contextWindow, maxTokens }: ModelLimits, inputTokens: number): number {
  const left =
    contextWindow === undefined
      ? maxTokens
      : Math.max(contextWindow * (1 - margin) - inputTokens, Math.min(minAnswerTokens, contextWindow / 2));
  return Math.max(1, Math.floor(Math.min(maxTokens, left)));
}

export function estimateTurns(turns: readonly Turn[], charactersPerToken: number): number {
  return turns.reduce((sum, turn) => sum + estimateTurn(turn, charactersPerToken), 0);
}

function estimateTurn(turn: Turn, charactersPerToken: number): number {
  const attachments = turn.kind === "question" ? (turn.attachments ?? []) : [];
  const text = turn.kind === "question" ? sentText(turn) : turn.text;
  const said =
    text === "" && attachments.length === 0
      ? 0
      : messageTokens + estimateTokens(text.length, charactersPerToken);
  return said + estimateAttachments(attachments, charactersPerToken);
}

function estimateAttachments(attachments: readonly Attachment[], charactersPerToken: number): number {
  return attachments.reduce(
    (sum, attachment) => sum + attachmentTokens + estimateAttachment(attachment, charactersPerToken),
    0,
  );
}

/** Of a request only the newest question's instructions are sent. */
function estimateInstructions(turns: readonly Turn[], charactersPerToken: number): number {
  return estimateAttachments(turns.findLast(isQuestion)?.instructions ?? [], charactersPerToken);
}

/**
 * What of a conversation that ends with a question is sent. What does not fit is left out oldest first,
 * a question together with its answers and attachments, but never the first message nor the last
 * question with its attachments and instructions; at last the first message's answer and attachments go. Where even that
 * is too much it is sent, and the service has its say.
 */
export function fitConversation(turns: readonly Turn[], room: ModelLimits): FittedConversation {
  const limit = roomForInput(room);
  const { charactersPerToken } = room;
  const instructions = estimateInstructions(turns, charactersPerToken);
  const sizeOf = (turn: Turn): number => estimateTurn(seenBy(turn, room), charactersPerToken);
  const sizes = turns.map(sizeOf);
  const all = sizes.reduce((sum, size) => sum + size, instructions);
  const second = turns.findIndex((turn, index) => index > 0 && isQuestion(turn));
  if (limit === undefined || all <= limit || second === -1) return fitted(turns, turns, all, room);
  const last = turns.findLastIndex(isQuestion);
  let tokens = all;
  let next = second;
  // An exchange is left out as a whole: up to the next question.
  for (; next < last; next += 1) {
    const turn = turns[next];
    if (tokens <= limit && turn !== undefined && isQuestion(turn)) break;
    tokens -= sizes[next] ?? 0;
  }
  const whole = turns.slice(0, second);
  const opening = tokens > limit ? bareOpening(whole) : whole;
  for (const turn of opening) tokens += sizeOf(turn);
  for (const turn of whole) tokens -= sizeOf(turn);
  return fitted(turns, [...opening, ...turns.slice(next)], tokens, room);
}

function fitted(
  all: readonly Turn[],
  turns: readonly Turn[],
  tokens: number,
  room: ModelLimits,
): FittedConversation {
  const images = room.takesImages === false ? turns.flatMap(imagesOf).length : 0;
  const leftOut = { ...differenceOf(all, turns), ...(images === 0 ? {} : { images }) };
  const isWhole = leftOut.turns + leftOut.attachments + images === 0;
  return { turns, tokens, ...(isWhole ? {} : { leftOut: { ...leftOut, sentTokens: tokens } }) };
}

/** What of a turn the model sees: an image that it cannot take is only named. */
function seenBy(turn: Turn, { takesImages }: ModelLimits): Turn {
  if (turn.kind === "answer" || takesImages !== false || imagesOf(turn).length === 0) return turn;
  return {
    ...turn,
    attachments: turn.attachments?.filter(({ kind }) => attachmentTraits[kind].holds !== "image") ?? [],
  };
}

function imagesOf(turn: Turn): readonly Attachment[] {
  return turn.kind === "question"
    ? (turn.attachments ?? []).filter(({ kind }) => attachmentTraits[kind].holds === "image")
    : [];
}

function bareOpening(exchange: readonly Turn[]): readonly Turn[] {
  return exchange.filter(isQuestion).map((question) => {
    const { attachments: _, ...bare } = question;
    return bare;
  });
}

function differenceOf(all: readonly Turn[], kept: readonly Turn[]): Omit<OmittedTurns, "sentTokens"> {
  return {
    turns: countNonEmpty(all) - countNonEmpty(kept),
    attachments: countAttachments(all) - countAttachments(kept),
  };
}

/** An answer that failed without a word was nothing to leave out. */
function countNonEmpty(turns: readonly Turn[]): number {
  return turns.filter(({ text }) => text !== "").length;
}

function countAttachments(turns: readonly Turn[]): number {
  return turns.filter(isQuestion).reduce((sum, { attachments }) => sum + (attachments?.length ?? 0), 0);
}

function isQuestion(turn: Turn): turn is QuestionTurn {
  return turn.kind === "question";
}
