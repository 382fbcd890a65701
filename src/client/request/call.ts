import { isDelta, type StreamPart, type Usage } from "../../protocol/conversation/conversation.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { RequestSecrets } from "../key/apiKey.ts";
import { maxErrorBytes, readStart } from "../http/body.ts";
import { causeOf } from "../failure/causeOf.ts";
import type { Cause } from "../failure/cause.ts";
import { type Failure, FailureError, InferenceError } from "../failure/failure.ts";
import { isUnconnected, NotConnectedError, toFailure } from "../failure/toFailure.ts";
import { readRefusal } from "../http/refusal.ts";
import { readRequestId } from "../http/requestId.ts";
import { InactivityTimer } from "../http/inactivityTimer.ts";
import type { HttpRequest, HttpResponse, TimeLimits, Transport } from "../http/transport.ts";
import { redactKey } from "../key/apiKey.ts";

type FinishPart = Extract<StreamPart, { type: "finish" }>;
type RequestIdPart = Extract<StreamPart, { type: "request-id" }>;

/** The outcome of one request: everything that the log shows about it. */
export interface CallRecord {
  readonly at: Date;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly status?: number;
  readonly requestId?: string;
  /** Kind of the failure, if any; `cancelled` if the user stopped the request. */
  readonly failure?: Failure["kind"];
  /** The cause of the failure, if any. */
  readonly cause?: Cause;
  /** Whether no connection was made, so that the service received nothing. */
  readonly isUnconnected?: true;
  readonly milliseconds: number;
  /** Milliseconds until the first text or reasoning of a streamed answer; absent if none arrived. */
  readonly firstTokenMs?: number;
  readonly usage?: Usage;
  /** Only for a request for an answer. */
  readonly model?: string;
  readonly clientStyle?: ClientStyle;
}

export interface CallOptions {
  readonly transport: Transport;
  readonly key: RequestSecrets;
  readonly limits: TimeLimits;
  /** Model and client style of a request for an answer; absent for other requests. */
  readonly target?: { readonly model: string; readonly clientStyle: ClientStyle };
  /** Whether the request asks for a stream, whose first token has a time of its own. */
  readonly isStreamed?: boolean;
  /** Called once per request, when the request ends. Not called if nothing was sent. */
  readonly onCall: (record: CallRecord) => void;
}

/** One request, from sending to its record in the log. */
export class Call {
  readonly #options: CallOptions;
  readonly #message: HttpRequest;
  readonly #signal: AbortSignal;
  readonly #at = new Date();
  readonly #started = performance.now();
  #status: number | undefined;
  #requestId: string | undefined;
  #isSent = false;
  #usage: Usage | undefined;
  #firstTokenMs: number | undefined;
  /** The thrown value and the error created from it. */
  #failed: { readonly thrown: unknown; readonly error: InferenceError } | undefined;
  /** Aborts the exchange if the caller aborts or a time limit is reached. */
  readonly #ending = new AbortController();
  readonly #follow = (): void => this.#ending.abort(this.#signal.reason);
  #timer: InactivityTimer | undefined;
  /** Whether the answer is complete or a rejection, so that the connection may close. A timeout is then no failure. */
  #closing = false;
  #overdue = false;

  constructor(options: CallOptions, message: HttpRequest, signal: AbortSignal) {
    this.#options = options;
    this.#message = message;
    this.#signal = signal;
  }

  /** Milliseconds since the request began. */
  get milliseconds(): number {
    return performance.now() - this.#started;
  }

  /**
   * Sends the request. Resolves at the head of an answer with a success status.
   * @param onHead called at the head of any answer, also of a rejection
   * @throws errors of the transport; `FailureError` if the service rejected the request
   */
  async send(onHead?: (milliseconds: number) => void): Promise<HttpResponse> {
    this.#signal.throwIfAborted();
    const { transport, limits } = this.#options;
    this.#timer = new InactivityTimer(limits.totalMs, () => this.#end());
    this.#signal.addEventListener("abort", this.#follow, { once: true });
    this.#isSent = true;
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
   * Records facts of the parts for the log. Removes the key and its pieces from texts of the service about the answer.
   * The text of the answer is unchanged, because the user requested it.
   */
  onParts(parts: readonly StreamPart[]): readonly StreamPart[] {
    if (this.#options.isStreamed === true && this.#firstTokenMs === undefined && parts.some(isDelta))
      this.#firstTokenMs = this.milliseconds;
    return parts.every(isDelta) ? parts : parts.flatMap((part) => this.#note(part));
  }

  #note(part: StreamPart): StreamPart | readonly [] {
    if (part.type === "request-id") return this.#noteId(part);
    if (part.type === "finish") return this.#cleanFinish(part);
    if (part.type === "usage") this.#usage = part.usage;
    return part;
  }

  /** Records the first request ID that can be shown. One in the headers takes precedence. */
  #noteId(part: RequestIdPart): StreamPart | readonly [] {
    if (this.#requestId !== undefined) return [];
    const requestId = this.#clean(readRequestId({}, part.requestId));
    if (requestId === undefined) return [];
    this.#requestId = requestId;
    return { ...part, requestId };
  }

  /**
   * Sets the time limit. Once the answer is complete, the connection has a short time to close. If the answer
   * continues, the full limit applies again, and restarts with each progress.
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

  /**
   * Converts a thrown value to an error. If the caller aborted, the failure is `cancelled`, whatever error the abort
   * caused.
   */
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
    // The caller did not abort, so this abort is a failure.
    if (failure.kind === "cancelled") return { kind: "interrupted" };
    const isBreak = !(error instanceof NotConnectedError) && !isUnconnected(failure);
    if (failure.kind !== "network" || !isBreak || this.#options.target === undefined) return failure;
    return { ...failure, brokeAfterMs: Math.round(this.milliseconds) };
  }

  get #id(): { readonly requestId?: string } {
    return this.#requestId === undefined ? {} : { requestId: this.#requestId };
  }

  get #isUnconnected(): boolean {
    if (this.#failed === undefined) return false;
    const { thrown, error } = this.#failed;
    return thrown instanceof NotConnectedError || isUnconnected(error.failure);
  }

  /** Ends the call and records it if it was sent. A call that is incomplete without a failure was canceled. */
  close(complete: boolean): void {
    this.#timer?.stop();
    this.#signal.removeEventListener("abort", this.#follow);
    if (!this.#isSent) return;
    const error = this.#failed?.error;
    const failure = error?.failure.kind ?? (complete ? undefined : "cancelled");
    const cause = error?.cause ?? (complete ? undefined : "cancelled");
    const { method, url } = this.#message;
    this.#options.onCall({
      at: this.#at,
      method,
      path: url.pathname,
      milliseconds: this.milliseconds,
      ...(this.#status === undefined ? {} : { status: this.#status }),
      ...this.#id,
      ...(failure === undefined ? {} : { failure }),
      ...(cause === undefined ? {} : { cause }),
      ...(this.#isUnconnected ? { isUnconnected: true } : {}),
      ...(this.#firstTokenMs === undefined ? {} : { firstTokenMs: this.#firstTokenMs }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...this.#options.target,
    });
  }
}
