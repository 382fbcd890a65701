/** Milliseconds after which the answer to a search is not waited for any longer. */
const patience = 500;

/**
 * Asks for one thing at a time: the newest, as soon as the one before it is answered. So nobody waits
 * without need, and whoever types quicker than the answers come asks no more often than they come.
 */
export class SearchPace {
  #underWay: number | undefined;
  #next: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Asks now, or instead of what was to be asked next. */
  ask(id: number, post: () => void): void {
    const begin = (): void => {
      this.#underWay = id;
      this.#timer = setTimeout(() => this.answered(id), patience);
      post();
    };
    if (this.#underWay === undefined) begin();
    else this.#next = begin;
  }

  answered(id: number): void {
    if (id !== this.#underWay) return;
    const next = this.#next;
    this.forget();
    next?.();
  }

  /** What was asked, and was to be asked next, is not needed any more. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#underWay = undefined;
    this.#next = undefined;
  }
}
