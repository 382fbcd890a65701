import { attachmentTraits, type Attachment, isPdf } from "../transcript/attachments.ts";
import { estimateAttachment, estimateSteps, estimateTokens, messageTokens } from "./tokenEstimate.ts";
import {
  attachmentsOf,
  type OmittedTurns,
  type QuestionTurn,
  sentText,
  type Turn,
} from "../transcript/transcript.ts";

/** The known limits of a model. */
export interface ModelLimits {
  /** Maximum tokens of a request and its answer together. Absent if the service does not report the limit. */
  readonly contextWindow?: number;
  /** The service's model list has not been requested yet. */
  readonly isUnasked?: true;
  /** Maximum tokens of an answer. */
  readonly maxTokens: number;
  readonly charactersPerToken: number;
  /** Absent if it has not been tested. */
  readonly takesImages?: boolean;
  /** Absent if it has not been tested. A PDF file is only sent if true. */
  readonly takesPdf?: boolean;
}

export interface FittedConversation {
  readonly turns: readonly Turn[];
  /** Estimated tokens of the request. */
  readonly tokens: number;
  /** Absent if nothing was omitted. */
  readonly leftOut?: OmittedTurns;
}

/** Tokens of an attachment besides its text: its element and its fence. */
const attachmentTokens = 30;
/** Share of the context window that stays free, since token counts are estimates. */
const margin = 0.05;
/**
 * Minimum tokens for an answer. With fewer, the question is too long and the answer would be too short to be useful.
 */
const minAnswerTokens = 256;

/** Maximum tokens of a question with the conversation before it. Undefined if the context window is unknown. */
export function roomForInput({ contextWindow, maxTokens }: ModelLimits): number | undefined {
  if (contextWindow === undefined) return undefined;
  // A token limit as large as the context window says nothing about the usual length of answers.
  const answer = Math.min(maxTokens, contextWindow / 2);
  return Math.max(0, Math.floor(contextWindow * (1 - margin) - answer));
}

/**
 * Returns the token limit of an answer after this many estimated input tokens, at least 1. Services refuse a request
 * if input and token limit together exceed the context window.
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
  const steps = turn.kind === "question" ? [] : (turn.steps ?? []);
  const said =
    text === "" && attachments.length === 0
      ? 0
      : messageTokens + estimateTokens(text.length, charactersPerToken);
  const used = 2 * messageTokens * steps.length + estimateSteps(steps, charactersPerToken);
  return said + used + estimateAttachments(attachments, charactersPerToken);
}

function estimateAttachments(attachments: readonly Attachment[], charactersPerToken: number): number {
  return attachments.reduce(
    (sum, attachment) => sum + attachmentTokens + estimateAttachment(attachment, charactersPerToken),
    0,
  );
}

/** Only the newest question's instructions are sent. */
function estimateInstructions(turns: readonly Turn[], charactersPerToken: number): number {
  return estimateAttachments(turns.findLast(isQuestion)?.instructions ?? [], charactersPerToken);
}

/**
 * Chooses the turns to send from a conversation that ends with a question. If the conversation is too long, omits old
 * questions first, with their answers and attachments. The first question always stays. The last question stays with
 * its attachments and instructions. As a last step, omits the first question's answers and attachments. A conversation
 * that is still too long is sent anyway, and the service decides.
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
  // Omit whole exchanges, up to the next question.
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
  const pdfs = room.takesPdf === true ? 0 : turns.flatMap(pdfsOf).length;
  const leftOut = {
    ...differenceOf(all, turns),
    ...(images === 0 ? {} : { images }),
    ...(pdfs === 0 ? {} : { pdfs }),
  };
  const isWhole = leftOut.turns + leftOut.attachments + images + pdfs === 0;
  return { turns, tokens, ...(isWhole ? {} : { leftOut: { ...leftOut, sentTokens: tokens } }) };
}

/** Returns the turn as the model sees it: without attached images if the model takes none. */
function seenBy(turn: Turn, { takesImages }: ModelLimits): Turn {
  if (takesImages !== false || imagesOf(turn).length === 0) return turn;
  if (turn.kind === "question") return withoutImages(turn);
  const steps = turn.steps?.map(({ messages = [], ...step }) => ({
    ...step,
    messages: messages.map(withoutImages),
  }));
  return { ...turn, ...(steps === undefined ? {} : { steps }) };
}

function withoutImages<Carrier extends { readonly attachments?: readonly Attachment[] }>(
  carrier: Carrier,
): Carrier {
  return { ...carrier, attachments: (carrier.attachments ?? []).filter((each) => !isImage(each)) };
}

function imagesOf(turn: Turn): readonly Attachment[] {
  return attachmentsOf(turn).filter(isImage);
}

function isImage({ kind }: Attachment): boolean {
  return attachmentTraits[kind].holds === "image";
}

function pdfsOf(turn: Turn): readonly Attachment[] {
  return attachmentsOf(turn).filter(isPdf);
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

/** A failed answer without text does not count as omitted. */
function countNonEmpty(turns: readonly Turn[]): number {
  return turns.filter(({ text }) => text !== "").length;
}

function countAttachments(turns: readonly Turn[]): number {
  return turns.flatMap(attachmentsOf).length;
}

function isQuestion(turn: Turn): turn is QuestionTurn {
  return turn.kind === "question";
}
