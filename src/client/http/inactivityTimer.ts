/**
 * Calls back after a period without activity. Reporting activity only reads the clock, so it may happen per token. The
 * single timer is only restarted if it fires too early.
 */
export class InactivityTimer {
  readonly #onSilence: () => void;
  #milliseconds: number;
  #lastSeenAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts immediately. */
  constructor(milliseconds: number, onSilence: () => void) {
    this.#milliseconds = milliseconds;
    this.#onSilence = onSilence;
    this.restart();
  }

  onActivity(): void {
    this.#lastSeenAt = performance.now();
  }

  /** Restarts the timer, even after it has fired, with a new limit if given. */
  restart(milliseconds = this.#milliseconds): void {
    this.stop();
    this.#milliseconds = milliseconds;
    this.onActivity();
    this.#wait(milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#lastSeenAt + this.#milliseconds - performance.now();
      if (left > 0) this.#wait(left);
      else this.#onSilence();
    }, milliseconds);
  }
}
