import { array, boolean, looseObject, minLength, nullish, picklist, pipe, string } from "valibot";
import type { AnswerHead, AnswerShape } from "./answerShape.ts";
import { refusalBody } from "./errorAnswers.ts";
import { textContent, tokenCap } from "./fields.ts";
import type { TokenUsage } from "./generation.ts";
import { readFields } from "./requestBody.ts";
import { formatEvent } from "./serverSentEvent.ts";

const requestSchema = looseObject({
  model: string(),
  messages: pipe(
    array(
      looseObject({ role: picklist(["system", "developer", "user", "assistant"]), content: textContent }),
    ),
    minLength(1, "at least one message is needed"),
  ),
  max_tokens: nullish(tokenCap),
  max_completion_tokens: nullish(tokenCap),
  stream: nullish(boolean(), false),
  stream_options: nullish(looseObject({ include_usage: nullish(boolean(), false) })),
});

/** `POST /v1/chat/completions` (specification, section 4.2). Of two caps the lower one holds. */
export const chatCompletionsShape: AnswerShape = {
  readAsk(body) {
    const fields = readFields(requestSchema, body);
    const caps = [fields.max_tokens, fields.max_completion_tokens].filter((cap) => typeof cap === "number");
    return {
      model: fields.model,
      messages: fields.messages.map(({ role, content }) => ({
        role: role === "developer" ? "system" : role,
        text: content,
      })),
      maxTokens: caps.length === 0 ? undefined : Math.min(...caps),
      stream: fields.stream,
      includeUsage: fields.stream_options?.include_usage ?? false,
    };
  },

  whole(head, text, { stopReason, usage }) {
    const message = { role: "assistant", content: text, refusal: null };
    return {
      ...commonFields(head),
      object: "chat.completion",
      choices: [{ index: 0, message, logprobs: null, finish_reason: stopReason }],
      usage: convertUsage(usage),
    };
  },

  opening: (head) => formatChunk(head, { role: "assistant", content: "" }, null),

  piece: (head, text) => formatChunk(head, { content: text }, null),

  closing(head, { stopReason, usage }) {
    const finish = formatChunk(head, {}, stopReason);
    const total = head.ask.includeUsage
      ? formatEvent({
          ...commonFields(head),
          object: "chat.completion.chunk",
          choices: [],
          usage: convertUsage(usage),
        })
      : "";
    return `${finish}${total}data: [DONE]\n\n`;
  },

  failure: (head, refusal) => formatEvent(refusalBody(refusal, "chat-completions", head.requestId)),
};

function commonFields({ requestId, created, ask }: AnswerHead): object {
  return { id: `chatcmpl-${requestId}`, created, model: ask.model };
}

function formatChunk(head: AnswerHead, delta: object, finishReason: string | null): string {
  return formatEvent({
    ...commonFields(head),
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    // A client that asked for usage finds the field in every chunk, with its value in the last one.
    ...(head.ask.includeUsage ? { usage: null } : {}),
  });
}

function convertUsage({ inputTokens, outputTokens }: TokenUsage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
