import { collectGarbage } from "../../support/collectGarbage.ts";

/** So much of what a process holds at the beginning may be rubbish; to take it out each time would take minutes in all. */
const mostRubbish = 8 * 1024 * 1024;

/** The most memory that this process has held beyond what it held at the beginning; looked at often. */
export class MemoryPeak {
  static #clean = 0;
  readonly #before: number;
  #peak = 0;
  readonly #timer = setInterval(() => this.#look(), 5);

  /** Takes out what is rubbish by then, whose going would hide as much that comes. */
  constructor() {
    if (held() > MemoryPeak.#clean + mostRubbish) {
      collectGarbage();
      MemoryPeak.#clean = held();
    }
    this.#before = held();
  }

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
