import { createChatDecoder } from "../decode/chatDecoder.ts";
import { convertChatMessages, convertChatTools } from "../encode/convertChatMessages.ts";
import type { ChatRequest, StreamPart } from "../conversation/conversation.ts";
import { readErrorBody, isErrorBody } from "../decode/errorBody.ts";
import { isFields, readList } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";
import { convertChatEffort } from "../encode/effort.ts";
import { convertChatSampling, withOwnFields } from "../encode/sampling.ts";
import type { WireStyle } from "../conversation/wireStyle.ts";

/** The Chat Completions client style (specification, section 4.2). */
export const chatCompletions: WireStyle = {
  name: "chat-completions",
  headers: {},
  encodeRequest,
  createStreamDecoder: createChatDecoder,
  decodeAnswer,
};

function encodeRequest(request: ChatRequest): Readonly<Record<string, unknown>> {
  const body = {
    model: request.model,
    messages: convertChatMessages(request.messages),
    max_tokens: request.maxTokens,
    ...convertChatSampling(request.sampling ?? {}),
    ...convertChatEffort(request),
    ...convertChatTools(request),
    ...(request.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
  return withOwnFields(body, request.fields);
}

/** Decodes a complete answer: one chunk with a `message`. The finish reason is optional. */
function decodeAnswer(body: unknown): readonly StreamPart[] {
  if (isErrorBody(body)) return [{ type: "error", error: readErrorBody(body) }];
  if (!isFields(body) || (readList(body, "choices") ?? []).length === 0) return [];
  const decoder = createChatDecoder();
  const parts = decoder.decodeFields(asChunk(body));
  if (decoder.finished) return [...parts, ...decoder.close()];
  const calls = decoder.close();
  const reason = calls.length === 0 ? "stop" : "tool-calls";
  return [...parts, ...calls, { type: "finish", reason, wireReason: "" }];
}

/** Uses the message as the `delta`. Some servers also send an empty `delta` next to the message. */
function asChunk(body: Fields): Fields {
  const choices = (readList(body, "choices") ?? []).map((choice) =>
    isFields(choice) && isFields(choice["message"]) ? { ...choice, delta: choice["message"] } : choice,
  );
  return { ...body, choices };
}
