import type { SettledState, TranscriptEvent, Turn } from "../../transcript/transcript.ts";

/** The events by which these turns come about, so that an imported conversation is stored like any other. */
export function convertTurnsToEvents(
  turns: readonly Turn[],
  leafId: string | null,
): readonly TranscriptEvent[] {
  const events = turns.flatMap(convertTurn);
  return leafId === null ? events : [...events, { type: "version-selected", turnId: leafId }];
}

function convertTurn(turn: Turn): readonly TranscriptEvent[] {
  if (turn.kind === "question") return [{ type: "question-asked", turn }];
  const { text, reasoning, state, usage, requestId, ...started } = turn;
  const events: TranscriptEvent[] = [
    { type: "answer-started", turn: { ...started, text: "", reasoning: "", state: { kind: "waiting" } } },
  ];
  if (reasoning !== "") events.push({ type: "reasoning-delta", text: reasoning });
  if (text !== "") events.push({ type: "text-delta", text });
  if (usage !== undefined) events.push({ type: "usage", usage });
  if (requestId !== undefined) events.push({ type: "request-id", requestId });
  return [...events, { type: "answer-ended", state: settle(state) }];
}

function settle(state: Extract<Turn, { kind: "answer" }>["state"]): SettledState {
  switch (state.kind) {
    case "waiting":
    case "streaming":
    case "retrying":
      return { kind: "interrupted" };
    case "complete":
    case "stopped":
    case "interrupted":
    case "failed":
      return state;
  }
}
