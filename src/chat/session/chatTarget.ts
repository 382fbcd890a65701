import type { InferenceError } from "../../client/failure/failure.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import type { Message, StreamPart } from "../../protocol/conversation/conversation.ts";
import type { ModelLimits } from "./contextWindow.ts";
import type { Price } from "../transcript/usage.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { SettledState } from "../transcript/transcript.ts";

/** What a single answer is asked of, in place of what the chat uses. */
export interface ChatTargetChoice {
  readonly model: string;
  readonly clientStyle: ClientStyle;
}

/** Hears what comes of a request while it runs. */
interface StreamListener {
  /** Called with the parts of one read of the network. */
  readonly onParts: (parts: readonly StreamPart[]) => void;
  /** Called at the head and at each read, also where it holds no part. */
  readonly onActivity: () => void;
}

/** Who will answer, fixed when a question is sent. */
export interface ChatTarget {
  readonly connection: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  readonly price?: Price;
  /** What the model takes; without it everything is sent. */
  readonly room?: ModelLimits;
  /** Sends the conversation, again for each further try; throws `InferenceError`. Ends quietly when the signal aborts. */
  readonly answer: (
    messages: readonly Message[],
    signal: AbortSignal,
    listener: StreamListener,
  ) => Promise<void>;
  readonly diagnose: (error: InferenceError) => Promise<Diagnosis>;
  /** Hears how the answer ended. */
  readonly onSettled: (state: SettledState) => void;
  /** Seconds without a byte before that is said; 0 for never. */
  readonly stallSeconds: number;
}
