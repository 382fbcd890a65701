import type { AnswerCall, AnswerItem, Ask, StopReason, TokenUsage } from "./generation.ts";
import type { Refusal } from "./errorAnswers.ts";
import type { CachedTokens } from "./promptCache.ts";

/** What all parts of one answer have in common. */
export interface AnswerHead {
  readonly requestId: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly ask: Ask;
  /** Tokens of the request, by the service's own rule. */
  readonly inputTokens: number;
  /** Of them, what a cache gave and took; absent where the request marks nothing. */
  readonly cached?: CachedTokens;
}

export interface AnswerEnd {
  /** Absent where the service is told to name none. */
  readonly stopReason: StopReason | undefined;
  /** Absent where the service is told to report none. */
  readonly usage: TokenUsage | undefined;
  /** What the service says of the end beside its reason: why it would not go on, or why it stopped. */
  readonly remark?: string | undefined;
}

export type ReasoningItem = Extract<AnswerItem, { type: "reasoning" | "redacted" }>;

/** How answers of one client style read on the wire. The streamed parts are server-sent events. */
export interface AnswerShape {
  /** Reads a request body, or throws a refusal. */
  readAsk(body: unknown): Ask;
  whole(head: AnswerHead, items: readonly AnswerItem[], end: AnswerEnd): object;
  opening(head: AnswerHead): string;
  /** Ahead of the first piece of a text, and after its last. `block` counts what the answer consists of from 0. */
  textOpening(head: AnswerHead, block: number): string;
  piece(head: AnswerHead, text: string, block: number): string;
  textClosing(head: AnswerHead, block: number): string;
  reasoning(head: AnswerHead, item: ReasoningItem, block: number): string;
  /** `index` counts the answer's calls from 0. */
  call(head: AnswerHead, call: AnswerCall, index: number, block: number): string;
  closing(head: AnswerHead, end: AnswerEnd): string;
  /** What goes wrong after the answer began. */
  failure(head: AnswerHead, refusal: Refusal): string;
}
