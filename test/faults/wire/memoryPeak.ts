import { collectGarbage } from "../../support/collectGarbage.ts";

/** Bytes of garbage that may remain at the start. Collecting it each time would take minutes in total. */
const mostRubbish = 8 * 1024 * 1024;

/** Measures every 5 ms how far this process's memory has risen above its initial value. */
export class MemoryPeak {
  static #clean = 0;
  readonly #before: number;
  #peak = 0;
  readonly #timer = setInterval(() => this.#look(), 5);

  /** If there is much garbage, collects it first: collecting it during the measurement would hide new memory. */
  constructor() {
    if (held() > MemoryPeak.#clean + mostRubbish) {
      collectGarbage();
      MemoryPeak.#clean = held();
    }
    this.#before = held();
  }

  /** Stops and returns the peak in bytes. */
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
