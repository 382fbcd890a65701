import type { Price } from "./usage.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import type { StopReason, StreamPart, Usage } from "../../protocol/conversation/conversation.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { Attachment, AttachmentPlace } from "./attachments.ts";

/**
 * A conversation as a tree: an edited question and a retried answer are further children of the
 * same parent, so nothing that was read is lost. `leafId` names the branch on the screen.
 */
export interface Transcript {
  /** Settled turns in the order they were made. An answer among them may still be on its way to another window. */
  readonly turns: readonly Turn[];
  /** The answer that is arriving; kept apart so that a token costs the same in a long chat. */
  readonly arriving: AnswerTurn | null;
  /** Last turn of the branch on the screen; the arriving answer's id while one arrives. */
  readonly leafId: string | null;
}

export interface QuestionTurn {
  readonly kind: "question";
  readonly id: string;
  readonly parentId: string | null;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** Absent where nothing was attached. */
  readonly attachments?: readonly Attachment[];
  /** The prompt that `text` names by its `/`; absent where it is sent as it is. */
  readonly prompt?: QuestionPrompt;
  /** Sent ahead of the conversation as system text; absent where there were none. */
  readonly instructions?: readonly Attachment[];
  /** Whether later questions send this one, which got no answer; absent where nobody has chosen (`sentTurns`). */
  readonly included?: boolean;
}

/** A prompt as it was sent. */
export interface QuestionPrompt {
  readonly name: string;
  /** Sent in the place of what was typed. */
  readonly text: string;
  /** The prompt's file; absent for a prompt of the extension. */
  readonly place?: AttachmentPlace;
  /** Fields of the file's head that mean nothing here. */
  readonly ignored?: readonly string[];
}

/** What a question says to the model, attachments aside. */
export function sentText({ text, prompt }: QuestionTurn): string {
  return prompt?.text ?? text;
}

/** What of the conversation was not sent: it did not fit into the model's window, or the model does not take it. */
export interface OmittedTurns {
  /** Questions and answers. */
  readonly turns: number;
  readonly attachments: number;
  /** Images beside what was sent, of a model that takes none; absent where there were none. */
  readonly images?: number;
  /** Estimated tokens of what was sent all the same; absent in older chats. */
  readonly sentTokens?: number;
}

export interface AnswerTurn {
  readonly kind: "answer";
  readonly id: string;
  /** The question it answers. */
  readonly parentId: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: AnswerState;
  readonly connection: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  readonly at: string;
  readonly usage?: Usage;
  /** What the model cost when it was asked, where the user's settings say so. */
  readonly price?: Price;
  readonly requestId?: string;
  /** Nothing has arrived for so long, which is worth a word; absent while something arrives. */
  readonly silentSeconds?: number;
  /** Absent where everything was sent. */
  readonly leftOut?: OmittedTurns;
}

export type Turn = QuestionTurn | AnswerTurn;

export type AnswerState =
  /** Asked, no byte of the answer yet. */
  | { readonly kind: "waiting" }
  | { readonly kind: "streaming" }
  | RetryingState
  | { readonly kind: "complete"; readonly reason: StopReason }
  /** Stopped by the user; never a failure. */
  | { readonly kind: "stopped" }
  /** Ended without its end because the editor was closed; only reading a stored conversation makes it. */
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly diagnosis: Diagnosis };

/** A try failed before any text, and the next one is waited for. */
export interface RetryingState {
  readonly kind: "retrying";
  /** Which try comes next, from 2, and how many there are at most. */
  readonly attempt: number;
  readonly of: number;
  /** Milliseconds of the whole wait. */
  readonly waitMs: number;
  /** When it ends by the host's clock, ISO 8601; the page's may be another. */
  readonly until: string;
  /** Of what the last try failed. */
  readonly cause: Diagnosis["cause"];
  readonly title: string;
}

export type SettledState = Exclude<AnswerState, { kind: "waiting" | "streaming" | "retrying" }>;

/** Parts of a stream that a conversation keeps: each is an event as it comes. */
type StoredPart = Extract<StreamPart, { type: "text-delta" | "reasoning-delta" | "usage" | "request-id" }>;

/** These speak of the arriving answer. */
export type AnswerEvent =
  | StoredPart
  | { readonly type: "retry-announced"; readonly state: RetryingState }
  | { readonly type: "retry-begun" }
  /** 0 when something arrives again, or the person waits on. */
  | { readonly type: "silence"; readonly seconds: number };

export type TranscriptEvent =
  | { readonly type: "question-asked"; readonly turn: QuestionTurn }
  /** The turn's state is `waiting` and its text empty. */
  | { readonly type: "answer-started"; readonly turn: AnswerTurn }
  | AnswerEvent
  | { readonly type: "answer-ended"; readonly state: SettledState }
  /** Show the branch that holds this turn, down to its newest end. */
  | { readonly type: "version-selected"; readonly turnId: string }
  /** The person has chosen whether later questions send this one. */
  | { readonly type: "question-included"; readonly turnId: string; readonly included: boolean };

interface EventTraits {
  /** How a conversation's file holds it: among the events, in a record of its own, or not at all. */
  readonly stored: "event" | "record" | "never";
  /** A piece of text: neighbours of one type may be joined. */
  readonly isDelta: boolean;
  /** What a person says, and ends of answers: on the disk as soon as can be. */
  readonly isLasting: boolean;
  /** What begins or ends with it. */
  readonly moment: "question" | "answer-start" | "answer-end" | null;
}

/** What those ask about an event who pass it on, write it down, or wait for a moment. */
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

/** Has a record of its own in a conversation's file. */
export type RecordEvent = Extract<TranscriptEvent, { type: TypeWith<{ stored: "record" }> }>;

export function isDelta(event: TranscriptEvent): event is DeltaEvent {
  return eventTraits[event.type].isDelta;
}

export function isStoredPart(part: StreamPart): part is StoredPart {
  return Object.hasOwn(eventTraits, part.type);
}

/** A question, or the end of an answer: nothing of it is still to come. */
export function isTurnWhole({ type }: TranscriptEvent): boolean {
  const { moment } = eventTraits[type];
  return moment === "question" || moment === "answer-end";
}

export const emptyTranscript: Transcript = { turns: [], arriving: null, leafId: null };

/**
 * The transcript after an event; the same in the host and in the page. A delta costs the same however
 * long the chat and the answer are. An event that does not fit (a late delta, a turn known already, a
 * type of a newer host) changes nothing.
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
 * The branch on the screen, oldest turn first, the arriving answer last. A stored transcript whose
 * parents are missing or go round in a circle yields what can be reached.
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

/** Gives a turn with its alternatives, oldest first: questions or answers that share its parent. */
export function groupVersions(transcript: Transcript): (turn: Turn) => readonly Turn[] {
  const groups = new Map<string, Turn[]>();
  for (const turn of allTurns(transcript)) {
    const group = groups.get(placeOf(turn));
    if (group === undefined) groups.set(placeOf(turn), [turn]);
    else group.push(turn);
  }
  return (turn) => groups.get(placeOf(turn)) ?? [];
}

/** What the versions of one turn share. */
function placeOf({ kind, parentId }: Turn): string {
  return `${kind} ${parentId ?? ""}`;
}

/** One object for all, so that a page can tell a change of state by identity. */
const streaming: AnswerState = { kind: "streaming" };

/** The arriving answer after an event. */
export function reduceAnswer(answer: AnswerTurn, event: AnswerEvent): AnswerTurn {
  switch (event.type) {
    case "text-delta":
      return { ...answer, state: streaming, text: answer.text + event.text };
    case "reasoning-delta":
      return { ...answer, state: streaming, reasoning: answer.reasoning + event.text };
    case "usage":
      return { ...answer, usage: event.usage };
    case "request-id":
      // The first one is that of the headers, which has precedence.
      return { ...answer, requestId: answer.requestId ?? event.requestId };
    case "retry-announced":
      return { ...answer, state: event.state };
    case "retry-begun":
      return { ...answer, state: { kind: "waiting" } };
    case "silence":
      return withSilence(answer, event.seconds);
    default:
      // Only a newer host knows another type.
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

/** A question while an answer arrives is kept, but the screen stays with the answer. */
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

/** Goes down from the turn by the newest child; parents precede their children in `turns`. */
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
    // Each step is taken once, also where parents go round in a circle.
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
