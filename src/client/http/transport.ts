/** One HTTP request. `authorization` is the only header with a secret; it is never logged. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Limits of one request, in milliseconds, each a number of its own. Transports keep the first three,
 * `Call` the others.
 */
export interface TimeLimits {
  /** From the first attempt to connect to an open (and, for https, secured) socket. */
  readonly connectMs: number;
  /** From the sent request to the answer's headers. */
  readonly headersMs: number;
  /** Between two reads of the body. */
  readonly idleMs: number;
  /**
   * Without any part of an answer, however many bytes come: what is read whole has to end in it, from
   * the request's beginning on. A stream that goes on is not cut.
   */
  readonly totalMs: number;
  /** For what is left to come when all is said: a refusal's body, what follows a stream's end. */
  readonly closingMs: number;
}

/** An answer whose head has arrived. Statuses of every class arrive here; redirects are not followed. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, decompressed, as it arrives. Leaving the loop closes the socket. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** How requests may be sent: by undici, by the editor's fetch, or by whichever connects. */
export const transportChoices = ["auto", "undici", "editor"] as const;
export type TransportChoice = (typeof transportChoices)[number];

/** How a request gets to its host. */
export interface Route {
  readonly transport: "undici" | "editor";
  /** Host and port of the proxy in use, where this transport chose one; never its login. */
  readonly proxy?: string;
  /** Certificates are not verified. */
  readonly anyCertificate: boolean;
}

/**
 * Carries one HTTP request. Rejects with the client's own error (DNS, refused, TLS, time limit,
 * abort), which `failure.ts` reads; no error it throws contains a header's value.
 */
export interface Transport {
  send(request: HttpRequest, limits: TimeLimits, signal: AbortSignal): Promise<HttpResponse>;
  /** The route that the last request to this URL's origin took, or that the next one will try first. */
  routeFor(url: URL): Route;
  /** Takes nothing more; what is under way goes on to its end, which it resolves at. */
  close(): Promise<void>;
}

/**
 * For what generates. A model may think for minutes before its first byte, so what is meant to end a
 * wait that is merely long is the person; these end what is dead.
 */
export const answerLimits: TimeLimits = {
  connectMs: 15_000,
  headersMs: 300_000,
  idleMs: 300_000,
  totalMs: 900_000,
  closingMs: 10_000,
};

/** For a list of models, which costs the service nothing to give; the total is that of all its pages. */
export const listLimits: TimeLimits = {
  connectMs: 15_000,
  headersMs: 60_000,
  idleMs: 30_000,
  totalMs: 120_000,
  closingMs: 10_000,
};
