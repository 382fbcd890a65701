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
  readonly tools: readonly AskTool[];
  /** `required`: any tool, but a tool. Else the name of one. */
  readonly toolChoice: "auto" | "none" | "required" | { readonly name: string };
}

export interface AskMessage {
  /** `tool`: what a tool came to, which the messages style has in the user's messages. */
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly images: readonly Buffer[];
  /** Ids of the tools' calls that the message holds. */
  readonly calls?: readonly string[];
  /** Id of the call whose result the message is. */
  readonly resultOf?: string;
}

export interface AskTool {
  readonly name: string;
  /** The members that the tool's schema names, with their types. */
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
  /** What the model thinks; a redacted part of it is encrypted where the style has a form for that. */
  | { readonly type: "reasoning"; readonly text: string; readonly isRedacted?: boolean }
  /** In place of the end: the connection breaks. */
  | { readonly type: "cut" }
  /** The last part. `usage` only where the source counts by a rule of its own. */
  | { readonly type: "end"; readonly stopReason: StopReason; readonly usage?: TokenUsage };

/** What an answer consists of, in its order. */
export type AnswerItem =
  | { readonly type: "text"; readonly text: string }
  | ({ readonly type: "tool-call" } & AnswerCall)
  | { readonly type: "reasoning"; readonly text: string; readonly signature: string }
  | { readonly type: "redacted"; readonly data: string };

/** Where answers come from. */
export interface AnswerSource {
  /** Resolves once an answer is certain to begin; rejects with a `Refusal` otherwise. */
  open(ask: Ask, signal: AbortSignal): Promise<AsyncIterable<GenerationPart>>;
}
