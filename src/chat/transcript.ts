import type { Diagnosis } from "../connection/diagnosis.ts";
import type { StopReason, Usage } from "../protocol/conversation.ts";
import type { ClientStyle } from "../protocol/wireStyle.ts";

/**
 * A conversation as a tree: an edited question and a retried answer are further children of the
 * same parent, so nothing that was read is lost. `leafId` names the branch on the screen.
 */
export interface Transcript {
  /** Settled turns in the order they were made. */
  readonly turns: readonly Turn[];
  /** The answer that is arriving; kept apart so that a token costs the same in a long chat. */
  readonly arriving: AnswerTurn | null;
  /** Last turn of the branch on the screen; the arriving answer's id while one arrives. */
  readonly leafId: string | null;
}

export interface QuestionTurn {
  readonly kind: "question";
  readonly id: string;
  readonly parentId: string | null;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface AnswerTurn {
  readonly kind: "answer";
  readonly id: string;
  /** The question it answers. */
  readonly parentId: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: AnswerState;
  readonly connection: string;
  readonly model: string;
  readonly clientStyle: ClientStyle;
  readonly at: string;
  readonly usage?: Usage;
  readonly requestId?: string;
}

export type Turn = QuestionTurn | AnswerTurn;

export type AnswerState =
  /** Asked, no byte of the answer yet. */
  | { readonly kind: "waiting" }
  | { readonly kind: "streaming" }
  | { readonly kind: "complete"; readonly reason: StopReason }
  /** Stopped by the user; never a failure. */
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly diagnosis: Diagnosis };

export type SettledState = Exclude<AnswerState, { kind: "waiting" | "streaming" }>;

export type TranscriptEvent =
  | { readonly type: "question-asked"; readonly turn: QuestionTurn }
  /** The turn's state is `waiting` and its text empty. */
  | { readonly type: "answer-started"; readonly turn: AnswerTurn }
  /** These five speak of the arriving answer. */
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "request-id"; readonly requestId: string }
  | { readonly type: "answer-ended"; readonly state: SettledState }
  /** Show the branch that holds this turn, down to its newest end. */
  | { readonly type: "version-selected"; readonly turnId: string };
