/** A request for an answer, read from the body of either style. */
export interface Ask {
  readonly model: string;
  /** At least one. */
  readonly messages: readonly AskMessage[];
  /** Cap on generated tokens, at least 1; absent means none. */
  readonly maxTokens: number | undefined;
  readonly stream: boolean;
  /** Whether a stream of the chat-completions style ends with a chunk that carries usage. */
  readonly includeUsage: boolean;
}

export interface AskMessage {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type GenerationPart =
  | { readonly type: "piece"; readonly text: string }
  /** The last part. `usage` only where the source counts by a rule of its own. */
  | { readonly type: "end"; readonly stopReason: "stop" | "length"; readonly usage?: TokenUsage };

/** Where answers come from. */
export interface AnswerSource {
  /** Resolves once an answer is certain to begin; rejects with a `Refusal` otherwise. */
  open(ask: Ask, signal: AbortSignal): Promise<AsyncIterable<GenerationPart>>;
}
