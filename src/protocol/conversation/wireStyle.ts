import type { Translate } from "../../text/translate.ts";
import type { ChatRequest, Effort, StreamPart } from "./conversation.ts";

/** Client styles (specification, section 1). Connections without a client style use the first. */
export const clientStyles = ["chat-completions", "messages"] as const;
export type ClientStyle = (typeof clientStyles)[number];
export const [defaultClientStyle] = clientStyles;

/** Facts about a style that are available without its codec. The codec is loaded for the first request. */
interface StyleFacts {
  /** Path of the endpoint after `/v1` of the base URL (specification, section 1). */
  readonly endpoint: `/${string}`;
  readonly title: (t: Translate) => string;
  /** ID and title of the step in the connection check that sends a request. The ID is public interface. */
  readonly checkStep: string;
  readonly checkStepTitle: (t: Translate) => string;
  /** Wire field of the reasoning effort, and the member of `Effort` that it sends. */
  readonly effort: { readonly field: string; readonly member: keyof Effort };
}

export const styleFacts = {
  "chat-completions": {
    endpoint: "/chat/completions",
    title: (t) => t("Chat Completions"),
    checkStep: "completion",
    checkStepTitle: (t) => t("Completion"),
    effort: { field: "reasoning_effort", member: "level" },
  },
  messages: {
    endpoint: "/messages",
    title: (t) => t("Messages"),
    checkStep: "message",
    checkStepTitle: (t) => t("Message"),
    effort: { field: "thinking", member: "budgetTokens" },
  },
} as const satisfies Readonly<Record<ClientStyle, StyleFacts>>;

/** Decodes one streamed answer. Holds the state of that stream, so it must not be shared. */
export interface StreamDecoder {
  /**
   * Decodes the data and the optional name of one server-sent event. Returns its parts in order.
   * @throws UnreadableStreamError if the data is not JSON and not a known marker
   */
  decode(data: string, event?: string): readonly StreamPart[];
  /** Call this at the end of the body, once the answer is finished. Returns the parts held until then. */
  close(): readonly StreamPart[];
  /** A finish reason was the last part of the answer. If the body ends now, the answer is complete. */
  readonly finished: boolean;
  /** The end marker arrived: `[DONE]` or `message_stop`. Later data is not part of the answer. */
  readonly ended: boolean;
  /**
   * Whether to stop waiting for more. If the answer once continued after a finish reason, only the end marker counts.
   */
  readonly isOver: boolean;
  /** Events of the other client style arrived. */
  readonly sawOtherStyle: boolean;
  /** Events of an unknown API arrived. */
  readonly sawOtherApi: boolean;
  /** Content of the answer arrived. A finish reason before any content may be premature. */
  readonly begun: boolean;
  /** Number of characters of call arguments. Calls are only returned when complete. */
  readonly argumentCharacters: number;
}

/** One client style: encodes requests and decodes answers, without side effects. */
export interface WireStyle {
  readonly name: ClientStyle;
  /** Headers of the style, except for authorization and content type. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the JSON body of a request. */
  encodeRequest(request: ChatRequest): Readonly<Record<string, unknown>>;
  createStreamDecoder(): StreamDecoder;
  /**
   * Decodes a complete (not streamed) answer that was parsed from JSON. The last part is a `finish` or an `error`.
   * Returns an empty list if the body is not an answer of this style.
   */
  decodeAnswer(body: unknown): readonly StreamPart[];
}

/** Why a stream of server-sent events is unreadable: an event is not JSON, or exceeds the buffer. */
export type UnreadableReason = "event" | "too-large";

/** Thrown by the event parser and the stream decoders. `excerpt` is the service's own text, not redacted. */
export class UnreadableStreamError extends Error {
  readonly reason: UnreadableReason;
  /** The first 200 characters of the event. */
  readonly excerpt: string;

  constructor(reason: UnreadableReason, text: string) {
    super(`The event stream cannot be read (${reason}).`);
    this.name = "UnreadableStreamError";
    this.reason = reason;
    this.excerpt = text.slice(0, 200);
  }
}
