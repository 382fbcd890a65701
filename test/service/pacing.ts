/** Answers that began between two calls of `hurry`. */
interface Begun {
  hurried: boolean;
  /** Each function ends a pause of one of these answers. */
  readonly waiting: Set<() => void>;
}

/** Pauses before the pieces of an answer. */
export class Pacing {
  /** Milliseconds per piece if the message sets no pace; 0 for no pause. Applies from the next answer on. */
  pace: number;
  #begun: Begun = { hurried: false, waiting: new Set() };

  constructor(pace: number) {
    this.pace = pace;
  }

  /** Ends the pauses of all current answers; later answers pause again. */
  hurry(): void {
    const begun = this.#begun;
    this.#begun = { hurried: false, waiting: new Set() };
    begun.hurried = true;
    for (const end of begun.waiting) end();
  }

  /**
   * Returns the pause function of one answer. It resolves when the next piece is due, and rejects if `signal`
   * aborts.
   */
  begin(signal: AbortSignal, pace = this.pace): () => Promise<void> {
    const begun = this.#begun;
    let end: (() => void) | undefined;
    // One listener for the whole answer: a listener per piece would cost more than the piece.
    signal.addEventListener("abort", () => end?.(), { once: true });
    return async () => {
      if (pace > 0 && !begun.hurried && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const ended = (): void => {
            clearTimeout(timer);
            begun.waiting.delete(ended);
            resolve();
          };
          const timer = setTimeout(ended, pace);
          begun.waiting.add(ended);
          end = ended;
        });
      }
      signal.throwIfAborted();
    };
  }
}
