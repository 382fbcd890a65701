import type { Message } from "../conversation/conversation.ts";

/** The text of a message, as the plain string that both styles take (specification, section 2). */
export function convertContent(message: Message): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
