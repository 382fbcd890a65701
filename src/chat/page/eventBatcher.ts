import { wholeEnd, wholeStart } from "../../text/cutText.ts";
import type { AnswerCall, AnswerStep, CallResult, QueuedMessage } from "../transcript/steps.ts";
import {
  type AnswerTurn,
  isDelta,
  type TranscriptEvent,
  type QuestionTurn,
  type Transcript,
} from "../transcript/transcript.ts";
import { withoutContent } from "../transcript/attachments.ts";

/** Milliseconds between batches while few events arrive. Small compared with a frame. */
const tricklePause = 2;
/** Milliseconds between batches while many events arrive: one frame, which cannot show more than one batch. */
const floodPause = 16;
/** Milliseconds between batches for a page without focus, so that its frames do not slow down typing elsewhere. */
const unfocusedPause = 50;
/** Maximum number of events in a batch that is followed by the shorter pause. */
const maxTrickleEvents = 4;

/**
 * Batches events for a page. The first event is sent immediately. Later events are collected, and consecutive texts
 * are joined, because each message has a cost. The more events arrive, the longer the pause.
 */
export class EventBatcher {
  readonly #post: (events: readonly TranscriptEvent[]) => void;
  hasFocus = false;
  #waiting: TranscriptEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(post: (events: readonly TranscriptEvent[]) => void) {
    this.#post = post;
  }

  add(events: readonly TranscriptEvent[]): void {
    this.#waiting.push(...events);
    if (this.#timer === undefined) this.#begin();
  }

  /** Sends pending events now, so that the next message cannot overtake them. */
  flush(): void {
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length > 0) this.#post(joinTexts(events));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #begin(): void {
    const focusedPause = this.#waiting.length > maxTrickleEvents ? floodPause : tricklePause;
    this.flush();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#waiting.length > 0) this.#begin();
      },
      this.hasFocus ? focusedPause : unfocusedPause,
    );
  }
}

/**
 * Joins consecutive texts of the same type, and drops outputs that the next event replaces. The resulting transcript is
 * the same.
 */
export function joinTexts(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  const joined: TranscriptEvent[] = [];
  let texts: string[] = [];
  for (const [at, event] of events.entries()) {
    const next = events[at + 1];
    if (!isDelta(event)) {
      if (event.type !== "call-output" || next?.type !== "call-output") joined.push(event);
      continue;
    }
    texts.push(event.text);
    if (next?.type !== event.type) {
      joined.push({ type: event.type, text: texts.join("") });
      texts = [];
    }
  }
  return joined;
}

/** Removes the contents of attachments and instructions, and cuts results, since the page shows only their start. */
export function withoutContents(transcript: Transcript): Transcript {
  return {
    ...transcript,
    turns: transcript.turns.map((turn) => (turn.kind === "question" ? bare(turn) : withShortResults(turn))),
    arriving: transcript.arriving && withShortResults(transcript.arriving),
  };
}

/** Removes the contents of attachments and instructions from an event, and cuts results. */
export function withoutEventContents(event: TranscriptEvent): TranscriptEvent {
  switch (event.type) {
    case "question-asked":
      return { ...event, turn: bare(event.turn) };
    case "step-ended":
      return { ...event, outline: [] };
    case "call-settled":
      return { ...event, result: shortResult(event.result) };
    case "message-added":
      return { ...event, message: bareMessage(event.message) };
    case "messages-queued":
      return { ...event, messages: event.messages.map(bareMessage) };
    case "call-output":
      return { ...event, output: wholeEnd(event.output, shownOutputLength) };
    default:
      return event;
  }
}

/** UTF-16 units of a result that the page gets. */
const shownResultLength = 2000;
/** UTF-16 units of the end of a running call's output that the page gets. */
const shownOutputLength = 4000;

function withShortResults({ steps, queued, ...answer }: AnswerTurn): AnswerTurn {
  return {
    ...answer,
    ...(steps === undefined ? {} : { steps: steps.map(shortStep) }),
    ...(queued === undefined ? {} : { queued: queued.map(bareMessage) }),
  };
}

function shortStep({ messages, ...step }: AnswerStep): AnswerStep {
  return {
    ...step,
    outline: [],
    calls: step.calls.map(shortCall),
    ...(messages === undefined ? {} : { messages: messages.map(bareMessage) }),
  };
}

function bareMessage<Message extends QueuedMessage>(message: Message): Message {
  const { attachments } = message;
  return attachments === undefined ? message : { ...message, attachments: attachments.map(withoutContent) };
}

function shortCall(call: AnswerCall): AnswerCall {
  const { state } = call;
  if (state.kind === "settled") return { ...call, state: { ...state, result: shortResult(state.result) } };
  if (state.kind !== "running" || state.output === undefined) return call;
  return { ...call, state: { ...state, output: wholeEnd(state.output, shownOutputLength) } };
}

function shortResult({ images: _images, ...result }: CallResult): CallResult {
  const { text } = result;
  return text.length <= shownResultLength
    ? result
    : { ...result, text: `${wholeStart(text, shownResultLength)}…` };
}

function bare(turn: QuestionTurn): QuestionTurn {
  const { attachments, instructions, ...question } = turn;
  return {
    ...question,
    ...(attachments === undefined ? {} : { attachments: attachments.map(withoutContent) }),
    ...(instructions === undefined ? {} : { instructions: instructions.map(withoutContent) }),
  };
}
