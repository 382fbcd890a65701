/** One HTTP request. Its headers contain the key and may contain other secrets, so they are never logged. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Time limits of one request, in milliseconds. Transports enforce the first three, `Call` the others. */
export interface TimeLimits {
  /** From the first connection attempt to an open (and, for https, secured) socket. */
  readonly connectMs: number;
  /** From the sent request to the headers of the answer. */
  readonly headersMs: number;
  /** Between two reads of the body. */
  readonly idleMs: number;
  /**
   * Without a new part of the answer, regardless of received bytes. An answer that is not streamed must end within this
   * time from the start of the request. A stream that progresses is not aborted.
   */
  readonly totalMs: number;
  /** For data that may follow: the body of a rejection, or data after the end of a stream. */
  readonly closingMs: number;
}

/** An answer with a received head. Includes every status; redirects are not followed. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed body, as it arrives. Leaving the loop closes the socket. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** How to send requests: by undici, by VS Code's fetch, or (`auto`) by fetch only if undici cannot connect. */
export const transportChoices = ["auto", "undici", "editor"] as const;
export type TransportChoice = (typeof transportChoices)[number];

/** The route of a request to its host. */
export interface Route {
  readonly transport: "undici" | "editor";
  /** Host and port of the proxy that this transport selected, without its login. */
  readonly proxy?: string;
  /** Whether any certificate is accepted. */
  readonly anyCertificate: boolean;
}

/**
 * Sends HTTP requests. Rejects with the error of the HTTP client (DNS, refused, TLS, timeout, abort), which
 * `toFailure.ts` converts. Errors never contain the value of a header.
 */
export interface Transport {
  send(request: HttpRequest, limits: TimeLimits, signal: AbortSignal): Promise<HttpResponse>;
  /** Returns the route of the last request to this origin, or the first route that the next one will try. */
  routeFor(url: URL): Route;
  /** Rejects new requests; resolves when pending requests finish. */
  close(): Promise<void>;
}

/**
 * Limits for answers. A model may reason for minutes before its first byte. The user ends a delay that is merely long;
 * these limits end dead requests.
 */
export const answerLimits: TimeLimits = {
  connectMs: 15_000,
  headersMs: 300_000,
  idleMs: 300_000,
  totalMs: 900_000,
  closingMs: 10_000,
};

/** Limits for a list of models, which is cheap for the service. The total applies to all pages. */
export const listLimits: TimeLimits = {
  connectMs: 15_000,
  headersMs: 60_000,
  idleMs: 30_000,
  totalMs: 120_000,
  closingMs: 10_000,
};
