import {
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

/** Joins consecutive texts of the same type. The resulting transcript is the same. */
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

/** Removes the contents of attachments and instructions, since the page only needs their names. */
export function withoutContents(transcript: Transcript): Transcript {
  return {
    ...transcript,
    turns: transcript.turns.map((turn) => (turn.kind === "question" ? bare(turn) : turn)),
  };
}

/** Removes the contents of attachments and instructions from an event. */
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
