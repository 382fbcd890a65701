import { isDelta, type StreamPart } from "../../protocol/conversation/conversation.ts";
import { UnreadableStreamError } from "../../protocol/conversation/wireStyle.ts";
import type { WireStyle, StreamDecoder } from "../../protocol/conversation/wireStyle.ts";
import { FailureError, InferenceError } from "../failure/failure.ts";
import type { Failure, BodyKind } from "../failure/failure.ts";
import { readRequestId } from "../http/requestId.ts";
import { isAbortError, toFailure, readThrownFacts } from "../failure/toFailure.ts";
import { parseJson } from "../../protocol/conversation/json.ts";
import { createEventReader } from "../../protocol/decode/serverSentEvents.ts";
import type { EventReader, ServerSentEvent } from "../../protocol/decode/serverSentEvents.ts";
import { isAnswer } from "../../protocol/decode/decoding.ts";
import {
  answerKindOf,
  blankPrefixLength,
  startsWithField,
  ByteCollector,
  decodeText,
  isCutJson,
  maxAnswerCharacters,
  maxBarrenBytes,
  maxBodyStart,
  maxJsonBytes,
  maxRestBytes,
  maxStreamBytes,
  startOf,
} from "../http/body.ts";
import type { AnswerKind } from "../http/body.ts";
import { readRefusal } from "../http/refusal.ts";

/**
 * Reads an answer, streamed or complete, in whichever form the service sent it. Yields the parts of one network read at
 * a time, in order, never an `error` part. Returns when the answer is complete. If the caller leaves the loop early,
 * the body is closed.
 *
 * @param answer a head with a success status, and its body
 * @param nowMs the current time, for dates in headers
 * @param onRead called at each read of the body. Receives whether the answer is complete, and whether the read held
 *   a part of it
 * @throws FailureError `stream-error`, `interrupted`, `unreadable`, `refused` or `timeout`, after the preceding parts.
 *   Rethrows an abort.
 */
export async function* readAnswer(
  style: WireStyle,
  answer: AnswerHead & { readonly body: AsyncIterable<Uint8Array> },
  nowMs: number = Date.now(),
  onRead?: (isClosing: boolean, hasProgressed: boolean) => void,
): AsyncGenerator<readonly StreamPart[], void, undefined> {
  const reader = new AnswerReader(style, answer, nowMs);
  let failure: Failure | undefined;
  try {
    for await (const chunk of answer.body) {
      const step = reader.feed(chunk);
      onRead?.(reader.isClosing, reader.hasProgressed);
      if (step.parts.length > 0) yield step.parts;
      ({ failure } = step);
      if (failure !== undefined || reader.isTooLarge) break;
    }
  } catch (error) {
    // After its end, an answer is complete, regardless of how the connection ended.
    if (failure === undefined && !reader.isOver) failure = readBreak(error, answer.headers);
  }
  if (failure === undefined) {
    const last = reader.end();
    if (last.parts.length > 0) yield last.parts;
    ({ failure } = last);
  }
  if (failure !== undefined) throw new FailureError(failure);
}

/**
 * Converts the error of a broken body to a failure: a timeout, an interruption or an unreadable body. Stores no text.
 * @throws the error itself if it is an abort
 */
export function readBreak(error: unknown, headers: AnswerHead["headers"]): Failure {
  if (isAbortError(error)) throw error;
  const thrown = toFailure(error);
  // A body shorter than its declared length means that the connection was closed.
  const isShort = readThrownFacts(error).codes.includes("UND_ERR_RES_CONTENT_LENGTH_MISMATCH");
  if (thrown.kind === "unreadable" && !isShort) return thrown;
  const requestId = readRequestId(headers);
  const id = requestId === undefined ? {} : { requestId };
  if (thrown.kind === "timeout") return { kind: "timeout", phase: "idle", ...id };
  const code = "code" in thrown ? { code: thrown.code } : {};
  return { kind: "interrupted", ...code, ...id };
}

/** The result of one read: its parts, and then the failure that ended it, if any. */
interface AnswerStep {
  readonly parts: readonly StreamPart[];
  readonly failure?: Failure;
}

/** The head of an answer with a success status. Header names are in lower case. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

type AnswerFailure = Extract<Failure, { kind: "unreadable" | "stream-error" | "interrupted" }>;

/** Number of first bytes that determine the kind of a body. */
const startBytes = 16;

/**
 * Reads one answer of any kind: events, one JSON value, or a page. Buffers at most `maxJsonBytes`. Stops at the limits
 * of `body.ts`, in bytes after decompression. Synchronous, so that an event costs no promise.
 */
class AnswerReader {
  readonly #style: WireStyle;
  readonly #head: AnswerHead;
  readonly #nowMs: number;
  readonly #labelledEvents: boolean;
  readonly #held = new ByteCollector(maxJsonBytes);
  /** Created for events only, because many answers are one JSON value. */
  #events: EventReader | undefined;
  #decoder: StreamDecoder | undefined;
  #kind: AnswerKind | undefined;
  #sawEvent = false;
  #bytesRead = 0;
  #bytesAtLastPart = 0;
  #hasParts = false;
  #characters = 0;
  #requestId: string | undefined;

  constructor(style: WireStyle, head: AnswerHead, nowMs: number) {
    this.#style = style;
    this.#head = head;
    this.#nowMs = nowMs;
    this.#labelledEvents = /\bevent-stream\b/i.test(head.headers["content-type"] ?? "");
  }

  /** Whether the answer is complete. A later break of the connection is harmless. */
  get isOver(): boolean {
    return this.#decoder?.isOver ?? false;
  }

  /** Whether the connection is about to close. A finish reason before any content may be premature. */
  get isClosing(): boolean {
    return this.isOver && (this.#decoder?.ended === true || this.#decoder?.begun === true);
  }

  /** Whether the last read contained some of the answer, even just a piece of an incomplete call. */
  get hasProgressed(): boolean {
    return this.#bytesAtLastPart === this.#bytesRead;
  }

  feed(bytes: Uint8Array): AnswerStep {
    this.#bytesRead += bytes.length;
    const wasOver = this.isOver;
    const step = this.#feedKind(bytes);
    if (!wasOver && this.isOver) this.#bytesAtLastPart = this.#bytesRead;
    return step.failure === undefined && !this.isOver && this.isTooLarge
      ? this.#unreadable("too-large", step.parts, "")
      : step;
  }

  /** Whether a limit is exceeded, so that reading stops. After the end of the stream, this is no failure. */
  get isTooLarge(): boolean {
    const bytes = this.#bytesRead - this.#bytesAtLastPart;
    return (
      bytes > (this.isOver ? maxRestBytes : maxBarrenBytes) ||
      this.#bytesRead > maxStreamBytes ||
      this.#characters > maxAnswerCharacters
    );
  }

  #feedKind(bytes: Uint8Array): AnswerStep {
    if (this.#kind === "events") {
      // Keep the start, to check at the end of the body whether the text really was events.
      if (this.#held.length < startBytes) this.#held.add(bytes.subarray(0, startBytes));
      return this.#feedEvents(bytes);
    }
    const rest = this.#held.length === 0 ? bytes.subarray(blankPrefixLength(bytes)) : bytes;
    if (!this.#held.add(rest)) return this.#unreadable("too-large");
    this.#kind ??= answerKindOf(decodeText(this.#held.bytes().subarray(0, startBytes)), this.#labelledEvents);
    switch (this.#kind) {
      case "events":
        return this.#feedEvents(this.#held.bytes());
      case "html":
      case "text":
        return this.#held.length < maxBodyStart ? { parts: [] } : this.#unreadable(this.#kind);
      case "json":
      case undefined:
        return { parts: [] };
    }
  }

  /** Ends the body. */
  end(): AnswerStep {
    switch (this.#kind) {
      case "events":
        return this.#endEvents();
      case "json":
        return this.#endJson();
      case "html":
      case "text":
        return this.#unreadable(this.#kind);
      case undefined:
        if (this.#held.length > 0) return this.#unreadable("text");
        return this.#labelledEvents ? this.#fail({ kind: "interrupted" }) : this.#unreadable("empty");
    }
  }

  /** @param bytes undefined at the end of the body */
  #feedEvents(bytes?: Uint8Array): AnswerStep {
    try {
      this.#events ??= createEventReader();
      return this.#decode(bytes === undefined ? this.#events.end() : this.#events.feed(bytes));
    } catch (error) {
      return this.#cannotRead(error, []);
    }
  }

  #decode(events: readonly ServerSentEvent[]): AnswerStep {
    const parts: StreamPart[] = [];
    this.#decoder ??= this.#style.createStreamDecoder();
    for (const event of events) {
      this.#sawEvent = true;
      const { finished, argumentCharacters } = this.#decoder;
      try {
        for (const part of this.#decoder.decode(event.data, event.event)) {
          if (part.type === "error") {
            return this.#fail({ kind: "stream-error", error: part.error }, parts, part.error.requestId);
          }
          this.#hasParts = true;
          if (part.type === "request-id") this.#requestId ??= readRequestId({}, part.requestId);
          // After its end, an answer may still report usage, but has no more text.
          const isText = isDelta(part);
          if (finished && isText && this.#decoder.ended) continue;
          if (!finished || isText) this.#bytesAtLastPart = this.#bytesRead;
          if (isText) this.#characters += part.text.length;
          parts.push(part);
        }
        // Stop: this stream is unreadable, and generating more of it may be billed.
        if (this.#decoder.sawOtherStyle && !this.#decoder.begun)
          return this.#unreadable("other-style", parts, "");
        if (this.#decoder.sawOtherApi && !this.#decoder.begun) return this.#unreadable("json", parts);
        if (this.#decoder.argumentCharacters !== argumentCharacters && !this.isOver)
          this.#bytesAtLastPart = this.#bytesRead;
      } catch (error) {
        const step = this.#cannotRead(error, parts);
        if (step.failure !== undefined) return step;
      }
    }
    return { parts };
  }

  /** Unreadable data after the end of the stream is ignored. */
  #cannotRead(error: unknown, parts: readonly StreamPart[]): AnswerStep {
    if (!(error instanceof UnreadableStreamError)) throw error;
    if (this.isOver) return { parts };
    return this.#unreadable(error.reason, parts, error.excerpt);
  }

  /** Ends a stream of events. An incomplete event means that the stream was interrupted. */
  #endEvents(): AnswerStep {
    const step = this.#feedEvents();
    if ((step.failure?.kind ?? "unreadable") !== "unreadable") return step;
    if (this.#decoder?.ended === true && !this.#hasParts) return this.#unreadable("empty", [], "");
    if (step.failure === undefined && this.#decoder?.finished === true) {
      return { parts: [...step.parts, ...this.#decoder.close()] };
    }
    const start = decodeText(this.#held.bytes());
    if (!this.#sawEvent && !startsWithField(start)) return this.#unreadable("text");
    return this.#fail({ kind: "interrupted" }, step.parts);
  }

  #endJson(): AnswerStep {
    const bytes = this.#held.bytes();
    const text = decodeText(bytes);
    const body = parseJson(text);
    if (body === undefined) {
      if (isCutJson(text)) return this.#fail({ kind: "interrupted" });
      return this.#endObjects(text) ?? this.#unreadable("text");
    }
    const parts = this.#style.decodeAnswer(body);
    if (parts.length === 0) return this.#unreadable(isAnswer(body) ? "other-style" : "json");
    if (!parts.some((part) => part.type === "error")) return { parts };
    return {
      parts: [],
      failure: readRefusal(this.#head.status, this.#head.headers, bytes, this.#nowMs),
    };
  }

  /**
   * Reads the objects of a stream without the syntax of events, which some servers send. Returns undefined for other
   * text.
   */
  #endObjects(text: string): AnswerStep | undefined {
    const step = this.#decode([{ data: text }]);
    if (step.failure !== undefined) return step.failure.kind === "unreadable" ? undefined : step;
    if (this.#decoder?.begun !== true) return undefined;
    if (!this.#decoder.finished) return this.#fail({ kind: "interrupted" }, step.parts);
    return { parts: [...step.parts, ...this.#decoder.close()] };
  }

  #unreadable(bodyKind: BodyKind, parts: readonly StreamPart[] = [], excerpt?: string): AnswerStep {
    // The JSON of an answer may contain the conversation, so it is never shown.
    const text = excerpt ?? decodeText(this.#held.bytes().subarray(0, maxBodyStart));
    const start = bodyKind === "json" ? {} : startOf(text);
    return this.#fail({ kind: "unreadable", status: this.#head.status, bodyKind, ...start }, parts);
  }

  #fail(failure: AnswerFailure, parts: readonly StreamPart[] = [], fromError?: string): AnswerStep {
    const requestId = readRequestId(this.#head.headers, this.#requestId ?? fromError);
    return { parts, failure: requestId === undefined ? failure : { ...failure, requestId } };
  }
}

/** Returns an error if the service's content filter ended the answer; undefined for any other end. */
export function readFiltered(
  finish: Extract<StreamPart, { type: "finish" }>,
  requestId?: string,
): InferenceError | undefined {
  if (finish.reason !== "content-filter") return undefined;
  return new InferenceError({
    kind: "filtered",
    wireReason: finish.wireReason,
    ...(finish.explanation === undefined ? {} : { explanation: finish.explanation }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}
