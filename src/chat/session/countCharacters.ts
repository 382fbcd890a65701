import type { ChatRequest, ContentPart } from "../../protocol/conversation/conversation.ts";
import { reasoningLength } from "../../protocol/conversation/reasoning.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";

/**
 * UTF-16 units of all that a request says, tools included; undefined where it holds an image, whose
 * tokens are no text's.
 */
export function countCharacters({
  messages,
  tools = [],
}: Pick<ChatRequest, "messages" | "tools">): number | undefined {
  let characters = tools.length === 0 ? 0 : JSON.stringify(tools).length;
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type === "image") return undefined;
      characters += charactersOf(part);
    }
  }
  return characters;
}

function charactersOf(part: Exclude<ContentPart, { type: "image" }>): number {
  if (part.type === "reasoning") return reasoningLength(part);
  if (part.type === "tool-call") return part.name.length + toolArgumentsText(part.arguments).length;
  return part.text.length;
}
