import type { Tool, ToolCall } from "../../protocol/conversation/conversation.ts";
import type { CallReply, CallRequest, CallResult, ToolMode } from "../transcript/steps.ts";

/** The reason of a signal that aborts because the window closes or reloads. Commands go on then. */
export const windowCloses = new DOMException("window closes", "AbortError");

/** The answer that a tool runs for. */
export interface ToolRun {
  readonly answerId: string;
  /** Aborts when the user stops the answer, and with `windowCloses`. */
  readonly signal: AbortSignal;
  /** Shows a card in the chat. Resolves with the user's reply; rejects when the signal aborts. */
  readonly ask: (request: CallRequest) => Promise<CallReply>;
  /** Shows the end of the output so far. The latest text replaces the one before. */
  readonly showOutput: (output: string) => void;
  /** Aborts when the user wants the answer to go on without waiting for the call. */
  readonly background: AbortSignal;
}

/** The tools of one answer, and the limits of its requests. */
export interface AnswerTools {
  readonly mode: ToolMode;
  /** Offered to the model in the next request. Read it for each request, because tools of others come and go. */
  readonly offered: readonly Tool[];
  /** System text that explains the mode to the model. */
  readonly instructions: string;
  /** Requests until the user is asked. */
  readonly maxRequests: number;
  /** Runs one call. Rejects only when the signal aborts: every failure is a result. */
  readonly run: (call: ToolCall, run: ToolRun) => Promise<CallResult>;
  /** Asks the user if the next request exceeds a token cap. False if nothing more may be sent. */
  readonly maySend: () => Promise<boolean>;
}
