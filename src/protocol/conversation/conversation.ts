/**
 * The words of a conversation, the same for both client styles and for every hop from the wire
 * to the screen.
 */

export type Role = "system" | "user" | "assistant";

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

interface ImagePart {
  readonly type: "image";
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

/** What a model wants a tool to be called with. A text that is no JSON object is kept as it came. */
export type ToolArguments =
  | { readonly kind: "object"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "invalid"; readonly text: string };

/** A call of a tool, as the model made it and as it goes back with the conversation. */
export interface ToolCall {
  readonly type: "tool-call";
  /** The server's; made up where it gave none. */
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

/** Members of a chat-completions message that hold reasoning as a text, or as a list of objects. */
export type ReasoningTextField = "reasoning_content" | "reasoning";
export type ReasoningListField = "reasoning_details" | "thinking_blocks";

/**
 * Reasoning as the service gave it. It goes back unchanged beside the tool calls of its turn, and only to the
 * connection, model and client style that it came from.
 */
export type ReasoningPart =
  /** Chat completions: a member of the message, under the name that it came by. */
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
  /** Chat completions: `extra_content` of a call, which signs what was thought ahead of it. */
  | {
      readonly type: "reasoning";
      readonly form: "call";
      readonly callId: string;
      readonly extra: Readonly<Record<string, unknown>>;
    }
  /** Messages: a block. Its signature, if the service gave one, holds for this text only. */
  | {
      readonly type: "reasoning";
      readonly form: "thinking";
      readonly text: string;
      readonly signature?: string;
    }
  /** Messages: a block that only the service can read. */
  | { readonly type: "reasoning"; readonly form: "redacted"; readonly data: string };

export type ContentPart = TextPart | ImagePart | ToolCall | ToolResult | ReasoningPart;

/** System messages hold text only, tool calls and reasoning stand in the assistant's, tool results in the user's. */
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

/** `required`: the model has to call a tool, and chooses which. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** How a model picks its words; the server's own choice where absent. Each style sends what it has. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  /** Texts at which the answer ends. */
  readonly stop?: readonly string[];
}

/** One request for an answer. */
export interface ChatRequest {
  readonly model: string;
  /** At least one; the last one is the user's. */
  readonly messages: readonly Message[];
  /** Cap on generated tokens, at least 1 (specification, section 4.2). */
  readonly maxTokens: number;
  /** Whether the answer is asked for piece by piece. A server may still send it whole. */
  readonly stream: boolean;
  readonly tools?: readonly Tool[];
  /** The server's own choice where absent. */
  readonly toolChoice?: ToolChoice;
  readonly sampling?: Sampling;
  /**
   * Fields of the wire, such as `tools`, without which the answer would be worthless: where the server
   * refuses them the request fails, and is not sent again without them.
   */
  readonly required?: readonly string[];
}

/** Tokens as the service counted them; a field it did not report is absent. */
export interface Usage {
  /** All of the request, whether or not a cache held it. */
  readonly inputTokens?: number;
  /** Of the input, what came from the service's cache, and what went into it; absent where nothing did. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
}

/** Why an answer ended. `other` is a reason this client has no word for. */
export type StopReason = "stop" | "length" | "tool-calls" | "content-filter" | "other";

/** What a body says went wrong, whatever its shape. All texts are the server's, unredacted. */
export interface ErrorBody {
  readonly type?: string;
  readonly code?: string;
  readonly message?: string;
  /** The request field the server objects to. */
  readonly param?: string;
  /** A status the body names, where it differs from or replaces that of the answer. */
  readonly status?: number;
  readonly requestId?: string;
  /** Milliseconds the body asks to wait. */
  readonly retryAfterMs?: number;
}

/** Everything an answer consists of, whichever client style it came by. */
export type StreamPart =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** Whole, behind the deltas that showed its text. Chat completions tell it only if a tool is called. */
  | ReasoningPart
  /** Whole, joined from the pieces it was streamed in. */
  | ToolCall
  /** Replaces all usage reported before. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** A request ID found in the body; one in the headers has precedence. */
  | { readonly type: "request-id"; readonly requestId: string }
  /**
   * `wireReason` is the server's own word, e.g. `end_turn`; empty where it gave none.
   * `explanation` is what it says about a refusal, unredacted. The last finish of a stream counts.
   */
  | {
      readonly type: "finish";
      readonly reason: StopReason;
      readonly wireReason: string;
      readonly explanation?: string;
    }
  /** The server reported an error inside a success answer; nothing after it heals it. */
  | { readonly type: "error"; readonly error: ErrorBody };

/** Whether a part is a piece of text or reasoning, which is what nearly every event holds. */
export function isDelta(
  part: StreamPart,
): part is Extract<StreamPart, { type: "text-delta" | "reasoning-delta" }> {
  return part.type === "text-delta" || part.type === "reasoning-delta";
}
