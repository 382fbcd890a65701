import { array, boolean, looseObject, minLength, nullish, optional, picklist, pipe, string } from "valibot";
import type { AnswerEnd, AnswerHead, AnswerShape } from "./answerShape.ts";
import { refusalBody } from "./errorAnswers.ts";
import { textContent, tokenCap } from "./fields.ts";
import type { AskMessage } from "./generation.ts";
import { readFields } from "./requestBody.ts";
import { formatEvent } from "./serverSentEvent.ts";

const requestSchema = looseObject({
  model: string(),
  max_tokens: tokenCap,
  messages: pipe(
    array(looseObject({ role: picklist(["user", "assistant"]), content: textContent })),
    minLength(1, "at least one message is needed"),
  ),
  system: optional(textContent),
  stream: nullish(boolean(), false),
});

/** `POST /v1/messages` (specification, section 4.3), at the path the messages client appends. */
export const messagesShape: AnswerShape = {
  readAsk(body) {
    const fields = readFields(requestSchema, body);
    const system: readonly AskMessage[] =
      fields.system === undefined ? [] : [{ role: "system", text: fields.system }];
    return {
      model: fields.model,
      messages: [...system, ...fields.messages.map(({ role, content }) => ({ role, text: content }))],
      maxTokens: fields.max_tokens,
      stream: fields.stream,
      includeUsage: true,
    };
  },

  whole: (head, text, end) => ({
    ...messageFields(head),
    content: [{ type: "text", text }],
    stop_reason: convertStopReason(end.stopReason),
    stop_sequence: null,
    usage: { input_tokens: end.usage.inputTokens, output_tokens: end.usage.outputTokens },
  }),

  opening(head) {
    const message = {
      ...messageFields(head),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: head.inputTokens, output_tokens: 0 },
    };
    return [
      formatTyped("message_start", { message }),
      formatTyped("ping", {}),
      formatTyped("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ].join("");
  },

  piece: (_head, text) =>
    formatTyped("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),

  closing: (_head, { stopReason, usage }) =>
    [
      formatTyped("content_block_stop", { index: 0 }),
      formatTyped("message_delta", {
        delta: { stop_reason: convertStopReason(stopReason), stop_sequence: null },
        usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      }),
      formatTyped("message_stop", {}),
    ].join(""),

  failure: (head, refusal) => formatEvent(refusalBody(refusal, "messages", head.requestId), "error"),
};

function messageFields({ requestId, ask }: AnswerHead): object {
  return { id: `msg_${requestId}`, type: "message", role: "assistant", model: ask.model };
}

function formatTyped(type: string, fields: object): string {
  return formatEvent({ type, ...fields }, type);
}

function convertStopReason(reason: AnswerEnd["stopReason"]): "end_turn" | "max_tokens" {
  return reason === "stop" ? "end_turn" : "max_tokens";
}
