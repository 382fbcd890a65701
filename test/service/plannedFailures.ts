import type { Exchange } from "./exchange.ts";

/** A planned response that replaces the service's own. */
export interface PlannedFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; empty by default. */
  readonly body?: object;
  /** Number of requests that get this response; 1 by default. */
  readonly times?: number;
  /** The requests to refuse: model lists, or answers (the default). Other requests are served normally. */
  readonly of?: "models" | "answers";
}

/** Refuses the next requests of a kind, whatever they ask, like an overloaded service. */
export class PlannedFailures {
  #next: PlannedFailure[] = [];

  add(failure: PlannedFailure): void {
    this.#next.push(...Array<PlannedFailure>(failure.times ?? 1).fill(failure));
  }

  /** Answers the request if a failure is planned for it. Returns whether it did. */
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
