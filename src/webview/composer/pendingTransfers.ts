/** Files that are being read, and what is to be done behind them. */
export class PendingTransfers {
  #reading = 0;
  #next: (() => void) | undefined;

  /** Never rejects. */
  async add(reading: Promise<unknown>): Promise<void> {
    this.#reading += 1;
    await Promise.allSettled([reading]);
    this.#reading -= 1;
    if (this.#reading > 0) return;
    const next = this.#next;
    this.#next = undefined;
    next?.();
  }

  /** Whether `act` has to wait until all is read; it takes the place of what waits. */
  delays(act: () => void): boolean {
    if (this.#reading === 0) return false;
    this.#next = act;
    return true;
  }

  /** What waits is not wanted any longer. */
  forget(): void {
    this.#next = undefined;
  }
}
