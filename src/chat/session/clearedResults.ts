import type { ContentPart, Message } from "../../protocol/conversation/conversation.ts";
import { estimateMessages } from "./tokenEstimate.ts";

/** When the results of tools are cleared from a request. */
export interface ResultLimit {
  /** Estimated tokens of a request above which the oldest results are cleared. */
  readonly tokens: number;
  readonly charactersPerToken: number;
}

/** Part of the room for input from which on old results are cleared. */
const clearedFrom = 0.7;
/** Results are cleared down to this part of the limit, so that not every request changes what a cache holds. */
const clearedTo = 0.7;
/** Characters of a result that is not worth to be cleared. */
const minCharacters = 200;

export const clearedResult = "(Cleared to save space. Call the tool again if you need this result.)";

const clearedImage = "(An image of a result was cleared to save space.)";

/** @param input tokens that a request may have; undefined if the context window is unknown */
export function resultLimitOf(
  input: number | undefined,
  charactersPerToken: number,
): ResultLimit | undefined {
  return input === undefined ? undefined : { tokens: input * clearedFrom, charactersPerToken };
}

/** The messages with their oldest results cleared if they exceed the limit. The newest message stays whole. */
export function clearOldResults(
  messages: readonly Message[],
  limit: ResultLimit | undefined,
): readonly Message[] {
  if (limit === undefined) return messages;
  let tokens = estimateMessages(messages, limit.charactersPerToken);
  if (tokens <= limit.tokens) return messages;
  return messages.map((message, index) => {
    if (index === messages.length - 1 || tokens <= limit.tokens * clearedTo) return message;
    const content = clearContent(message.content);
    if (content.every((part, at) => part === message.content[at])) return message;
    const cleared = { ...message, content };
    tokens -= estimateMessages([message], limit.charactersPerToken);
    tokens += estimateMessages([cleared], limit.charactersPerToken);
    return cleared;
  });
}

/** Images without a text are images of the results before them. */
function clearContent(content: readonly ContentPart[]): readonly ContentPart[] {
  const isOfResults =
    content.some(({ type }) => type === "tool-result") && content.every(({ type }) => type !== "text");
  return content
    .map(clearResult)
    .map((part) => (isOfResults && part.type === "image" ? { type: "text", text: clearedImage } : part));
}

function clearResult(part: ContentPart): ContentPart {
  return part.type === "tool-result" && part.text.length > minCharacters
    ? { ...part, text: clearedResult }
    : part;
}
