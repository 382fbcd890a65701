import type { Translate } from "../../text/translate.ts";
import type { ChatRequest, StreamPart } from "./conversation.ts";

/** How a client speaks to the service (specification, section 1). The first is that of connections that name none. */
export const clientStyles = ["chat-completions", "messages"] as const;
export type ClientStyle = (typeof clientStyles)[number];
export const [defaultClientStyle] = clientStyles;

/** What is asked of a style without its codec, which is loaded when something is sent. */
interface StyleFacts {
  /** The path of its endpoint, behind `/v1` of the base address (specification, section 1). */
  readonly endpoint: `/${string}`;
  readonly title: (t: Translate) => string;
  /** The step of the connection check that makes its request: the id of the public interface, and its name. */
  readonly checkStep: string;
  readonly checkStepTitle: (t: Translate) => string;
}

export const styleFacts = {
  "chat-completions": {
    endpoint: "/chat/completions",
    title: (t) => t("Chat Completions"),
    checkStep: "completion",
    checkStepTitle: (t) => t("Completion"),
  },
  messages: {
    endpoint: "/messages",
    title: (t) => t("Messages"),
    checkStep: "message",
    checkStepTitle: (t) => t("Message"),
  },
} as const satisfies Readonly<Record<ClientStyle, StyleFacts>>;

/** Reads one streamed answer. Holds all state of that stream; never shared between two. */
export interface StreamDecoder {
  /**
   * Takes the data of one server-sent event and its name, where it has one; returns what it says,
   * in order.
   * @throws UnreadableStreamError where the data is neither JSON nor a known marker
   */
  decode(data: string, event?: string): readonly StreamPart[];
  /** The body is over where the answer is finished: returns what was held until then. */
  close(): readonly StreamPart[];
  /** A reason to finish came, and nothing of the answer behind it: where the body is over, the answer is whole. */
  readonly finished: boolean;
  /** The style's own end came, `[DONE]` or `message_stop`: what comes behind it is none of the answer. */
  readonly ended: boolean;
  /** Nothing more is to be waited for. Of a service that went on behind a reason to finish, only its own end says so. */
  readonly isOver: boolean;
  /** Events of the other client style have come. */
  readonly sawOtherStyle: boolean;
  /** Events of an API of another kind have come. */
  readonly sawOtherApi: boolean;
  /** Something of the answer has come: a reason to finish ahead of all else may be none yet. */
  readonly begun: boolean;
  /** Characters of the arguments of calls, which are told of once a call is whole. */
  readonly argumentCharacters: number;
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

/** Why a stream of server-sent events cannot be read on: an event that is no JSON, or more than is held. */
export type UnreadableReason = "event" | "too-large";

/** Thrown by the event parser and the stream decoders. `excerpt` is the server's, unredacted. */
export class UnreadableStreamError extends Error {
  readonly reason: UnreadableReason;
  /** First characters of the event, at most 200. */
  readonly excerpt: string;

  constructor(reason: UnreadableReason, text: string) {
    super(`The event stream cannot be read (${reason}).`);
    this.name = "UnreadableStreamError";
    this.reason = reason;
    this.excerpt = text.slice(0, 200);
  }
}
