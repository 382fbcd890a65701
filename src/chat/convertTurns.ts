import type { Message, Role } from "../protocol/conversation.ts";
import type { Turn } from "./transcript.ts";

/**
 * The turns of one branch as the messages of a request. An answer without text is left out, and
 * neighbours of one role are joined, since the messages style takes turns only alternating.
 */
export function convertTurns(turns: readonly Turn[]): readonly Message[] {
  const texts: { role: Role; text: string }[] = [];
  for (const { kind, text } of turns) {
    if (text === "") continue;
    const role = kind === "question" ? "user" : "assistant";
    const last = texts.at(-1);
    if (last?.role === role) last.text += `\n\n${text}`;
    else texts.push({ role, text });
  }
  return texts.map(({ role, text }) => ({ role, content: [{ type: "text", text }] }));
}
