/** Milliseconds without a key after which nobody types any more. */
const typingEnd = 250;
/** Milliseconds behind a key in which its own frame is drawn. */
const keyFrame = 40;
/** Milliseconds from turn to turn while somebody types. */
const usualTurn = 500;
/** Milliseconds for which something may wait, where keys leave no gap between their frames. */
const longestHeld = 1000;

/**
 * When a page may draw while its user types in a file: between the keys, twice a second, and once a second
 * where they leave no gap. Without a graphics card, as in most remote desktops, a frame of a page takes a processor
 * about as long as a key's own, which would wait for it.
 */
export class TypingPace {
  readonly #now: () => number;
  #keyAt = Number.NEGATIVE_INFINITY;
  #turnAt = Number.NEGATIVE_INFINITY;
  #heldSince = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of a clock that is never set back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  keyPressed(): void {
    this.#keyAt = this.#now();
  }

  /**
   * Milliseconds until the page's turn; with 0 it is taken.
   * @param isHeld whether what is to be drawn was held back before
   */
  takeTurn(isHeld: boolean): number {
    const now = this.#now();
    if (!isHeld) this.#heldSince = now;
    const usual = Math.max(this.#turnAt + usualTurn, this.#keyAt + keyFrame);
    const due = Math.min(this.#keyAt + typingEnd, usual, this.#heldSince + longestHeld);
    const left = Math.max(0, Math.ceil(due - now));
    if (left === 0) this.#turnAt = now;
    return left;
  }
}
