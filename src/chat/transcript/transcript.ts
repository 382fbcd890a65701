import type { Price } from "./usage.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import type { StopReason, StreamPart, Usage } from "../../protocol/conversation/conversation.ts";
import { type ClientStyle, styleFacts } from "../../protocol/conversation/wireStyle.ts";
import type { Translate } from "../../text/translate.ts";
import { type Attachment, type AttachmentPlace, attachmentTraits } from "./attachments.ts";
import {
  type AnswerStep,
  type ChatMode,
  defaultChatMode,
  partsOf,
  type QueuedMessage,
  reduceSteps,
  settleCalls,
  type StepEvent,
  type ToolMode,
} from "./steps.ts";
import { addUsage, reportedUsage } from "./usage.ts";

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
  /** Selected for the chat. Absent in a chat without a question, and in chats of earlier versions. */
  readonly selection?: ChatSelection;
}

/** The connection and model that a chat uses. */
export interface ChatSelection {
  /** Name of the connection. */
  readonly connection: string;
  readonly model: string;
  /** Absent if the chat uses the client style of the connection's settings. */
  readonly clientStyle?: ClientStyle;
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
  /** Number of PDF files that the model was not seen to take; absent if there are none. */
  readonly pdfs?: number;
  /** Estimated tokens of the request that was sent; absent in older chats. */
  readonly sentTokens?: number;
}

/** How a refused field of the user's settings is stored that has the name of the effort. */
export function ownEffortField(field: string): string {
  return `inference.chat.requestFields.${field}`;
}

/** Says that the service refused the effort, or a field of the user's settings. */
export function refusedFieldText(
  { model, clientStyle }: Pick<AnswerTurn, "model" | "clientStyle">,
  field: string,
  t: Translate,
): string {
  const effort = styleFacts[clientStyle].effort.field;
  if (field.startsWith(`${effort}: `))
    return t(
      "The service refused the reasoning effort '{0}' for {1}, so this effort is no longer sent. Select another effort.",
      field.slice(effort.length + 2),
      model,
    );
  return field === effort
    ? t(
        "The service refused the reasoning effort ({0}) for {1}, so the effort is no longer sent. To try again, run Verify Compatibility.",
        field,
        model,
      )
    : t(
        "The service refused the field '{0}' for {1}, so the field is no longer sent with this value. Change or remove it in inference.chat.requestFields.",
        field === ownEffortField(effort) ? effort : field,
        model,
      );
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
  /** The origin of the connection's base URL, such as `https://api.example.com`. Absent in older chats. */
  readonly origin?: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  /** Whether connection, model and client style were a choice for this answer only. */
  readonly isOneTime?: boolean;
  readonly at: string;
  /** All requests of the answer together. */
  readonly usage?: Usage;
  /** The requests before the last one; absent if there is only one. */
  readonly earlierUsage?: Usage;
  /** Absent for `ask`. */
  readonly mode?: ToolMode;
  /** Requests until the user is asked; absent without tools. */
  readonly maxRequests?: number;
  /** The requests after which the answer went on; absent if there is only one request. */
  readonly steps?: readonly AnswerStep[];
  /** Set once the user has kept or undone the changes of files. */
  readonly changes?: ChangesState;
  /** Messages that the user sent while the answer arrived, and that no step has taken yet. */
  readonly queued?: readonly QueuedMessage[];
  /** The model's price at the time of the request, if configured. */
  readonly price?: Price;
  readonly requestId?: string;
  /** Seconds without data, if long enough for a notice; absent while data arrives. */
  readonly silentSeconds?: number;
  /** Absent if nothing was omitted. */
  readonly leftOut?: OmittedTurns;
  /**
   * Wire fields of the effort or of the user's settings that the service refused for this answer; absent if none. With
   * its value, such as `reasoning_effort: high`, if another value may work.
   */
  readonly refusedFields?: readonly string[];
}

export type Turn = QuestionTurn | AnswerTurn;

/** The attachments of a question, or of the messages that an answer took. */
export function attachmentsOf(turn: Turn): readonly Attachment[] {
  if (turn.kind === "question") return turn.attachments ?? [];
  const messages = (turn.steps ?? []).flatMap((step) => step.messages ?? []);
  return messages.flatMap(({ attachments = [] }) => attachments);
}

/** `undone`: the files are as they were before the answer, apart from what could not be undone. */
export const changesStates = ["kept", "undone"] as const;
export type ChangesState = (typeof changesStates)[number];

export type AnswerState =
  /** Requested, but no data yet. */
  | { readonly kind: "waiting" }
  | { readonly kind: "streaming" }
  | RetryingState
  /** Tools run. */
  | { readonly kind: "working" }
  | PausedState
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

/** Nothing more is sent until the user allows it. */
export interface PausedState {
  readonly kind: "paused";
  readonly reason: PauseReason;
}

export type PauseReason =
  /** The answer has made as many requests as the setting allows. */
  | { readonly type: "requests"; readonly count: number }
  /** The model made the same call with the same result again. */
  | { readonly type: "loop"; readonly tool: string; readonly count: number }
  /** Calls failed one after the other. */
  | { readonly type: "failures"; readonly count: number };

export type SettledState = Exclude<
  AnswerState,
  { kind: "waiting" | "streaming" | "retrying" | "working" | "paused" }
>;

/** Parts of a stream that a conversation stores as events. */
type StoredPart = Extract<StreamPart, { type: "text-delta" | "reasoning-delta" | "usage" | "request-id" }>;

/** Events of the streaming answer. */
export type AnswerEvent =
  | StoredPart
  | { readonly type: "retry-announced"; readonly state: RetryingState }
  | { readonly type: "retry-begun" }
  /** The service refused a field of the effort or of the user's settings. The request is repeated without it. */
  | { readonly type: "field-refused"; readonly field: string }
  /** 0 when data arrives again or the user keeps waiting. */
  | { readonly type: "silence"; readonly seconds: number }
  | StepEvent
  | { readonly type: "paused"; readonly reason: PauseReason }
  /** The next request goes out. */
  | { readonly type: "request-begun" }
  /** All of them; empty once a step has taken them. */
  | { readonly type: "messages-queued"; readonly messages: readonly QueuedMessage[] };

export type TranscriptEvent =
  | { readonly type: "question-asked"; readonly turn: QuestionTurn }
  /** The turn's state is `waiting` and its text is empty. */
  | { readonly type: "answer-started"; readonly turn: AnswerTurn }
  /** An answer that ended early, and that nothing follows, goes on. */
  | { readonly type: "answer-resumed"; readonly turnId: string }
  | AnswerEvent
  | { readonly type: "answer-ended"; readonly state: SettledState }
  /** Displays the branch with this turn, down to its newest leaf. */
  | { readonly type: "version-selected"; readonly turnId: string }
  /** The user chose whether later requests include this question. */
  | { readonly type: "question-included"; readonly turnId: string; readonly included: boolean }
  /** The chat uses this connection and model from now on. */
  | { readonly type: "target-selected"; readonly selection: ChatSelection }
  /** The user kept or undid the changes of an answer. */
  | { readonly type: "changes-settled"; readonly turnId: string; readonly state: ChangesState };

interface EventTraits {
  /** How a conversation's file stores the event: among other events, in its own record, or never. */
  readonly stored: "event" | "record" | "never";
  /** Whether the event is a piece of text. Consecutive pieces of one type may be joined. */
  readonly isDelta: boolean;
  /** Whether the event is a change by the user or the end of an answer. Such events are synced to disk. */
  readonly isLasting: boolean;
  /** The meaning of the event: a question, or the start or end of an answer. Null for other events. */
  readonly moment: "question" | "answer-start" | "answer-end" | null;
  /** The text before it is complete. */
  readonly endsText: boolean;
}

const stored = { stored: "event", isDelta: false, isLasting: false, moment: null, endsText: false } as const;
const unstored = { ...stored, stored: "never" } as const;

/** Properties of events, for code that forwards them, stores them, or waits for a moment. */
export const eventTraits = {
  "question-asked": { ...stored, isLasting: true, moment: "question" },
  "answer-started": { ...stored, moment: "answer-start" },
  "answer-resumed": { ...stored, moment: "answer-start" },
  "text-delta": { ...stored, isDelta: true },
  "reasoning-delta": { ...stored, isDelta: true },
  usage: stored,
  "request-id": stored,
  "field-refused": stored,
  "step-ended": { ...stored, isLasting: true, endsText: true },
  "call-started": unstored,
  "call-asks": unstored,
  "call-output": unstored,
  "call-settled": { ...stored, isLasting: true },
  "message-added": { ...stored, isLasting: true },
  "messages-queued": unstored,
  paused: unstored,
  "request-begun": unstored,
  "retry-announced": unstored,
  "retry-begun": unstored,
  silence: unstored,
  "answer-ended": { ...stored, isLasting: true, moment: "answer-end", endsText: true },
  "version-selected": stored,
  "question-included": { ...unstored, stored: "record", isLasting: true },
  "target-selected": { ...unstored, stored: "record", isLasting: true },
  "changes-settled": { ...stored, isLasting: true },
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
    case "target-selected":
      return { ...transcript, selection: event.selection };
    case "answer-ended":
      return endAnswer(transcript, event.state);
    case "answer-resumed":
      return resumeAnswer(transcript, event.turnId);
    case "changes-settled":
      return settleChanges(transcript, event.turnId, event.state);
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
      return { ...answer, usage: addUsage(answer.earlierUsage, event.usage) };
    case "request-id":
      // The first request ID comes from the headers, which take precedence.
      return { ...answer, requestId: answer.requestId ?? event.requestId };
    case "field-refused":
      return { ...answer, refusedFields: [...new Set([...(answer.refusedFields ?? []), event.field])] };
    case "retry-announced":
      return { ...answer, state: event.state };
    case "retry-begun":
      return { ...answer, state: { kind: "waiting" } };
    case "silence":
      return withSilence(answer, event.seconds);
    case "step-ended":
      return {
        ...answer,
        state: { kind: "working" },
        steps: reduceSteps(answer, event, reportedUsage(answer)),
        ...(answer.usage === undefined ? {} : { earlierUsage: answer.usage }),
      };
    case "call-started":
    case "call-asks":
    case "call-output":
    case "call-settled":
    case "message-added":
      return { ...answer, state: { kind: "working" }, steps: reduceSteps(answer, event) };
    case "messages-queued":
      return withQueue(answer, event.messages);
    case "paused":
      return { ...answer, state: { kind: "paused", reason: event.reason } };
    case "request-begun":
      return { ...answer, state: { kind: "waiting" } };
    default:
      // Only a newer host sends other types.
      event satisfies never;
      return answer;
  }
}

function endAnswer(transcript: Transcript, state: SettledState): Transcript {
  const { arriving } = transcript;
  if (arriving === null) return transcript;
  const ended = endedAnswer(arriving, state);
  return { ...transcript, turns: [...transcript.turns, ended], arriving: null, leafId: arriving.id };
}

/** The answer with nothing left to come. */
export function endedAnswer(answer: AnswerTurn, state: SettledState): AnswerTurn {
  const ended = { ...withQueue(withSilence(answer, 0), []), state };
  return ended.steps === undefined
    ? ended
    : { ...ended, steps: settleCalls(ended.steps, state.kind === "stopped" ? "stopped" : "interrupted") };
}

/** Whether an answer can go on from its last finished step. */
export function isResumable({ turns, arriving }: Transcript, turnId: string): boolean {
  const turn = turns.find(({ id }) => id === turnId);
  return (
    arriving === null &&
    turn?.kind === "answer" &&
    turn.steps !== undefined &&
    isEndedEarly(turn.state) &&
    !turns.some(({ parentId }) => parentId === turnId)
  );
}

/** Whether the answer ended before the model was done. */
export function isEndedEarly({ kind }: AnswerState): boolean {
  return kind === "interrupted" || kind === "failed" || kind === "stopped";
}

function resumeAnswer(transcript: Transcript, turnId: string): Transcript {
  const turn = transcript.turns.find(({ id }) => id === turnId);
  if (turn?.kind !== "answer" || !isResumable(transcript, turnId)) return transcript;
  const turns = transcript.turns.filter((each) => each !== turn);
  // A text that no step ended becomes a step, which takes the usage of its request.
  const endsStep = (partsOf(turn).at(-1)?.text ?? "").trim() !== "";
  // The answer may write files again.
  const { changes: _settled, ...open } = turn;
  const resumed = open.usage === undefined || endsStep ? open : { ...open, earlierUsage: open.usage };
  return { ...transcript, turns, arriving: { ...resumed, state: { kind: "waiting" } }, leafId: turnId };
}

/** Whether the streaming answer waits for a decision of the user. */
export function waitsForUser({ arriving }: Transcript): boolean {
  const calls = arriving?.steps?.at(-1)?.calls ?? [];
  return arriving?.state.kind === "paused" || calls.some(({ state }) => state.kind === "asking");
}

/** The last answer of the displayed branch, even if it is still streaming. */
export function lastAnswerOf(transcript: Transcript): AnswerTurn | undefined {
  return visibleTurns(transcript).findLast((turn) => turn.kind === "answer");
}

/** Counts what strangers have written among the attachments of a question, and of messages during its answer. */
export function countAttachedFromOutside(question: QuestionTurn, answer: AnswerTurn | null): number {
  const attached = [question, ...(answer === null ? [] : [answer])].flatMap(attachmentsOf);
  return attached.filter(({ kind }) => attachmentTraits[kind].isFromOutside).length;
}

/** The mode that the answer was asked in. */
export function modeOf({ mode }: AnswerTurn): ChatMode {
  return mode ?? defaultChatMode;
}

function withQueue({ queued: _before, ...turn }: AnswerTurn, queued: readonly QueuedMessage[]): AnswerTurn {
  return queued.length === 0 ? turn : { ...turn, queued };
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

function settleChanges(transcript: Transcript, turnId: string, state: ChangesState): Transcript {
  const at = transcript.turns.findIndex(({ id }) => id === turnId);
  const turn = transcript.turns[at];
  if (turn?.kind !== "answer") return transcript;
  return { ...transcript, turns: transcript.turns.with(at, { ...turn, changes: state }) };
}

function isKnown(transcript: Transcript, turnId: string): boolean {
  return allTurns(transcript).some(({ id }) => id === turnId);
}

function allTurns(transcript: Transcript): readonly Turn[] {
  return transcript.arriving === null ? transcript.turns : [...transcript.turns, transcript.arriving];
}
