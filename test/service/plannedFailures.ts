import type { Exchange } from "./exchange.ts";

/** Answers that are given in place of the service's own. */
export interface PlannedFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; empty by default. */
  readonly body?: object;
  /** How many calls it is given to; 1 by default. */
  readonly times?: number;
  /** What is refused: lists of models, or answers, which is the default. Other calls are served as ever. */
  readonly of?: "models" | "answers";
}

/** What a service with too little room would do: says no to the next calls of a kind, whatever they ask. */
export class PlannedFailures {
  #next: PlannedFailure[] = [];

  add(failure: PlannedFailure): void {
    this.#next.push(...Array<PlannedFailure>(failure.times ?? 1).fill(failure));
  }

  /** Answers the call, where a failure was planned for it. */
  answer(exchange: Exchange): boolean {
    const { response, method } = exchange;
    const asked = method === "GET" ? "models" : "answers";
    const failure = this.#next.find(({ of = "answers" }) => of === asked);
    if (failure === undefined) return false;
    this.#next.splice(this.#next.indexOf(failure), 1);
    exchange.record({ status: failure.status });
    response.writeHead(failure.status, { "content-type": "application/json", ...failure.headers });
    response.end(failure.body === undefined ? "" : JSON.stringify(failure.body));
    return true;
  }
}
