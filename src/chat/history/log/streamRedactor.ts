import { type DeltaEvent, eventTraits, isDelta, type TranscriptEvent } from "../../transcript/transcript.ts";

/** Takes keys out of what is written down. */
export interface KeyCleaner {
  readonly cleanText: (text: string) => string;
  readonly cleanEvent: (event: TranscriptEvent) => TranscriptEvent;
  /** How many characters at a text's end may be the start of a key whose rest is still to come. */
  readonly keyStartAtEndOf: (text: string) => number;
}

type DeltaType = DeltaEvent["type"];

/**
 * A chat's events as they are written down, without keys. A key may come in pieces: what may be its start
 * waits for what follows, so that no record holds a piece that the next one completes.
 */
export class StreamRedactor {
  readonly #cleaner: KeyCleaner;
  readonly #waiting = new Map<DeltaType, string>();

  constructor(cleaner: KeyCleaner) {
    this.#cleaner = cleaner;
  }

  redact(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
    return events.flatMap((event) => {
      if (isDelta(event)) {
        return this.#redactDelta(event.type, event.text);
      }
      const kept = this.#cleaner.cleanEvent(event);
      return eventTraits[event.type].moment === "answer-end" ? [...this.flush(), kept] : [kept];
    });
  }

  /** What still waits, where nothing follows any more. */
  flush(): readonly TranscriptEvent[] {
    const rest = [...this.#waiting].map(([type, text]) => ({ type, text }));
    this.#waiting.clear();
    return rest.filter(({ text }) => text !== "");
  }

  #redactDelta(type: DeltaType, delta: string): readonly TranscriptEvent[] {
    const text = this.#cleaner.cleanText((this.#waiting.get(type) ?? "") + delta);
    const end = text.length - this.#cleaner.keyStartAtEndOf(text);
    this.#waiting.set(type, text.slice(end));
    return end === 0 ? [] : [{ type, text: text.slice(0, end) }];
  }
}
