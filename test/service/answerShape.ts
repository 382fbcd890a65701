import type { Ask, TokenUsage } from "./generation.ts";
import type { Refusal } from "./errorAnswers.ts";

/** What all parts of one answer have in common. */
export interface AnswerHead {
  readonly requestId: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly ask: Ask;
  /** Tokens of the request, by the service's own rule. */
  readonly inputTokens: number;
}

export interface AnswerEnd {
  readonly stopReason: "stop" | "length";
  readonly usage: TokenUsage;
}

/** How answers of one client style read on the wire. The streamed parts are server-sent events. */
export interface AnswerShape {
  /** Reads a request body, or throws a refusal. */
  readAsk(body: unknown): Ask;
  whole(head: AnswerHead, text: string, end: AnswerEnd): object;
  opening(head: AnswerHead): string;
  piece(head: AnswerHead, text: string): string;
  closing(head: AnswerHead, end: AnswerEnd): string;
  /** What goes wrong after the answer began. */
  failure(head: AnswerHead, refusal: Refusal): string;
}
