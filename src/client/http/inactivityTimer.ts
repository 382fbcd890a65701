/**
 * Tells when nothing happened for a while. To note that costs one reading of the clock, so it may happen
 * with every token: the one timer is set again only when it has fired too early.
 */
export class InactivityTimer {
  readonly #onSilence: () => void;
  #milliseconds: number;
  #lastSeenAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Begins at once. */
  constructor(milliseconds: number, onSilence: () => void) {
    this.#milliseconds = milliseconds;
    this.#onSilence = onSilence;
    this.restart();
  }

  onActivity(): void {
    this.#lastSeenAt = performance.now();
  }

  /** Begins anew, also after it has told, with another limit where one is given. */
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
