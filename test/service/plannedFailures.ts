import type { Exchange } from "./exchange.ts";

/** Answers that are given in place of the service's own. */
export interface PlannedFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; empty by default. */
  readonly body?: object;
  /** How many calls it is given to; 1 by default. */
  readonly times?: number;
}

/** What a service with too little room would do: says no to the next calls, whatever they ask. */
export class PlannedFailures {
  #next: PlannedFailure[] = [];

  add(failure: PlannedFailure): void {
    this.#next.push(...Array<PlannedFailure>(failure.times ?? 1).fill(failure));
  }

  /** Answers the call, where a failure was planned for it. */
  answer(exchange: Exchange): boolean {
    const failure = this.#next.shift();
    if (failure === undefined) return false;
    const { response } = exchange;
    exchange.record({ status: failure.status });
    response.writeHead(failure.status, { "content-type": "application/json", ...failure.headers });
    response.end(failure.body === undefined ? "" : JSON.stringify(failure.body));
    return true;
  }
}
