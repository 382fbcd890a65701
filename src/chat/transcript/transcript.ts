import type { Price } from "./usage.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import type { StopReason, StreamPart, Usage } from "../../protocol/conversation/conversation.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { Attachment, AttachmentPlace } from "./attachments.ts";

/**
 * A conversation as a tree. An edited question or another answer becomes a further child of the same parent, so earlier
 * versions remain. `leafId` identifies the displayed branch.
 */
export interface Transcript {
  /** Settled turns, oldest first. An answer among them may still be streaming in another window. */
  readonly turns: readonly Turn[];
  /** The streaming answer. Separate from `turns`, so that the cost of a token does not grow with the chat. */
  readonly arriving: AnswerTurn | null;
  /** ID of the last turn of the displayed branch, or of the streaming answer. */
  readonly leafId: string | null;
}

export interface QuestionTurn {
  readonly kind: "question";
  readonly id: string;
  readonly parentId: string | null;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** Absent if nothing was attached. */
  readonly attachments?: readonly Attachment[];
  /** The prompt that `text` starts with; absent if `text` is sent unchanged. */
  readonly prompt?: QuestionPrompt;
  /** Sent as system text before the conversation; absent if empty. */
  readonly instructions?: readonly Attachment[];
  /**
   * Whether later requests include this question although it has no answer. Absent if the user has not chosen (see
   * `sentTurns`).
   */
  readonly included?: boolean;
}

/** A prompt as it was sent. */
export interface QuestionPrompt {
  readonly name: string;
  /** Sent instead of the typed text. */
  readonly text: string;
  /** The prompt's file; absent for built-in prompts. */
  readonly place?: AttachmentPlace;
  /** Front matter fields without effect here. */
  readonly ignored?: readonly string[];
}

/** Returns the text of a question as it is sent, without attachments. */
export function sentText({ text, prompt }: QuestionTurn): string {
  return prompt?.text ?? text;
}

/**
 * Parts of the conversation that were not sent, because they exceed the context window or the model cannot take them.
 */
export interface OmittedTurns {
  /** Number of questions and answers. */
  readonly turns: number;
  readonly attachments: number;
  /** Number of images that the model cannot take; absent if there are none. */
  readonly images?: number;
  /** Estimated tokens of the request that was sent; absent in older chats. */
  readonly sentTokens?: number;
}

export interface AnswerTurn {
  readonly kind: "answer";
  readonly id: string;
  /** The ID of the question. */
  readonly parentId: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: AnswerState;
  readonly connection: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  readonly at: string;
  readonly usage?: Usage;
  /** The model's price at the time of the request, if configured. */
  readonly price?: Price;
  readonly requestId?: string;
  /** Seconds without data, if long enough for a notice; absent while data arrives. */
  readonly silentSeconds?: number;
  /** Absent if nothing was omitted. */
  readonly leftOut?: OmittedTurns;
}

export type Turn = QuestionTurn | AnswerTurn;

export type AnswerState =
  /** Requested, but no data yet. */
  | { readonly kind: "waiting" }
  | { readonly kind: "streaming" }
  | RetryingState
  | { readonly kind: "complete"; readonly reason: StopReason }
  /** Stopped by the user. Not a failure. */
  | { readonly kind: "stopped" }
  /** VS Code was closed before the end of the answer. Only reading a stored conversation creates this state. */
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly diagnosis: Diagnosis };

/** An attempt failed before any text, and the next attempt is pending. */
export interface RetryingState {
  readonly kind: "retrying";
  /** Number of the next attempt, from 2, and maximum number of attempts. */
  readonly attempt: number;
  readonly of: number;
  /** Milliseconds of the whole wait. */
  readonly waitMs: number;
  /** End of the wait by the host's clock, ISO 8601. The page's clock may differ. */
  readonly until: string;
  /** The cause of the last failure. */
  readonly cause: Diagnosis["cause"];
  readonly title: string;
}

export type SettledState = Exclude<AnswerState, { kind: "waiting" | "streaming" | "retrying" }>;

/** Parts of a stream that a conversation stores as events. */
type StoredPart = Extract<StreamPart, { type: "text-delta" | "reasoning-delta" | "usage" | "request-id" }>;

/** Events of the streaming answer. */
export type AnswerEvent =
  | StoredPart
  | { readonly type: "retry-announced"; readonly state: RetryingState }
  | { readonly type: "retry-begun" }
  /** 0 when data arrives again or the user keeps waiting. */
  | { readonly type: "silence"; readonly seconds: number };

export type TranscriptEvent =
  | { readonly type: "question-asked"; readonly turn: QuestionTurn }
  /** The turn's state is `waiting` and its text is empty. */
  | { readonly type: "answer-started"; readonly turn: AnswerTurn }
  | AnswerEvent
  | { readonly type: "answer-ended"; readonly state: SettledState }
  /** Displays the branch with this turn, down to its newest leaf. */
  | { readonly type: "version-selected"; readonly turnId: string }
  /** The user chose whether later requests include this question. */
  | { readonly type: "question-included"; readonly turnId: string; readonly included: boolean };

interface EventTraits {
  /** How a conversation's file stores the event: among other events, in its own record, or never. */
  readonly stored: "event" | "record" | "never";
  /** Whether the event is a piece of text. Consecutive pieces of one type may be joined. */
  readonly isDelta: boolean;
  /** Whether the event is a change by the user or the end of an answer. Such events are synced to disk. */
  readonly isLasting: boolean;
  /** The meaning of the event: a question, or the start or end of an answer. Null for other events. */
  readonly moment: "question" | "answer-start" | "answer-end" | null;
}

/** Properties of events, for code that forwards them, stores them, or waits for a moment. */
export const eventTraits = {
  "question-asked": { stored: "event", isDelta: false, isLasting: true, moment: "question" },
  "answer-started": { stored: "event", isDelta: false, isLasting: false, moment: "answer-start" },
  "text-delta": { stored: "event", isDelta: true, isLasting: false, moment: null },
  "reasoning-delta": { stored: "event", isDelta: true, isLasting: false, moment: null },
  usage: { stored: "event", isDelta: false, isLasting: false, moment: null },
  "request-id": { stored: "event", isDelta: false, isLasting: false, moment: null },
  "retry-announced": { stored: "never", isDelta: false, isLasting: false, moment: null },
  "retry-begun": { stored: "never", isDelta: false, isLasting: false, moment: null },
  silence: { stored: "never", isDelta: false, isLasting: false, moment: null },
  "answer-ended": { stored: "event", isDelta: false, isLasting: true, moment: "answer-end" },
  "version-selected": { stored: "event", isDelta: false, isLasting: false, moment: null },
  "question-included": { stored: "record", isDelta: false, isLasting: true, moment: null },
} as const satisfies Record<TranscriptEvent["type"], EventTraits>;

type TypeWith<Trait extends Partial<EventTraits>> = {
  [Type in TranscriptEvent["type"]]: (typeof eventTraits)[Type] extends Trait ? Type : never;
}[TranscriptEvent["type"]];

export type DeltaEvent = Extract<TranscriptEvent, { type: TypeWith<{ isDelta: true }> }>;
export type StoredEvent = Extract<TranscriptEvent, { type: TypeWith<{ stored: "event" }> }>;

/** An event that gets its own record in a conversation's file. */
export type RecordEvent = Extract<TranscriptEvent, { type: TypeWith<{ stored: "record" }> }>;

export function isDelta(event: TranscriptEvent): event is DeltaEvent {
  return eventTraits[event.type].isDelta;
}

export function isStoredPart(part: StreamPart): part is StoredPart {
  return Object.hasOwn(eventTraits, part.type);
}

/** Whether the event completes a turn: a question, or the end of an answer. */
export function isTurnWhole({ type }: TranscriptEvent): boolean {
  const { moment } = eventTraits[type];
  return moment === "question" || moment === "answer-end";
}

export const emptyTranscript: Transcript = { turns: [], arriving: null, leafId: null };

/**
 * Returns the transcript after an event. Host and page use the same function. The cost of a delta does not grow with
 * the chat or the answer. Ignores events that do not fit: a late delta, a known turn, or a type of a newer host.
 */
export function reduceTranscript(transcript: Transcript, event: TranscriptEvent): Transcript {
  switch (event.type) {
    case "question-asked":
      return askQuestion(transcript, event.turn);
    case "answer-started":
      return startAnswer(transcript, event.turn);
    case "version-selected":
      return selectVersion(transcript, event.turnId);
    case "question-included":
      return includeQuestion(transcript, event.turnId, event.included);
    case "answer-ended":
      return endAnswer(transcript, event.state);
    default: {
      const { arriving } = transcript;
      return arriving === null ? transcript : { ...transcript, arriving: reduceAnswer(arriving, event) };
    }
  }
}

/**
 * Returns the displayed branch, oldest turn first, the streaming answer last. If a stored transcript has missing or
 * circular parents, returns the turns that can be reached.
 */
export function visibleTurns(transcript: Transcript): readonly Turn[] {
  const waiting = new Map(allTurns(transcript).map((turn) => [turn.id, turn]));
  const branch: Turn[] = [];
  let id = transcript.leafId;
  while (id !== null) {
    const turn = waiting.get(id);
    waiting.delete(id);
    if (turn !== undefined) {
      branch.push(turn);
    }
    id = turn?.parentId ?? null;
  }
  return branch.toReversed();
}

/** Returns a lookup of a turn's versions, oldest first: the questions or answers with the same parent. */
export function groupVersions(transcript: Transcript): (turn: Turn) => readonly Turn[] {
  const groups = new Map<string, Turn[]>();
  for (const turn of allTurns(transcript)) {
    const group = groups.get(placeOf(turn));
    if (group === undefined) groups.set(placeOf(turn), [turn]);
    else group.push(turn);
  }
  return (turn) => groups.get(placeOf(turn)) ?? [];
}

/** The key that all versions of a turn share. */
function placeOf({ kind, parentId }: Turn): string {
  return `${kind} ${parentId ?? ""}`;
}

/** One shared object, so that the page can compare states by identity. */
const streaming: AnswerState = { kind: "streaming" };

/** Returns the streaming answer after an event. */
export function reduceAnswer(answer: AnswerTurn, event: AnswerEvent): AnswerTurn {
  switch (event.type) {
    case "text-delta":
      return { ...answer, state: streaming, text: answer.text + event.text };
    case "reasoning-delta":
      return { ...answer, state: streaming, reasoning: answer.reasoning + event.text };
    case "usage":
      return { ...answer, usage: event.usage };
    case "request-id":
      // The first request ID comes from the headers, which take precedence.
      return { ...answer, requestId: answer.requestId ?? event.requestId };
    case "retry-announced":
      return { ...answer, state: event.state };
    case "retry-begun":
      return { ...answer, state: { kind: "waiting" } };
    case "silence":
      return withSilence(answer, event.seconds);
    default:
      // Only a newer host sends other types.
      event satisfies never;
      return answer;
  }
}

function endAnswer(transcript: Transcript, state: SettledState): Transcript {
  const { arriving } = transcript;
  if (arriving === null) return transcript;
  const ended = { ...withSilence(arriving, 0), state };
  return { turns: [...transcript.turns, ended], arriving: null, leafId: arriving.id };
}

function withSilence({ silentSeconds: _before, ...turn }: AnswerTurn, seconds: number): AnswerTurn {
  return seconds === 0 ? turn : { ...turn, silentSeconds: seconds };
}

/** Adds a question. The displayed branch stays the same while an answer is streaming. */
function askQuestion(transcript: Transcript, turn: QuestionTurn): Transcript {
  if (isKnown(transcript, turn.id)) {
    return transcript;
  }
  const leafId = transcript.arriving === null ? turn.id : transcript.leafId;
  return { ...transcript, turns: [...transcript.turns, turn], leafId };
}

function startAnswer(transcript: Transcript, turn: AnswerTurn): Transcript {
  if (transcript.arriving !== null || isKnown(transcript, turn.id)) {
    return transcript;
  }
  return { ...transcript, arriving: turn, leafId: turn.id };
}

/** Follows the newest child of each turn; parents precede their children in `turns`. */
function selectVersion(transcript: Transcript, turnId: string): Transcript {
  if (transcript.arriving !== null || !isKnown(transcript, turnId)) {
    return transcript;
  }
  const newestChild = new Map<string | null, string>();
  for (const turn of transcript.turns) {
    newestChild.set(turn.parentId, turn.id);
  }
  let leafId = turnId;
  for (let child = newestChild.get(leafId); child !== undefined; child = newestChild.get(leafId)) {
    // Visit each turn once, in case parents are circular.
    newestChild.delete(leafId);
    leafId = child;
  }
  return leafId === transcript.leafId ? transcript : { ...transcript, leafId };
}

function includeQuestion(transcript: Transcript, turnId: string, included: boolean): Transcript {
  const at = transcript.turns.findIndex(({ id }) => id === turnId);
  const turn = transcript.turns[at];
  if (turn?.kind !== "question" || turn.included === included) return transcript;
  return { ...transcript, turns: transcript.turns.with(at, { ...turn, included }) };
}

function isKnown(transcript: Transcript, turnId: string): boolean {
  return allTurns(transcript).some(({ id }) => id === turnId);
}

function allTurns(transcript: Transcript): readonly Turn[] {
  return transcript.arriving === null ? transcript.turns : [...transcript.turns, transcript.arriving];
}
