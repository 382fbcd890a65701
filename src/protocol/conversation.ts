/**
 * The words of a conversation, the same for both client styles and for every hop from the wire
 * to the screen.
 */

export type Role = "system" | "user" | "assistant";

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

type ContentPart = TextPart;

export interface Message {
  readonly role: Role;
  readonly content: readonly ContentPart[];
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
}

/** Tokens as the service counted them; a field it did not report is absent. */
export interface Usage {
  readonly inputTokens?: number;
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
