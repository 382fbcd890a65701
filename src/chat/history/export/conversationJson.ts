import * as v from "valibot";
import { parseJson } from "../../../protocol/conversation/json.ts";
import { longestTitle } from "../log/conversationRecord.ts";
import type { PortableConversation } from "./portableConversation.ts";
import { timeSchema, settledTurnSchema } from "../../transcript/transcriptSchema.ts";

const format = "inference-chat-conversation";
const mostTurns = 8000;

const schema = v.object({
  format: v.literal(format),
  version: v.literal(1),
  title: v.nullable(v.pipe(v.string(), v.maxLength(longestTitle))),
  pinned: v.boolean(),
  createdAt: v.nullable(timeSchema),
  leafId: v.nullable(v.pipe(v.string(), v.maxLength(64))),
  turns: v.pipe(v.array(settledTurnSchema), v.maxLength(mostTurns)),
});

/** All of a conversation, with every version of its questions and answers. */
export function convertConversationToJson(conversation: PortableConversation): string {
  const { title, pinned, createdAt, transcript } = conversation;
  const { turns, leafId } = transcript;
  return `${JSON.stringify({ format, version: 1, title, pinned, createdAt, leafId, turns }, undefined, 2)}\n`;
}

/** Undefined where the text is no exported conversation. */
export function convertJsonToConversation(text: string): PortableConversation | undefined {
  const parsed = v.safeParse(schema, parseJson(text));
  if (!parsed.success) return undefined;
  const { title, pinned, createdAt, turns, leafId } = parsed.output;
  return { title, pinned, createdAt, transcript: { turns, arriving: null, leafId } };
}
