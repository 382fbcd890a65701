import { setTimeout as wait } from "node:timers/promises";

/** The pauses ahead of the pieces of an answer. */
export class Pacing {
  /** Milliseconds for each piece of an answer that says nothing itself; 0 for none. Holds from the next answer on. */
  pace: number;
  #hurry = new AbortController();

  constructor(pace: number) {
    this.pace = pace;
  }

  /** What answers are on their way pause no more; later ones do. */
  hurry(): void {
    this.#hurry.abort();
    this.#hurry = new AbortController();
  }

  /** The pause of one answer. It resolves when the piece is due, and rejects once `signal` is aborted. */
  begin(signal: AbortSignal, pace = this.pace): () => Promise<void> {
    const hurried = this.#hurry.signal;
    const either = AbortSignal.any([signal, hurried]);
    return async () => {
      if (pace > 0 && !hurried.aborted) {
        await wait(pace, undefined, { signal: either }).catch(() => undefined);
      }
      signal.throwIfAborted();
    };
  }
}
