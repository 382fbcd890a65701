import {
  array,
  boolean,
  literal,
  looseObject,
  minLength,
  nullish,
  optional,
  picklist,
  pipe,
  string,
  transform,
  union,
  unknown,
} from "valibot";
import type { AnswerEnd, AnswerHead, AnswerShape } from "./answerShape.ts";
import { refusalBody } from "./errorAnswers.ts";
import { imageBlock, joinSaid, plainText, textContent, textPart, tokenCap, toolSchema } from "./fields.ts";
import type { AnswerCall, Ask, AskMessage, TokenUsage } from "./generation.ts";
import { readFields } from "./requestBody.ts";
import { formatEvent } from "./serverSentEvent.ts";
import { type Block, checkTurns } from "./turns.ts";

const toolUse = pipe(
  looseObject({ type: literal("tool_use"), id: string(), name: string(), input: unknown() }),
  transform(({ id }): Block => ({ text: "", images: [], call: id })),
);
const toolResult = pipe(
  looseObject({ type: literal("tool_result"), tool_use_id: string(), content: optional(textContent) }),
  transform(({ content, tool_use_id: resultOf }): Block => ({
    text: content?.text ?? "",
    images: [],
    resultOf,
  })),
);
const content = union([
  pipe(
    plainText,
    transform((said): readonly Block[] => [said]),
  ),
  array(union([textPart, imageBlock, toolUse, toolResult])),
]);

const requestSchema = looseObject({
  model: string(),
  max_tokens: tokenCap,
  messages: pipe(
    array(looseObject({ role: picklist(["user", "assistant"]), content })),
    minLength(1, "at least one message is needed"),
  ),
  system: optional(textContent),
  stream: nullish(boolean(), false),
  tools: nullish(array(looseObject({ name: string(), input_schema: toolSchema })), []),
  tool_choice: nullish(
    looseObject({ type: picklist(["auto", "any", "none", "tool"]), name: optional(string()) }),
    { type: "auto" },
  ),
});

/** `POST /v1/messages` (specification, section 4.3), at the path the messages client appends. */
export const messagesShape: AnswerShape = {
  readAsk(body) {
    const fields = readFields(requestSchema, body);
    checkTurns(fields.messages);
    const system: readonly AskMessage[] =
      fields.system === undefined ? [] : [{ role: "system", ...fields.system }];
    return {
      model: fields.model,
      messages: [...system, ...fields.messages.flatMap(({ role, content: blocks }) => split(role, blocks))],
      maxTokens: fields.max_tokens,
      stream: fields.stream,
      includeUsage: true,
      tools: fields.tools.map(({ name, input_schema }) => ({ name, properties: input_schema })),
      toolChoice: convertChoice(fields.tool_choice),
    };
  },

  whole: (head, text, calls, { stopReason, usage }) => ({
    ...messageFields(head),
    content: [
      ...(text === "" && calls.length > 0 ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, arguments: given }) => {
        const input: unknown = JSON.parse(given);
        return { type: "tool_use", id, name, input };
      }),
    ],
    stop_reason: convertStopReason(stopReason),
    stop_sequence: null,
    ...(usage === undefined ? {} : { usage: usageFields(head, usage) }),
  }),

  opening(head) {
    const message = {
      ...messageFields(head),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageFields(head, { inputTokens: head.inputTokens, outputTokens: 0 }),
    };
    return [formatTyped("message_start", { message }), formatTyped("ping", {})].join("");
  },

  textOpening: () =>
    formatTyped("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),

  piece: (_head, text) =>
    formatTyped("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),

  textClosing: () => formatTyped("content_block_stop", { index: 0 }),

  call: (_head, call, index) => formatCall(call, index),

  closing: (head, { stopReason, usage }) =>
    [
      formatTyped("message_delta", {
        delta: { stop_reason: convertStopReason(stopReason), stop_sequence: null },
        ...(usage === undefined ? {} : { usage: usageFields(head, usage) }),
      }),
      formatTyped("message_stop", {}),
    ].join(""),

  failure: (head, refusal) => formatEvent(refusalBody(refusal, "messages", head.requestId), "error"),
};

function messageFields({ requestId, ask }: AnswerHead): object {
  return { id: `msg_${requestId}`, type: "message", role: "assistant", model: ask.model };
}

/** What the cache gave and took is counted beside the input. */
function usageFields({ cached }: AnswerHead, { inputTokens, outputTokens }: TokenUsage): object {
  if (cached === undefined) return { input_tokens: inputTokens, output_tokens: outputTokens };
  const { read, written } = cached;
  return {
    input_tokens: inputTokens - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: outputTokens,
  };
}

function formatTyped(type: string, fields: object): string {
  return formatEvent({ type, ...fields }, type);
}

/** What tools came to stands ahead of what else the user says. */
function split(role: "user" | "assistant", blocks: readonly Block[]): readonly AskMessage[] {
  const results = blocks.filter(({ resultOf }) => resultOf !== undefined);
  const rest = blocks.filter(({ resultOf }) => resultOf === undefined);
  const calls = rest.flatMap(({ call }) => (call === undefined ? [] : [call]));
  return [
    ...results.map(({ text, images, resultOf = "" }): AskMessage => ({
      role: "tool",
      text,
      images,
      resultOf,
    })),
    ...(rest.length > 0 || results.length === 0 ? [{ role, ...joinSaid(rest), calls }] : []),
  ];
}

function convertChoice({ type, name }: { type: string; name?: string | undefined }): Ask["toolChoice"] {
  if (type === "tool") return { name: name ?? "" };
  if (type === "any") return "required";
  return type === "none" ? "none" : "auto";
}

function formatCall({ id, name, arguments: given }: AnswerCall, index: number): string {
  const middle = Math.ceil(given.length / 2);
  const pieces = [given.slice(0, middle), given.slice(middle)];
  return [
    formatTyped("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } }),
    ...pieces.map((piece) =>
      formatTyped("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: piece } }),
    ),
    formatTyped("content_block_stop", { index }),
  ].join("");
}

function convertStopReason(reason: AnswerEnd["stopReason"]): string | null {
  switch (reason) {
    case "stop":
      return "end_turn";
    case "length":
      return "max_tokens";
    case "tool-calls":
      return "tool_use";
    case "content-filter":
      return "refusal";
    case undefined:
      return null;
  }
}
