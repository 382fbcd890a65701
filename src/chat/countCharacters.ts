import type { Message } from "../protocol/conversation.ts";

/** UTF-16 units of a request's texts; undefined where it holds anything else, whose tokens are no text's. */
export function countCharacters(messages: readonly Message[]): number | undefined {
  let characters = 0;
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type !== "text") return undefined;
      characters += part.text.length;
    }
  }
  return characters;
}
