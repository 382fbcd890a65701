import { type Failure, FailureError } from "../failure/failure.ts";
import { InactivityTimer } from "../http/inactivityTimer.ts";
import { isAbortError, toFailure } from "../failure/toFailure.ts";
import type { HttpRequest, HttpResponse, TimeLimits, Transport } from "../http/transport.ts";

/** The `fetch` that the editor gives its extensions: it knows the editor's proxy scripts and logins. */
export type EditorFetch = (url: URL, options: RequestInit) => Promise<Response>;

/**
 * HTTP by the editor's own fetch; redirects are never followed. It does not tell when a connection
 * stands, so the limits to connect and to get headers are one, their sum. How large headers may be is
 * the editor's to say (16 KiB in Node, 256 KiB in Chromium).
 *
 * @param takesAnyCertificate whether that fetch verifies none now
 */
export function createEditorTransport(
  fetch: EditorFetch,
  takesAnyCertificate: () => boolean = () => false,
): Transport {
  let isClosed = false;
  return {
    send: async (message, limits, signal) => {
      if (isClosed) AbortSignal.abort().throwIfAborted();
      return new Exchange(limits, signal).send(fetch, message);
    },
    routeFor: ({ protocol }) => ({
      transport: "editor",
      anyCertificate: protocol === "https:" && takesAnyCertificate(),
    }),
    close: async () => {
      isClosed = true;
    },
  };
}

/** One request and its answer, ended by the caller or by a limit. */
class Exchange {
  readonly #limits: TimeLimits;
  readonly #signal: AbortSignal;
  readonly #stopping = new AbortController();
  #timeout: Failure | undefined;

  constructor(limits: TimeLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
  }

  async send(fetch: EditorFetch, request: HttpRequest): Promise<HttpResponse> {
    const { connectMs, headersMs } = this.#limits;
    const timer = new InactivityTimer(connectMs + headersMs, () => this.#expire("headers"));
    const response = await this.#readErrorsOf(() => this.#fetch(fetch, request)).finally(() => timer.stop());
    // A browser's fetch hides where a redirect goes; Node's tells it.
    if (response.type === "opaqueredirect") {
      throw new FailureError({ kind: "redirect", status: response.status, origin: request.url.origin });
    }
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: this.#read(response.body),
    };
  }

  #fetch(fetch: EditorFetch, { method, url, headers, body }: HttpRequest): Promise<Response> {
    const signal = AbortSignal.any([this.#signal, this.#stopping.signal]);
    const options = {
      method,
      // Left to itself, fetch asks for compression, which holds tokens back.
      headers: { "accept-encoding": "identity", ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      credentials: "omit",
      signal,
    } as const;
    return untilAborted(() => fetch(url, options), signal);
  }

  async *#read(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void, undefined> {
    if (body === null) return;
    const reader = body.getReader();
    let isReading = false;
    // While the one who reads takes their time, the limit does not count.
    const timer = new InactivityTimer(this.#limits.idleMs, () =>
      isReading ? this.#expire("idle") : timer.restart(),
    );
    try {
      for (;;) {
        isReading = true;
        timer.onActivity();
        const { done, value } = await this.#readErrorsOf(() => reader.read());
        isReading = false;
        if (done) return;
        yield value;
      }
    } finally {
      timer.stop();
      // Whoever leaves early closes the socket; after the end there is nothing left to abort.
      this.#stopping.abort();
    }
  }

  #expire(phase: "headers" | "idle"): void {
    this.#timeout = { kind: "timeout", phase };
    this.#stopping.abort();
  }

  async #readErrorsOf<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.#timeout !== undefined) throw new FailureError(this.#timeout);
      // The texts of other errors may hold a header's value: only what was read of them goes on.
      throw isAbortError(error) ? error : new FailureError(toFailure(error));
    }
  }
}

/** The editor looks for a proxy before it looks at the signal; whoever aborts does not wait for that. */
function untilAborted(send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    const take = (response: Response): void => {
      if (!signal.aborted) return resolve(response);
      abort();
      // Nobody is left to read it, nor to hear that it could not be left.
      response.body?.cancel().catch(() => undefined);
    };
    send()
      .finally(() => signal.removeEventListener("abort", abort))
      .then(take, reject);
  });
}
