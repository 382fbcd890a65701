/** Types of a conversation, shared by both client styles and all layers from the wire to the UI. */

export type Role = "system" | "user" | "assistant";

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

interface ImagePart {
  readonly type: "image";
  /** Media type, such as `image/png`. */
  readonly mediaType: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

interface PdfPart {
  readonly type: "pdf";
  /** The file's name, which the model sees. */
  readonly name: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

/** Arguments of a tool call by the model. A text that is not a JSON object is stored unchanged. */
export type ToolArguments =
  | { readonly kind: "object"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "invalid"; readonly text: string };

/** A tool call by the model. It is sent back unchanged with the conversation. */
export interface ToolCall {
  readonly type: "tool-call";
  /** The ID from the service, or a generated one. */
  readonly id: string;
  readonly name: string;
  readonly arguments: ToolArguments;
}

export interface ToolResult {
  readonly type: "tool-result";
  readonly callId: string;
  readonly text: string;
  readonly isError?: boolean;
}

/** Members of a Chat Completions message with reasoning as text, or as a list of objects. */
export type ReasoningTextField = "reasoning_content" | "reasoning";
export type ReasoningListField = "reasoning_details" | "thinking_blocks";

/**
 * Reasoning from the service. It is sent back unchanged with the tool calls of its turn. It is only sent to the
 * connection, origin, model and client style that it came from.
 */
export type ReasoningPart =
  /** Chat Completions: a member of the message, with its original name. */
  | {
      readonly type: "reasoning";
      readonly form: "text";
      readonly field: ReasoningTextField;
      readonly text: string;
    }
  | {
      readonly type: "reasoning";
      readonly form: "list";
      readonly field: ReasoningListField;
      readonly items: readonly Readonly<Record<string, unknown>>[];
    }
  /** Chat Completions: `extra_content` of a call, which signs the preceding reasoning. */
  | {
      readonly type: "reasoning";
      readonly form: "call";
      readonly callId: string;
      readonly extra: Readonly<Record<string, unknown>>;
    }
  /** Messages: a block. An optional signature is valid for exactly this text. */
  | {
      readonly type: "reasoning";
      readonly form: "thinking";
      readonly text: string;
      readonly signature?: string;
    }
  /** Messages: an encrypted block that only the service can read. */
  | { readonly type: "reasoning"; readonly form: "redacted"; readonly data: string };

export type ContentPart = TextPart | ImagePart | PdfPart | ToolCall | ToolResult | ReasoningPart;

/**
 * System messages contain only text. Tool calls and reasoning occur only in messages of the assistant, tool results
 * only in messages of the user.
 */
export interface Message {
  readonly role: Role;
  readonly content: readonly ContentPart[];
}

/** A tool offered to the model. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** `required`: the model must call a tool of its choice. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** Sampling options. Absent ones are left to the service. Each style sends the options that it supports. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  /** Texts that end the answer. */
  readonly stop?: readonly string[];
}

/** How much the model reasons before it answers. Each style sends the member that it has a field for. */
export interface Effort {
  /** For Chat Completions. */
  readonly level?: "low" | "medium" | "high";
  /** For Messages: maximum tokens of reasoning, at least 1,024. */
  readonly budgetTokens?: number;
}

/** One request for an answer. */
export interface ChatRequest {
  readonly model: string;
  /** At least one message; the last one is from the user. */
  readonly messages: readonly Message[];
  /** Token limit of the answer, at least 1 (specification, section 4.2). */
  readonly maxTokens: number;
  /** Whether to request a streamed answer. The service may still send a complete one. */
  readonly stream: boolean;
  readonly tools?: readonly Tool[];
  /** Left to the service if absent. */
  readonly toolChoice?: ToolChoice;
  readonly sampling?: Sampling;
  /** Left to the service if absent. */
  readonly effort?: Effort;
  /** Further wire fields from the user's settings. They never replace another field of the request. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /**
   * Wire fields, such as `tools`, that the answer depends on. If the service rejects one, the request fails and is not
   * retried without the field.
   */
  readonly required?: readonly string[];
}

/** Token counts from the service; unreported ones are absent. */
export interface Usage {
  /** All tokens of the request, cached or not. */
  readonly inputTokens?: number;
  /** Input tokens read from the service's cache, and written to it; absent if zero. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly outputTokens?: number;
  /** Output tokens of reasoning; absent if zero. */
  readonly reasoningTokens?: number;
  readonly totalTokens?: number;
}

/** Why an answer ended. `other` stands for unknown reasons. */
export type StopReason = "stop" | "length" | "tool-calls" | "content-filter" | "other";

/** The error in a body of any shape. All texts are the service's own, not redacted. */
export interface ErrorBody {
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
  /** The request field that the service rejects. */
  readonly param?: string;
  /** The 4xx or 5xx status in the body. It may differ from the HTTP status. */
  readonly status?: number;
  readonly requestId?: string;
  /** Milliseconds to wait before a retry. */
  readonly retryAfterMs?: number;
}

/** A part of an answer, in any client style. */
export type StreamPart =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** Complete reasoning, after the deltas with its text. Chat Completions only reports it if a tool is called. */
  | ReasoningPart
  /** A complete call, assembled from its streamed pieces. */
  | ToolCall
  /** Replaces all earlier usage. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** A request ID from the body. One in the headers takes precedence. */
  | { readonly type: "request-id"; readonly requestId: string }
  /**
   * `wireReason` is the service's own word, such as `end_turn`, or empty. `explanation` is its text about a refusal,
   * not redacted. The last finish of a stream counts.
   */
  | {
      readonly type: "finish";
      readonly reason: StopReason;
      readonly wireReason: string;
      readonly explanation?: string;
    }
  /** An error inside a successful answer. Later parts do not undo it. */
  | { readonly type: "error"; readonly error: ErrorBody };

/** Whether a part is a delta of text or reasoning, as in nearly every event. */
export function isDelta(
  part: StreamPart,
): part is Extract<StreamPart, { type: "text-delta" | "reasoning-delta" }> {
  return part.type === "text-delta" || part.type === "reasoning-delta";
}
