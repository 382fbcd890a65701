import { type AnswerPart, partsOf } from "../../transcript/steps.ts";
import type {
  AnswerTurn,
  Transcript,
  SettledState,
  TranscriptEvent,
  Turn,
} from "../../transcript/transcript.ts";
import { reportedUsage } from "../../transcript/usage.ts";
import * as v from "valibot";
import { parseJson } from "../../../protocol/conversation/json.ts";
import { maxTitleLength } from "../log/conversationRecord.ts";
import { timeSchema, settledTurnSchema } from "../../transcript/transcriptSchema.ts";

/** A conversation to export or import. */
export interface PortableConversation {
  readonly title: string | null;
  readonly pinned: boolean;
  /** ISO 8601; null if unknown. */
  readonly createdAt: string | null;
  readonly transcript: Transcript;
}

export type ConversationFormat = "json" | "markdown";

/** Removes the reasoning of all answers. An export includes it only on request. */
export function withoutReasoning(conversation: PortableConversation): PortableConversation {
  const { transcript } = conversation;
  const turns = transcript.turns.map((turn) =>
    turn.kind === "answer" ? answerWithoutReasoning(turn) : turn,
  );
  return { ...conversation, transcript: { ...transcript, turns } };
}

function answerWithoutReasoning(turn: AnswerTurn): AnswerTurn {
  const { steps, ...answer } = turn;
  const bare = steps?.map((step) => ({ ...step, reasoningEnd: 0, outline: [] }));
  return { ...answer, reasoning: "", ...(bare === undefined ? {} : { steps: bare }) };
}

const format = "inference-chat-conversation";
const maxTurns = 8000;

const schema = v.object({
  format: v.literal(format),
  version: v.literal(1),
  title: v.nullable(v.pipe(v.string(), v.maxLength(maxTitleLength))),
  pinned: v.boolean(),
  createdAt: v.nullable(timeSchema),
  leafId: v.nullable(v.pipe(v.string(), v.maxLength(64))),
  turns: v.pipe(v.array(settledTurnSchema), v.maxLength(maxTurns)),
});

/** Exports the whole conversation, with every version of its questions and answers. */
export function convertConversationToJson(conversation: PortableConversation): string {
  const { title, pinned, createdAt, transcript } = conversation;
  const { turns, leafId } = transcript;
  return `${JSON.stringify({ format, version: 1, title, pinned, createdAt, leafId, turns }, undefined, 2)}\n`;
}

/** Returns undefined if the text is not an exported conversation. */
export function convertJsonToConversation(text: string): PortableConversation | undefined {
  const parsed = v.safeParse(schema, parseJson(text));
  if (!parsed.success) return undefined;
  const { title, pinned, createdAt, turns, leafId } = parsed.output;
  return { title, pinned, createdAt, transcript: { turns, arriving: null, leafId } };
}

/** Converts turns to events, so that an imported conversation is stored like any other. */
export function convertTurnsToEvents(
  turns: readonly Turn[],
  leafId: string | null,
): readonly TranscriptEvent[] {
  const events = turns.flatMap(convertTurn);
  return leafId === null ? events : [...events, { type: "version-selected", turnId: leafId }];
}

function convertTurn(turn: Turn): readonly TranscriptEvent[] {
  if (turn.kind === "question") return [{ type: "question-asked", turn }];
  const { text: _, reasoning: _reasoning, steps: _steps, earlierUsage: _earlier, ...rest } = turn;
  const { state, usage, requestId, changes, ...started } = rest;
  const events: TranscriptEvent[] = [
    { type: "answer-started", turn: { ...started, text: "", reasoning: "", state: { kind: "waiting" } } },
  ];
  events.push(...partsOf(turn).flatMap(convertPart));
  // Without counts of its steps, all usage of the answer counts as that of the last request.
  const hasCounts = turn.steps?.some((step) => step.usage !== undefined) === true;
  const last = hasCounts ? reportedUsage(turn) : usage;
  if (last !== undefined) events.push({ type: "usage", usage: last });
  if (requestId !== undefined) events.push({ type: "request-id", requestId });
  events.push({ type: "answer-ended", state: settle(state) });
  return changes === undefined
    ? events
    : [...events, { type: "changes-settled", turnId: turn.id, state: changes }];
}

function convertPart({ text, reasoning, step }: AnswerPart): readonly TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  if (reasoning !== "") events.push({ type: "reasoning-delta", text: reasoning });
  if (text !== "") events.push({ type: "text-delta", text });
  if (step === undefined) return events;
  if (step.usage !== undefined) events.push({ type: "usage", usage: step.usage });
  const calls = step.calls.map(({ state: _state, ...call }) => ({ type: "tool-call" as const, ...call }));
  events.push({ type: "step-ended", calls, outline: step.outline });
  for (const [call, { state }] of step.calls.entries()) {
    if (state.kind === "settled") events.push({ type: "call-settled", call, result: state.result });
  }
  for (const message of step.messages ?? []) events.push({ type: "message-added", message });
  return events;
}

function settle(state: Extract<Turn, { kind: "answer" }>["state"]): SettledState {
  switch (state.kind) {
    case "waiting":
    case "streaming":
    case "retrying":
    case "working":
    case "paused":
      return { kind: "interrupted" };
    case "complete":
    case "stopped":
    case "interrupted":
    case "failed":
      return state;
  }
}
