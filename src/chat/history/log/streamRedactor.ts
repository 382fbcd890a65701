import { type DeltaEvent, eventTraits, isDelta, type TranscriptEvent } from "../../transcript/transcript.ts";

/** Removes keys from stored texts. */
export interface KeyCleaner {
  readonly cleanText: (text: string) => string;
  readonly cleanEvent: (event: TranscriptEvent) => TranscriptEvent;
  /** Number of characters at the end of a text that may be the start of a key. */
  readonly keyStartAtEndOf: (text: string) => number;
}

type DeltaType = DeltaEvent["type"];

/**
 * Removes keys from a chat's events before they are stored. A key may arrive in pieces. So the possible start of a key
 * is held back until more text arrives.
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
      return eventTraits[event.type].endsText ? [...this.flush(), kept] : [kept];
    });
  }

  /** Returns the text that was held back. Call this if no more text follows. */
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
