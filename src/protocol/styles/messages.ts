import { withCacheMarks } from "../encode/cacheMarks.ts";
import { readBlock, readContent } from "../conversation/contentParts.ts";
import { convertContent, convertMessages, convertTools } from "../encode/convertMessages.ts";
import type { ChatRequest, StreamPart } from "../conversation/conversation.ts";
import { readErrorBody, isErrorBody } from "../decode/errorBody.ts";
import { isFields, readFields, readString } from "../conversation/json.ts";
import { createMessagesDecoder, readFinish, readToolUse } from "../decode/messagesDecoder.ts";
import { convertThinking, withFittingThinking, withoutSamplingIfThinking } from "../encode/effort.ts";
import { convertMessagesSampling, withOwnFields } from "../encode/sampling.ts";
import { readThinkingBlock } from "../conversation/thinkingBlocks.ts";
import { ToolCallCollector } from "../conversation/toolCalls.ts";
import { LeadingThought, withoutThought } from "../decode/leadingThought.ts";
import { readUsage } from "../decode/usage.ts";
import type { WireStyle } from "../conversation/wireStyle.ts";

/** The Messages client style (specification, section 4.3; wire.md, "What the clients send"). */
export const messages: WireStyle = {
  name: "messages",
  headers: { "anthropic-version": "2023-06-01" },
  encodeRequest,
  createStreamDecoder: createMessagesDecoder,
  decodeAnswer,
};

/** Encodes a request. In this style, instructions are a member of the request, not a message. */
function encodeRequest(request: ChatRequest): Readonly<Record<string, unknown>> {
  const system = request.messages.filter((message) => message.role === "system").map(convertContent);
  const body = {
    model: request.model,
    max_tokens: request.maxTokens,
    ...convertMessagesSampling(request.sampling ?? {}),
    ...convertThinking(request),
    ...(system.length === 0 ? {} : { system: system.join("\n\n") }),
    messages: convertMessages(request.messages),
    ...convertTools(request),
    ...(request.stream ? { stream: true } : {}),
  };
  const own = withFittingThinking(request.fields ?? {}, request.maxTokens);
  return withCacheMarks(withoutSamplingIfThinking(withOwnFields(body, own)));
}

function decodeAnswer(body: unknown): readonly StreamPart[] {
  if (isErrorBody(body)) return [{ type: "error", error: readErrorBody(body) }];
  if (!isFields(body)) return [];
  // For an empty turn, gateways send a message without content.
  const content = body["type"] === "message" ? (body["content"] ?? []) : body["content"];
  if (!Array.isArray(content) && typeof content !== "string") return [];
  const thought = new LeadingThought();
  const parts: StreamPart[] = [...withoutThought(readBlocks(content), thought), ...thought.close()];
  const usage = readUsage(readFields(body, "usage") ?? {});
  if (usage !== undefined) parts.push({ type: "usage", usage });
  const requestId = readString(body, "request_id");
  if (requestId !== undefined) parts.push({ type: "request-id", requestId });
  parts.push(readFinish(body) ?? { type: "finish", reason: "stop", wireReason: "" });
  return parts;
}

/** Reads the blocks in order, because reasoning must be sent back in the same order. */
function readBlocks(content: unknown): readonly StreamPart[] {
  if (!Array.isArray(content)) return readContent(content).parts;
  const collector = new ToolCallCollector();
  return content
    .filter((block) => isFields(block))
    .flatMap((block): readonly StreamPart[] => {
      if (block["type"] !== "tool_use") return [...readBlock(block), ...readThinkingBlock(block)];
      collector.begin(readToolUse(block, undefined));
      return collector.closeAll();
    });
}
