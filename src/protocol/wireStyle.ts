import type { ChatRequest, StreamPart } from "./conversation.ts";

/** How a client speaks to the service (specification, section 1). */
export type ClientStyle = "chat-completions" | "messages";

export const clientStyles: readonly ClientStyle[] = ["chat-completions", "messages"];

/** Reads one streamed answer. Holds all state of that stream; never shared between two. */
export interface StreamDecoder {
  /**
   * Takes the data of one server-sent event and its name, where it has one; returns what it says,
   * in order.
   * @throws UnreadableStreamError where the data is neither JSON nor a known marker
   */
  decode(data: string, event?: string): readonly StreamPart[];
  /** True once the style's own end was seen: a finish reason, `[DONE]`, `message_stop`. */
  readonly ended: boolean;
}

/** One client style: what it sends and how its answers read. Pure. */
export interface WireStyle {
  readonly name: ClientStyle;
  /** Headers of the style beyond authorization and content type. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body of a request. */
  encodeRequest(request: ChatRequest): Readonly<Record<string, unknown>>;
  createStreamDecoder(): StreamDecoder;
  /**
   * Reads a whole (not streamed) answer that was parsed from JSON. Ends in a `finish` or an `error`
   * part; empty where the body is no answer of this style.
   */
  decodeAnswer(body: unknown): readonly StreamPart[];
}
