import {
  isDelta,
  type TranscriptEvent,
  type QuestionTurn,
  type Transcript,
} from "../transcript/transcript.ts";
import { withoutContent } from "../transcript/attachments.ts";

/** Milliseconds until the next batch while tokens come that can be told apart: next to nothing of a frame. */
const tricklePause = 2;
/** Milliseconds until the next batch while text floods in: a frame, which shows no more than one batch. */
const floodPause = 16;
/** Milliseconds until the next batch for a page without the focus: its frames would slow what is typed elsewhere. */
const unfocusedPause = 50;
/** A batch of more events than this is a flood's. */
const maxTrickleEvents = 4;

/**
 * Gathers the events for a page. The first goes on at once; those that come shortly behind it go together,
 * texts that follow each other as one: a page has no use for more, and each message has its cost. The more
 * there are, the longer they are gathered.
 */
export class EventBatcher {
  readonly #post: (events: readonly TranscriptEvent[]) => void;
  /** Whether the page has the focus. */
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

  /** Hands on what waits, ahead of something else that must not overtake it. */
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

/** The same for a transcript, with fewer events: texts of one kind that follow each other become one. */
export function joinTexts(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  const joined: TranscriptEvent[] = [];
  let texts: string[] = [];
  for (const [at, event] of events.entries()) {
    if (!isDelta(event)) {
      joined.push(event);
      continue;
    }
    texts.push(event.text);
    if (events[at + 1]?.type !== event.type) {
      joined.push({ type: event.type, text: texts.join("") });
      texts = [];
    }
  }
  return joined;
}

/** The transcript as the page gets it: attachments by their names, their texts stay with the host. */
export function withoutContents(transcript: Transcript): Transcript {
  return {
    ...transcript,
    turns: transcript.turns.map((turn) => (turn.kind === "question" ? bare(turn) : turn)),
  };
}

/** The same for an event. */
export function withoutEventContents(event: TranscriptEvent): TranscriptEvent {
  return event.type === "question-asked" ? { ...event, turn: bare(event.turn) } : event;
}

function bare(turn: QuestionTurn): QuestionTurn {
  const { attachments, instructions, ...question } = turn;
  return {
    ...question,
    ...(attachments === undefined ? {} : { attachments: attachments.map(withoutContent) }),
    ...(instructions === undefined ? {} : { instructions: instructions.map(withoutContent) }),
  };
}
