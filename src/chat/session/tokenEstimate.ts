import type { ChatRequest, Message, ContentPart } from "../../protocol/conversation/conversation.ts";
import { attachmentTraits, type Attachment } from "../transcript/attachments.ts";
import {
  type AnswerStep,
  charactersOfMessages,
  charactersOfSteps,
  imagesInMessages,
  imagesInSteps,
  type QueuedMessage,
} from "../transcript/steps.ts";
import { reasoningLength } from "../../protocol/conversation/reasoning.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";

/** The average length of a model's token, learned from the service's counts. */
export interface TokenRatio {
  readonly charactersPerToken: number;
  /** Number of counts so far. */
  readonly samples: number;
}

/** Usual for English prose and code, until a service has counted. */
export const usualRatio: TokenRatio = { charactersPerToken: 4, samples: 0 };

/** Some scripts need two tokens per character. No known tokenizer exceeds the maximum. */
export const ratioBounds = { min: 0.5, max: 16 } as const;
/** Minimum length of a request that updates the ratio. In a shorter one, most tokens belong to the template. */
const minCharacters = 200;
/** Weight of the newest count. */
const weight = 0.3;
/** Tokens of an image of usual size, as some models document it. */
const imageTokens = 1600;

export function estimateTokens(characters: number, charactersPerToken: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** A PDF file counts as 0. Its tokens depend on its pages, which may be compressed, and on the service. */
export function estimateAttachment({ kind, characters }: Attachment, charactersPerToken: number): number {
  return attachmentTraits[kind].holds === "image"
    ? imageTokens
    : estimateTokens(characters, charactersPerToken);
}

/** Estimates the calls, results and messages of steps, and the images of results. */
export function estimateSteps(steps: readonly AnswerStep[], charactersPerToken: number): number {
  return imagesInSteps(steps) * imageTokens + estimateTokens(charactersOfSteps(steps), charactersPerToken);
}

/** Tokens of messages that the next request adds. */
export function estimateMessagesToAdd(
  messages: readonly QueuedMessage[],
  charactersPerToken: number,
): number {
  const characters = charactersOfMessages(messages);
  return imagesInMessages(messages) * imageTokens + estimateTokens(characters, charactersPerToken);
}

/** Tokens of a message besides its text. */
export const messageTokens = 4;

export function estimateMessages(messages: readonly Message[], charactersPerToken: number): number {
  return messages.reduce((sum, { content }) => {
    const said = content.filter((part) => part.type !== "image" && part.type !== "pdf");
    const images = content.filter((part) => part.type === "image").length;
    const characters = countCharacters({ messages: [{ role: "user", content: said }] }) ?? 0;
    return sum + messageTokens + images * imageTokens + estimateTokens(characters, charactersPerToken);
  }, 0);
}

/** Estimates the tokens of a whole request, including tools. */
export function estimateRequest(
  { messages, tools = [] }: Pick<ChatRequest, "messages" | "tools">,
  charactersPerToken: number,
): number {
  const offered = countCharacters({ messages: [], tools }) ?? 0;
  return estimateMessages(messages, charactersPerToken) + estimateTokens(offered, charactersPerToken);
}

/** Updates the ratio after a service counted a request's tokens: an exponential moving average within bounds. */
export function recalibrate(ratio: TokenRatio, characters: number, inputTokens: number): TokenRatio {
  if (characters < minCharacters || inputTokens < 1) return ratio;
  const seen = bounded(characters / inputTokens);
  const { charactersPerToken, samples } = ratio;
  return {
    // The first count replaces the default.
    charactersPerToken:
      samples === 0 ? seen : bounded(charactersPerToken + weight * (seen - charactersPerToken)),
    samples: samples + 1,
  };
}

function bounded(charactersPerToken: number): number {
  return Math.min(Math.max(charactersPerToken, ratioBounds.min), ratioBounds.max);
}

/**
 * Counts the UTF-16 units of a request, including tools. Returns undefined if the request has an image or a PDF
 * file, whose tokens do not depend on text.
 */
export function countCharacters({
  messages,
  tools = [],
}: Pick<ChatRequest, "messages" | "tools">): number | undefined {
  let characters = tools.length === 0 ? 0 : JSON.stringify(tools).length;
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type === "image" || part.type === "pdf") return undefined;
      characters += charactersOf(part);
    }
  }
  return characters;
}

function charactersOf(part: Exclude<ContentPart, { type: "image" | "pdf" }>): number {
  if (part.type === "reasoning") return reasoningLength(part);
  if (part.type === "tool-call") return part.name.length + toolArgumentsText(part.arguments).length;
  return part.text.length;
}
