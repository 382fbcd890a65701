import type { SaidPdf } from "./fields.ts";

/** A request for an answer, read from a body of either style. */
export interface Ask {
  readonly model: string;
  /** At least one. */
  readonly messages: readonly AskMessage[];
  /** Limit on generated tokens, at least 1; absent for no limit. */
  readonly maxTokens: number | undefined;
  readonly stream: boolean;
  /** Whether a chat-completions stream ends with a chunk that carries usage. */
  readonly includeUsage: boolean;
  readonly tools: readonly AskTool[];
  /** `required`: the answer must call at least one tool. An object names the tool to call. */
  readonly toolChoice: "auto" | "none" | "required" | { readonly name: string };
  /** Whether the request has an effort: a `reasoning_effort`, or enabled `thinking`. */
  readonly thinks: boolean;
}

export interface AskMessage {
  /** `tool`: a tool's result. The messages style sends it in a user message. */
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly images: readonly Buffer[];
  readonly pdfs: readonly SaidPdf[];
  /** IDs of the tool calls in the message. */
  readonly calls?: readonly string[];
  /** ID of the tool call that the message is the result of. */
  readonly resultOf?: string;
}

export interface AskTool {
  readonly name: string;
  /** The properties in the tool's schema, with their types. */
  readonly properties: Readonly<Record<string, string>>;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

export type StopReason = "stop" | "length" | "tool-calls" | "content-filter";

export type GenerationPart =
  | { readonly type: "piece"; readonly text: string }
  | ({ readonly type: "tool-call" } & AnswerCall)
  /** The model's reasoning. Redacted reasoning is sent as opaque data, or left out if the style has no form for it. */
  | { readonly type: "reasoning"; readonly text: string; readonly isRedacted?: boolean }
  /** Comes in place of `end`: the connection breaks. */
  | { readonly type: "cut" }
  /** The last part. `usage` is present only if the source counts tokens itself. */
  | { readonly type: "end"; readonly stopReason: StopReason; readonly usage?: TokenUsage };

/** The items of an answer, in order. */
export type AnswerItem =
  | { readonly type: "text"; readonly text: string }
  | ({ readonly type: "tool-call" } & AnswerCall)
  | { readonly type: "reasoning"; readonly text: string; readonly signature: string }
  | { readonly type: "redacted"; readonly data: string };

export interface AnswerSource {
  /** Resolves when an answer is certain to begin; otherwise rejects with a `Refusal`. */
  open(ask: Ask, signal: AbortSignal): Promise<AsyncIterable<GenerationPart>>;
}
