import type { Transcript } from "../../transcript/transcript.ts";

/** A conversation on its way out of one storage or into another. */
export interface PortableConversation {
  readonly title: string | null;
  readonly pinned: boolean;
  /** ISO 8601; null where it is not known. */
  readonly createdAt: string | null;
  readonly transcript: Transcript;
}

export type ConversationFormat = "json" | "markdown";

/** The conversation without what was thought ahead of its answers, which goes out only if it is asked for. */
export function withoutReasoning(conversation: PortableConversation): PortableConversation {
  const { transcript } = conversation;
  const turns = transcript.turns.map((turn) => (turn.kind === "answer" ? { ...turn, reasoning: "" } : turn));
  return { ...conversation, transcript: { ...transcript, turns } };
}
