/** The most memory that this process has held beyond what it held at the beginning; looked at often. */
export class MemoryPeak {
  readonly #before = held();
  #peak = 0;
  readonly #timer = setInterval(() => this.#look(), 5);

  /** Bytes. */
  end(): number {
    this.#look();
    this[Symbol.dispose]();
    return this.#peak;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, held() - this.#before);
  }
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
