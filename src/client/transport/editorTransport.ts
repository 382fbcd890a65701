import { type Failure, FailureError } from "../failure/failure.ts";
import { InactivityTimer } from "../http/inactivityTimer.ts";
import { isAbortError, toFailure } from "../failure/toFailure.ts";
import type { HttpRequest, HttpResponse, TimeLimits, Transport } from "../http/transport.ts";

/** The `fetch` that VS Code provides to extensions, with its proxy scripts and logins. */
export type EditorFetch = (url: URL, options: RequestInit) => Promise<Response>;

/**
 * Creates a transport with VS Code's fetch. Never follows redirects. Fetch does not report when it is connected. So one
 * time limit, the sum of `connectMs` and `headersMs`, covers connecting and headers. VS Code determines the maximum
 * size of headers (16 KiB in Node, 256 KiB in Chromium).
 *
 * @param takesAnyCertificate whether this fetch currently accepts any certificate
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

/** One request and its answer. Aborted by the caller or a timeout. */
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
    // Fetch in browsers hides the target of a redirect; Node's does not.
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
      // By default, fetch requests compression, which delays tokens.
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
    // The limit does not apply while the caller processes data.
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
      // If the caller leaves early, this closes the socket. After the end, the abort has no effect.
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
      // The texts of other errors may contain the value of a header, so only the failure is passed on.
      throw isAbortError(error) ? error : new FailureError(toFailure(error));
    }
  }
}

/** Rejects immediately on abort. VS Code resolves the proxy before it checks the signal. */
function untilAborted(send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    const take = (response: Response): void => {
      if (!signal.aborted) return resolve(response);
      abort();
      // No caller is left to read the body or to receive an error.
      response.body?.cancel().catch(() => undefined);
    };
    send()
      .finally(() => signal.removeEventListener("abort", abort))
      .then(take, reject);
  });
}
