import { isDelta, type StreamPart, type Usage } from "../../protocol/conversation/conversation.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { ApiKey } from "../key/apiKey.ts";
import { maxErrorBytes, readStart } from "../http/body.ts";
import { causeOf } from "../failure/causeOf.ts";
import { type Failure, FailureError, InferenceError } from "../failure/failure.ts";
import { isUnconnected, NotConnectedError, toFailure } from "../failure/toFailure.ts";
import { readRefusal } from "../http/refusal.ts";
import { readRequestId } from "../http/requestId.ts";
import { InactivityTimer } from "../http/inactivityTimer.ts";
import type { HttpRequest, HttpResponse, TimeLimits, Transport } from "../http/transport.ts";
import { redactKey } from "../key/apiKey.ts";

type FinishPart = Extract<StreamPart, { type: "finish" }>;
type RequestIdPart = Extract<StreamPart, { type: "request-id" }>;

/** What one request came to: all that the log says of it. */
export interface CallRecord {
  readonly at: Date;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly status?: number;
  readonly requestId?: string;
  /** Kind of the failure, where the call failed; `cancelled` where the user stopped it. */
  readonly failure?: Failure["kind"];
  readonly milliseconds: number;
  readonly usage?: Usage;
  /** Of a request for an answer. */
  readonly model?: string;
  readonly clientStyle?: ClientStyle;
}

export interface CallOptions {
  readonly transport: Transport;
  readonly key: ApiKey;
  readonly limits: TimeLimits;
  /** What an answer was asked for with; absent where none was. */
  readonly target?: { readonly model: string; readonly clientStyle: ClientStyle };
  /** Hears of every request once, when it is over. */
  readonly onCall: (record: CallRecord) => void;
}

/** One request from its sending to its record in the log. */
export class Call {
  readonly #options: CallOptions;
  readonly #message: HttpRequest;
  readonly #signal: AbortSignal;
  readonly #at = new Date();
  readonly #started = performance.now();
  #status: number | undefined;
  #requestId: string | undefined;
  #usage: Usage | undefined;
  /** What was thrown, and the error that was made of it. */
  #failed: { readonly thrown: unknown; readonly error: InferenceError } | undefined;
  /** Ends the exchange where the caller or a limit of time does. */
  readonly #ending = new AbortController();
  readonly #follow = (): void => this.#ending.abort(this.#signal.reason);
  #timer: InactivityTimer | undefined;
  /** Nothing more is waited for: the end of the time is no failure any more. */
  #closing = false;
  #overdue = false;

  constructor(options: CallOptions, message: HttpRequest, signal: AbortSignal) {
    this.#options = options;
    this.#message = message;
    this.#signal = signal;
  }

  /** Milliseconds since the request was begun. */
  get milliseconds(): number {
    return performance.now() - this.#started;
  }

  /**
   * Sends the request; resolves at the head of an answer with a success status.
   * @param onHead called at the head of any answer, also of a refusal
   * @throws what the transport threw; `FailureError` where the service refused
   */
  async send(onHead?: (milliseconds: number) => void): Promise<HttpResponse> {
    this.#signal.throwIfAborted();
    const { transport, limits } = this.#options;
    this.#timer = new InactivityTimer(limits.totalMs, () => this.#end());
    this.#signal.addEventListener("abort", this.#follow, { once: true });
    const response = await transport.send(this.#message, limits, this.#ending.signal);
    onHead?.(this.milliseconds);
    const { status, headers, body } = response;
    this.#status = status;
    this.#requestId = this.#clean(readRequestId(headers));
    if (status >= 200 && status < 300) return response;
    this.expectClose(true);
    const bytes = await readStart(body, maxErrorBytes);
    throw new FailureError(readRefusal(status, headers, bytes, Date.now(), this.#message.url));
  }

  /**
   * Takes note of what the log wants of an answer's parts. Gives them back with the key and its pieces taken out of
   * what the server says about the answer. The answer's text is what was asked for, and stays.
   */
  onParts(parts: readonly StreamPart[]): readonly StreamPart[] {
    return parts.every(isDelta) ? parts : parts.flatMap((part) => this.#note(part));
  }

  #note(part: StreamPart): StreamPart | readonly [] {
    if (part.type === "request-id") return this.#noteId(part);
    if (part.type === "finish") return this.#cleanFinish(part);
    if (part.type === "usage") this.#usage = part.usage;
    return part;
  }

  /** The first that can be shown; that of the headers has precedence. */
  #noteId(part: RequestIdPart): StreamPart | readonly [] {
    if (this.#requestId !== undefined) return [];
    const requestId = this.#clean(readRequestId({}, part.requestId));
    if (requestId === undefined) return [];
    this.#requestId = requestId;
    return { ...part, requestId };
  }

  /**
   * Where nothing more is waited for, the connection has a short time to close; an answer that goes on has all its time
   * again, and so has each step of it.
   */
  expectClose(isClosing: boolean, hasProgressed = false): void {
    if (this.#closing !== isClosing) {
      this.#closing = isClosing;
      const { closingMs, totalMs } = this.#options.limits;
      this.#timer?.restart(isClosing ? closingMs : totalMs);
    } else if (hasProgressed && !isClosing) this.#timer?.onActivity();
  }

  #end(): void {
    this.#overdue = !this.#closing;
    this.#ending.abort();
  }

  #cleanFinish(part: FinishPart): FinishPart {
    const { key } = this.#options;
    const { explanation } = part;
    return {
      ...part,
      wireReason: key.redactServiceText(part.wireReason),
      ...(explanation === undefined ? {} : { explanation: key.redactServiceText(explanation) }),
    };
  }

  #clean(text: string | undefined): string | undefined {
    return text === undefined ? undefined : this.#options.key.redactServiceText(text);
  }

  get requestId(): string | undefined {
    return this.#requestId;
  }

  /** Reads what was thrown; an aborted call was cancelled, whatever broke because of it. */
  fail(thrown: unknown): InferenceError {
    if (this.#failed !== undefined && [this.#failed.thrown, this.#failed.error].includes(thrown))
      return this.#failed.error;
    const failure = redactKey(this.#read(thrown), this.#options.key);
    if ("requestId" in failure) this.#requestId ??= failure.requestId;
    const error = new InferenceError(failure, causeOf(failure));
    this.#failed = { thrown, error };
    return error;
  }

  #read(error: unknown): Failure {
    if (this.#signal.aborted) return { kind: "cancelled" };
    if (this.#overdue) return { kind: "timeout", phase: "total", ...this.#id };
    const failure = toFailure(error);
    // Somebody else ended it; only the caller's own word makes that no failure.
    if (failure.kind === "cancelled") return { kind: "interrupted" };
    const isBreak = !(error instanceof NotConnectedError) && !isUnconnected(failure);
    if (failure.kind !== "network" || !isBreak || this.#options.target === undefined) return failure;
    return { ...failure, brokeAfterMs: Math.round(this.milliseconds) };
  }

  get #id(): { readonly requestId?: string } {
    return this.#requestId === undefined ? {} : { requestId: this.#requestId };
  }

  /** The call is over; left early without a failure, it was cancelled. */
  close(complete: boolean): void {
    this.#timer?.stop();
    this.#signal.removeEventListener("abort", this.#follow);
    const failure = this.#failed?.error.failure.kind ?? (complete ? undefined : "cancelled");
    const { method, url } = this.#message;
    this.#options.onCall({
      at: this.#at,
      method,
      path: url.pathname,
      milliseconds: this.milliseconds,
      ...(this.#status === undefined ? {} : { status: this.#status }),
      ...this.#id,
      ...(failure === undefined ? {} : { failure }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...this.#options.target,
    });
  }
}
