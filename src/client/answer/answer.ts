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
 * Reads the answer to a request for a conversation's next turn, streamed or whole, in the shape the
 * server chose. Yields the parts of one network read at a time, in order, none of them `error`.
 * Returns once the answer is complete; leaving the loop early closes the body.
 *
 * @param answer a head with a success status, and its body
 * @param nowMs the clock, for dates in headers
 * @param onRead called at each read of the body, also where it holds no part, with whether nothing more is to be waited
 *   for, and whether it held something of the answer
 * @throws FailureError `stream-error`, `interrupted`, `unreadable`, `refused` or `timeout`, after
 *   the parts that came before; an abort passes through as it was thrown
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
    // After its end an answer is whole, whatever ended the connection.
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
 * What a body that broke off means: silence beyond the limit, or an interruption. Keeps no text.
 * @throws the error itself where it is an abort
 */
export function readBreak(error: unknown, headers: AnswerHead["headers"]): Failure {
  if (isAbortError(error)) throw error;
  const thrown = toFailure(error);
  // Shorter than it said it would be is a body whose connection was closed.
  const isShort = readThrownFacts(error).codes.includes("UND_ERR_RES_CONTENT_LENGTH_MISMATCH");
  if (thrown.kind === "unreadable" && !isShort) return thrown;
  const requestId = readRequestId(headers);
  const id = requestId === undefined ? {} : { requestId };
  if (thrown.kind === "timeout") return { kind: "timeout", phase: "idle", ...id };
  const code = "code" in thrown ? { code: thrown.code } : {};
  return { kind: "interrupted", ...code, ...id };
}

/** What a read came to: the parts it held, and after them the failure it ended in, if it did. */
interface AnswerStep {
  readonly parts: readonly StreamPart[];
  readonly failure?: Failure;
}

/** The head of an answer with a success status. Header names in lower case. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

type AnswerFailure = Extract<Failure, { kind: "unreadable" | "stream-error" | "interrupted" }>;

/** By so many bytes a body shows what it is. */
const startBytes = 16;

/**
 * Reads one answer, whatever it turns out to be: events, one piece of JSON, a page. Holds at most
 * `maxJsonBytes` of it, and reads no more than the limits of `body.ts`, in bytes after decompression. Synchronous, so that an event costs no promise.
 */
class AnswerReader {
  readonly #style: WireStyle;
  readonly #head: AnswerHead;
  readonly #nowMs: number;
  readonly #labelledEvents: boolean;
  readonly #held = new ByteCollector(maxJsonBytes);
  /** Made for events alone: many an answer is one piece of JSON. */
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

  /** Nothing more is to be waited for; what breaks from then on does no harm. */
  get isOver(): boolean {
    return this.#decoder?.isOver ?? false;
  }

  /** The connection is about to close. A reason to finish ahead of all that is said may be none yet. */
  get isClosing(): boolean {
    return this.isOver && (this.#decoder?.ended === true || this.#decoder?.begun === true);
  }

  /** The last read held something of the answer, if only a piece of a call that is told of later. */
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

  /** No more is read; behind the stream's end that is no failure. */
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
      // Whether a text labelled as events was one shows at its end, by a beginning that reads may cut.
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

  /** The body is over. */
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

  /** @param bytes none where the body is over */
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
          // Behind its end an answer may still tell of its usage, but has no more text.
          const isText = isDelta(part);
          if (finished && isText && this.#decoder.ended) continue;
          if (!finished || isText) this.#bytesAtLastPart = this.#bytesRead;
          if (isText) this.#characters += part.text.length;
          parts.push(part);
        }
        // Nothing of it could be read, and what is made of it may be billed.
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

  /** What comes after the stream's own end needs not be understood. */
  #cannotRead(error: unknown, parts: readonly StreamPart[]): AnswerStep {
    if (!(error instanceof UnreadableStreamError)) throw error;
    if (this.isOver) return { parts };
    return this.#unreadable(error.reason, parts, error.excerpt);
  }

  /** An event that was cut is no error of its own: the stream was interrupted in it. */
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

  /** Some servers send the objects of a stream one behind the other, without the lines of events. */
  #endObjects(text: string): AnswerStep | undefined {
    const step = this.#decode([{ data: text }]);
    if (step.failure !== undefined) return step.failure.kind === "unreadable" ? undefined : step;
    if (this.#decoder?.begun !== true) return undefined;
    if (!this.#decoder.finished) return this.#fail({ kind: "interrupted" }, step.parts);
    return { parts: [...step.parts, ...this.#decoder.close()] };
  }

  #unreadable(bodyKind: BodyKind, parts: readonly StreamPart[] = [], excerpt?: string): AnswerStep {
    // The JSON of an answer may hold the conversation; it is never shown.
    const text = excerpt ?? decodeText(this.#held.bytes().subarray(0, maxBodyStart));
    const start = bodyKind === "json" ? {} : startOf(text);
    return this.#fail({ kind: "unreadable", status: this.#head.status, bodyKind, ...start }, parts);
  }

  #fail(failure: AnswerFailure, parts: readonly StreamPart[] = [], fromError?: string): AnswerStep {
    const requestId = readRequestId(this.#head.headers, this.#requestId ?? fromError);
    return { parts, failure: requestId === undefined ? failure : { ...failure, requestId } };
  }
}

/** The failure in the end of an answer that the service would not give; undefined for any other end. */
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
