/** Answers that were begun between two calls of `hurry`. */
interface Begun {
  hurried: boolean;
  /** Each ends a pause of one of them. */
  readonly waiting: Set<() => void>;
}

/** The pauses ahead of the pieces of an answer. */
export class Pacing {
  /** Milliseconds for each piece of an answer that says nothing itself; 0 for none. Holds from the next answer on. */
  pace: number;
  #begun: Begun = { hurried: false, waiting: new Set() };

  constructor(pace: number) {
    this.pace = pace;
  }

  /** What answers are on their way pause no more; later ones do. */
  hurry(): void {
    const begun = this.#begun;
    this.#begun = { hurried: false, waiting: new Set() };
    begun.hurried = true;
    for (const end of begun.waiting) end();
  }

  /** The pause of one answer. It resolves when the piece is due, and rejects once `signal` is aborted. */
  begin(signal: AbortSignal, pace = this.pace): () => Promise<void> {
    const begun = this.#begun;
    let end: (() => void) | undefined;
    // One listener for the whole answer: one for each piece costs more than the piece.
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
