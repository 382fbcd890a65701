import type { InferenceError } from "../../client/failure/failure.ts";
import { readFiltered } from "../../client/answer/answer.ts";
import { type RetryNotice, withRetries } from "../../client/request/retrying.ts";
import { InactivityTimer } from "../../client/http/inactivityTimer.ts";
import { fail } from "../../client/failure/toFailure.ts";
import type { Message, StreamPart, ToolCall } from "../../protocol/conversation/conversation.ts";
import { type AnswerOutline, OutlineBuilder } from "../transcript/answerOutline.ts";
import type { ChatTarget } from "./chatTarget.ts";
import {
  type AnswerEvent,
  isStoredPart,
  type RetryingState,
  type SettledState,
} from "../transcript/transcript.ts";

interface StreamingAnswerOptions {
  readonly target: ChatTarget;
  readonly apply: (events: readonly AnswerEvent[]) => void;
  readonly now: () => Date;
}

type FinishPart = Extract<StreamPart, { type: "finish" }>;

/** The result of one request of an answer. */
export interface RequestEnd {
  readonly state: SettledState;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly outline: AnswerOutline;
}

/** The requests of one answer, each from its start to its end, including retries, waits between them, and silences. */
export class StreamingAnswer {
  readonly #options: StreamingAnswerOptions;
  readonly #stopping = new AbortController();
  readonly #silence: InactivityTimer | undefined;
  #silentSeconds = 0;
  #requestId: string | undefined;
  #finish: FinishPart | undefined;
  #text = "";
  #calls: ToolCall[] = [];
  #outline = new OutlineBuilder();
  /** The pending retry, if any. */
  #retry: RetryNotice | undefined;

  constructor(options: StreamingAnswerOptions) {
    this.#options = options;
    const { stallSeconds } = options.target;
    if (stallSeconds > 0) this.#silence = new InactivityTimer(stallSeconds * 1000, () => this.#fallSilent());
  }

  /** Aborts the request or the wait before a retry. Received text stays. */
  stop(reason?: Error): void {
    this.#stopping.abort(reason);
  }

  /** Ends the wait before a retry. */
  retryNow(): void {
    this.#retry?.retryNow();
  }

  /** Called when the user dismisses the notice of silence and keeps waiting. */
  keepWaiting(): void {
    if (this.#silentSeconds === 0) return;
    this.#options.apply([{ type: "silence", seconds: 0 }]);
    this.#silence?.restart();
  }

  /** Aborts when the user stops the answer. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Sends one request at a time. Resolves when its answer has ended, whether it succeeded or not. */
  async receive(messages: readonly Message[]): Promise<RequestEnd> {
    this.#finish = undefined;
    this.#requestId = undefined;
    this.#retry = undefined;
    this.#text = "";
    this.#calls = [];
    this.#outline = new OutlineBuilder();
    const state = await this.#receive(messages);
    return { state, text: this.#text, calls: this.#calls, outline: this.#outline.parts };
  }

  async #receive(messages: readonly Message[]): Promise<SettledState> {
    const { signal } = this.#stopping;
    try {
      const work = (onPiece: () => void) => this.#ask(messages, onPiece);
      await withRetries(work, (notice) => this.#announce(notice), signal);
    } catch (thrown) {
      const error = fail(thrown);
      if (error.failure.kind !== "cancelled" && !signal.aborted) return this.#fail(error);
    } finally {
      this.#silence?.stop();
    }
    // If the user stops during a retry delay, report the last failure.
    if (signal.aborted) return this.#retry ? this.#fail(this.#retry.error) : { kind: "stopped" };
    const filtered = this.#finish && readFiltered(this.#finish, this.#requestId);
    if (filtered !== undefined) return this.#fail(filtered);
    return { kind: "complete", reason: this.#finish?.reason ?? "stop" };
  }

  #ask(messages: readonly Message[], onPiece: () => void): Promise<void> {
    if (this.#retry !== undefined) this.#options.apply([{ type: "retry-begun" }]);
    this.#retry = undefined;
    this.#silence?.restart();
    return this.#options.target.answer(messages, this.#stopping.signal, {
      onActivity: () => this.#noteActivity(),
      onRefusedField: (field) => this.#options.apply([{ type: "field-refused", field }]),
      onParts: (parts) => {
        onPiece();
        this.#take(parts);
      },
    });
  }

  #take(parts: readonly StreamPart[]): void {
    this.#finish = parts.findLast((part) => part.type === "finish") ?? this.#finish;
    // The first request ID comes from the headers, which take precedence.
    this.#requestId ??= parts.find((part) => part.type === "request-id")?.requestId;
    for (const part of parts) {
      this.#outline.take(part);
      if (part.type === "text-delta") this.#text += part.text;
      else if (part.type === "tool-call") this.#calls.push(part);
    }
    const events = parts.filter(isStoredPart);
    if (events.length > 0) this.#options.apply(events);
  }

  #announce(notice: RetryNotice): void {
    this.#retry = notice;
    this.#noteActivity();
    this.#silence?.stop();
    // The wait stays the same if the diagnosis fails.
    this.#explain(notice).catch(() => undefined);
  }

  async #explain(notice: RetryNotice): Promise<void> {
    const { target, now, apply } = this.#options;
    const { attempt, of, waitMs, error } = notice;
    const until = new Date(now().getTime() + waitMs).toISOString();
    const { cause, title } = await target.diagnose(error);
    if (this.#retry !== notice || this.#stopping.signal.aborted) return;
    const state: RetryingState = { kind: "retrying", attempt, of, waitMs, until, cause, title };
    apply([{ type: "retry-announced", state }]);
  }

  /** Called on every network read. Usually only records the time. */
  #noteActivity(): void {
    this.#silence?.onActivity();
    if (this.#silentSeconds === 0) return;
    this.#silentSeconds = 0;
    this.#options.apply([{ type: "silence", seconds: 0 }]);
    this.#silence?.restart();
  }

  #fallSilent(): void {
    this.#silentSeconds += this.#options.target.stallSeconds;
    this.#options.apply([{ type: "silence", seconds: this.#silentSeconds }]);
  }

  async #fail(error: InferenceError): Promise<SettledState> {
    return { kind: "failed", diagnosis: await this.#options.target.diagnose(error) };
  }
}
