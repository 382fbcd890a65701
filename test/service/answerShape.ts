import type { AnswerCall, AnswerItem, Ask, StopReason, TokenUsage } from "./generation.ts";
import type { Refusal } from "./errorAnswers.ts";
import type { CachedTokens } from "./promptCache.ts";

/** The data that all parts of one answer share. */
export interface AnswerHead {
  readonly requestId: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly ask: Ask;
  /** Tokens of the request, counted by the service's own rule. */
  readonly inputTokens: number;
  /** Input tokens read from the cache and written to it; absent if the request does not use the cache. */
  readonly cached?: CachedTokens;
}

export interface AnswerEnd {
  /** Absent if the service is set to give no stop reason. */
  readonly stopReason: StopReason | undefined;
  /** Absent if the service is set to report no usage. */
  readonly usage: TokenUsage | undefined;
  /** The service's explanation of the end, in addition to `stopReason`. */
  readonly remark?: string | undefined;
}

export type ReasoningItem = Extract<AnswerItem, { type: "reasoning" | "redacted" }>;

/** The wire format of answers of one client style. The streamed parts are server-sent events. */
export interface AnswerShape {
  /** Reads a request body, or throws a `Refusal`. */
  readAsk(body: unknown): Ask;
  whole(head: AnswerHead, items: readonly AnswerItem[], end: AnswerEnd): object;
  opening(head: AnswerHead): string;
  /**
   * Written before the first piece of a text; `textClosing` is written after the last piece. `block` is the content
   * block's index from 0.
   */
  textOpening(head: AnswerHead, block: number): string;
  piece(head: AnswerHead, text: string, block: number): string;
  textClosing(head: AnswerHead, block: number): string;
  reasoning(head: AnswerHead, item: ReasoningItem, block: number): string;
  /** `index` counts the answer's tool calls from 0. */
  call(head: AnswerHead, call: AnswerCall, index: number, block: number): string;
  closing(head: AnswerHead, end: AnswerEnd): string;
  /** An error after the answer began. */
  failure(head: AnswerHead, refusal: Refusal): string;
}
