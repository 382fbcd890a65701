import type { ChatRequest, Message, ContentPart } from "../../protocol/conversation/conversation.ts";
import { attachmentTraits, type Attachment } from "../transcript/attachments.ts";
import { reasoningLength } from "../../protocol/conversation/reasoning.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";

/** How many characters a model's token is long, as far as its counts have shown. */
export interface TokenRatio {
  readonly charactersPerToken: number;
  /** Counts that went into it. */
  readonly samples: number;
}

/** Usual for English prose and code, until a service has counted. */
export const usualRatio: TokenRatio = { charactersPerToken: 4, samples: 0 };

/** Below are scripts that take several tokens a character, above nothing that is known. */
export const ratioBounds = { min: 0.5, max: 16 } as const;
/** A shorter request consists of the template's tokens more than of its text's. */
const minCharacters = 200;
/** What the newest count weighs. */
const weight = 0.3;
/** What a picture of usual size costs with the models that say so. */
const imageTokens = 1600;

export function estimateTokens(characters: number, charactersPerToken: number): number {
  return Math.ceil(characters / charactersPerToken);
}

export function estimateAttachment({ kind, characters }: Attachment, charactersPerToken: number): number {
  return attachmentTraits[kind].holds === "image"
    ? imageTokens
    : estimateTokens(characters, charactersPerToken);
}

/** What a message costs beside its text. */
export const messageTokens = 4;

export function estimateMessages(messages: readonly Message[], charactersPerToken: number): number {
  return messages.reduce((sum, { content }) => {
    const said = content.filter((part) => part.type !== "image");
    const images = content.length - said.length;
    const characters = countCharacters({ messages: [{ role: "user", content: said }] }) ?? 0;
    return sum + messageTokens + images * imageTokens + estimateTokens(characters, charactersPerToken);
  }, 0);
}

/** All that a request sends, its tools included. */
export function estimateRequest(
  { messages, tools = [] }: Pick<ChatRequest, "messages" | "tools">,
  charactersPerToken: number,
): number {
  const offered = countCharacters({ messages: [], tools }) ?? 0;
  return estimateMessages(messages, charactersPerToken) + estimateTokens(offered, charactersPerToken);
}

/** The ratio after a service has counted the tokens of a request: an exponential average within bounds. */
export function recalibrate(ratio: TokenRatio, characters: number, inputTokens: number): TokenRatio {
  if (characters < minCharacters || inputTokens < 1) return ratio;
  const seen = bounded(characters / inputTokens);
  const { charactersPerToken, samples } = ratio;
  return {
    // The first count is worth more than a guess.
    charactersPerToken:
      samples === 0 ? seen : bounded(charactersPerToken + weight * (seen - charactersPerToken)),
    samples: samples + 1,
  };
}

function bounded(charactersPerToken: number): number {
  return Math.min(Math.max(charactersPerToken, ratioBounds.min), ratioBounds.max);
}

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
