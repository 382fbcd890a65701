import type { InferenceError } from "../../client/failure/failure.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import type { Message, StreamPart } from "../../protocol/conversation/conversation.ts";
import type { TakenKinds } from "./buildMessages.ts";
import type { ModelLimits } from "./contextWindow.ts";
import type { Price } from "../transcript/usage.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { AnswerTools } from "../agent/answerTools.ts";
import type { AnswerTurn, ChatSelection, SettledState } from "../transcript/transcript.ts";

/** The connection, model and client style for one answer, instead of the chat's own. */
export interface ChatTargetChoice {
  /** Name of the connection. */
  readonly connection: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
}

/** Callbacks while a request is running. */
interface StreamListener {
  /** Called with the parts of one network read. */
  readonly onParts: (parts: readonly StreamPart[]) => void;
  /** Called for the headers and for each network read, even if the read contains no part. */
  readonly onActivity: () => void;
  /** Called with a field of the effort or of the user's settings that the service has just refused. */
  readonly onRefusedField: (field: string) => void;
}

/** The service and model that will answer. Fixed when a question is sent. */
export interface ChatTarget {
  readonly connection: string;
  /** Whether the connection has given this answer, under any name. */
  readonly hasGiven: (answer: AnswerTurn) => boolean;
  /** The origin of the connection's base URL. Absent if the base URL is invalid. */
  readonly origin?: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  /** The chat's own selection, stored with the chat when the answer starts. Absent outside of chats. */
  readonly selection?: ChatSelection;
  /** Whether this is a choice for one answer that differs from the chat's own selection. */
  readonly isOneTime?: boolean;
  readonly price?: Price;
  /** The model's limits. Without them, the whole conversation is sent. */
  readonly room?: ModelLimits;
  /** The kinds of files that the model is known to take now. A test during the answer can change them. */
  readonly taken: () => TakenKinds;
  /** The tools that the answer may use. Absent in Ask mode. */
  readonly tools?: AnswerTools;
  /**
   * Sends the conversation; called again for each retry. Rejects with `InferenceError`. Resolves if the signal aborts.
   */
  readonly answer: (
    messages: readonly Message[],
    signal: AbortSignal,
    listener: StreamListener,
  ) => Promise<void>;
  readonly diagnose: (error: InferenceError) => Promise<Diagnosis>;
  /** Called when the answer has ended. */
  readonly onSettled: (state: SettledState) => void;
  /** Seconds without data before the chat shows a notice; 0 for never. */
  readonly stallSeconds: number;
}
