import type { TranscriptEvent } from "./transcript.ts";

/** Milliseconds until the next batch while tokens come that can be told apart: next to nothing of a frame. */
const tricklePause = 2;
/** Milliseconds until the next batch while text floods in: a frame, which shows no more than one batch. */
const floodPause = 16;
/** A batch of more events than this is a flood's. */
const largestTrickle = 4;

/**
 * Gathers the events for a page. The first goes on at once; those that come shortly behind it go together,
 * texts that follow each other as one: a page has no use for more, and each message has its cost. The more
 * there are, the longer they are gathered; and while it is not the page's turn to draw.
 */
export class EventBatches {
  readonly #post: (events: readonly TranscriptEvent[]) => void;
  readonly #takeTurn: (isHeld: boolean) => number;
  #waiting: TranscriptEvent[] = [];
  /** Whether something waits that it was not the page's turn to draw. */
  #isHeld = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param takeTurn tells the milliseconds until the page's turn; with 0 it is taken */
  constructor(
    post: (events: readonly TranscriptEvent[]) => void,
    takeTurn: (isHeld: boolean) => number = () => 0,
  ) {
    this.#post = post;
    this.#takeTurn = takeTurn;
  }

  add(events: readonly TranscriptEvent[]): void {
    this.#waiting.push(...events);
    if (this.#timer === undefined) this.#begin();
  }

  /** Hands on what waits, ahead of something else that must not overtake it. */
  flush(): void {
    const events = this.#waiting;
    this.#waiting = [];
    this.#isHeld = false;
    if (events.length > 0) this.#post(joinTexts(events));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #begin(): void {
    const left = this.#takeTurn(this.#isHeld);
    const pause = this.#waiting.length > largestTrickle ? floodPause : tricklePause;
    if (left === 0) this.flush();
    else this.#isHeld = true;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#waiting.length > 0) this.#begin();
      },
      left === 0 ? pause : left,
    );
  }
}

/** The same for a transcript, with fewer events: texts of one kind that follow each other become one. */
export function joinTexts(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  const joined: TranscriptEvent[] = [];
  let texts: string[] = [];
  for (const [at, event] of events.entries()) {
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") {
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
