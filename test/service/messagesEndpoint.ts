import {
  array,
  boolean,
  type InferOutput,
  literal,
  looseObject,
  minLength,
  nullish,
  number,
  optional,
  picklist,
  pipe,
  string,
  transform,
  union,
  unknown,
} from "valibot";
import type { AnswerEnd, AnswerHead, AnswerShape, ReasoningItem } from "./answerShape.ts";
import { Refusal, refusalBody } from "./errorAnswers.ts";
import {
  documentBlock,
  imageBlock,
  joinSaid,
  plainText,
  saysNothing,
  temperature,
  textContent,
  textPart,
  thinkingField,
  tokenCap,
  toolSchema,
} from "./fields.ts";
import type { AnswerCall, AnswerItem, Ask, AskMessage, TokenUsage } from "./generation.ts";
import { readFields } from "./requestBody.ts";
import { formatEvent } from "./serverSentEvent.ts";
import { type Block, checkTurns } from "./turns.ts";

const toolUse = pipe(
  looseObject({ type: literal("tool_use"), id: string(), name: string(), input: unknown() }),
  transform(({ id }): Block => ({ ...saysNothing, call: id })),
);
const toolResult = pipe(
  looseObject({ type: literal("tool_result"), tool_use_id: string(), content: optional(textContent) }),
  transform(({ content, tool_use_id: resultOf }): Block => ({
    ...saysNothing,
    text: content?.text ?? "",
    resultOf,
  })),
);
/** `issuedReasoning` later checks whether the reasoning comes from this service. */
const thought = pipe(
  union([
    looseObject({ type: literal("thinking"), thinking: string() }),
    looseObject({ type: literal("redacted_thinking"), data: string() }),
  ]),
  transform((): Block => ({ ...saysNothing, isThinking: true })),
);
const content = union([
  pipe(
    plainText,
    transform((said): readonly Block[] => [said]),
  ),
  array(union([textPart, imageBlock, documentBlock, toolUse, toolResult, thought])),
]);

const requestSchema = looseObject({
  model: string(),
  max_tokens: tokenCap,
  messages: pipe(
    array(looseObject({ role: picklist(["user", "assistant"]), content })),
    minLength(1, "at least one message is needed"),
  ),
  system: optional(textContent),
  temperature: nullish(temperature),
  top_p: nullish(number()),
  top_k: nullish(number()),
  thinking: optional(thinkingField),
  stream: nullish(boolean(), false),
  tools: nullish(array(looseObject({ name: string(), input_schema: toolSchema })), []),
  tool_choice: nullish(
    looseObject({ type: picklist(["auto", "any", "none", "tool"]), name: optional(string()) }),
    { type: "auto" },
  ),
});

/** Refuses what real services of this style refuse together with thinking. */
function checkThinking({
  thinking,
  max_tokens: limit,
  tool_choice: choice,
  ...fields
}: InferOutput<typeof requestSchema>): void {
  if (thinking?.type !== "enabled") return;
  if (thinking.budget_tokens >= limit)
    throw new Refusal(
      "out-of-range",
      "`max_tokens` must be greater than `thinking.budget_tokens`.",
      "max_tokens",
    );
  for (const name of ["temperature", "top_p", "top_k"] as const)
    if (typeof fields[name] === "number")
      throw new Refusal("out-of-range", `\`${name}\` may not be set when thinking is enabled.`, name);
  if (choice?.type === "any" || choice?.type === "tool")
    throw new Refusal(
      "out-of-range",
      "Thinking may not be enabled when tool_choice forces tool use.",
      "tool_choice",
    );
}

/** `POST /v1/messages` (specification, section 4.3): the path that a messages client appends to the base URL. */
export const messagesShape: AnswerShape = {
  readAsk(body) {
    const fields = readFields(requestSchema, body);
    checkTurns(fields.messages);
    checkThinking(fields);
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
      thinks: fields.thinking?.type === "enabled",
    };
  },

  whole: (head, items, { usage, ...end }) => ({
    ...messageFields(head),
    content: items.length === 0 ? [{ type: "text", text: "" }] : items.map(convertItem),
    ...stopOf(end),
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

  textOpening: (_head, index) =>
    formatTyped("content_block_start", { index, content_block: { type: "text", text: "" } }),

  piece: (_head, text, index) =>
    formatTyped("content_block_delta", { index, delta: { type: "text_delta", text } }),

  textClosing: (_head, index) => formatTyped("content_block_stop", { index }),

  reasoning: (_head, item, index) => formatReasoning(item, index),

  call: (_head, call, _index, block) => formatCall(call, block),

  closing: (head, { usage, ...end }) =>
    [
      formatTyped("message_delta", {
        delta: stopOf(end),
        ...(usage === undefined ? {} : { usage: usageFields(head, usage) }),
      }),
      formatTyped("message_stop", {}),
    ].join(""),

  failure: (head, refusal) => formatEvent(refusalBody(refusal, "messages", head.requestId), "error"),
};

function messageFields({ requestId, ask }: AnswerHead): object {
  return { id: `msg_${requestId}`, type: "message", role: "assistant", model: ask.model };
}

/** `input_tokens` excludes the tokens read from the cache and written to it, because other fields count them. */
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

/** Splits the content of a message into several messages: tool results first, then the rest. */
function split(role: "user" | "assistant", blocks: readonly Block[]): readonly AskMessage[] {
  const results = blocks.filter(({ resultOf }) => resultOf !== undefined);
  const rest = blocks.filter(({ resultOf }) => resultOf === undefined);
  const calls = rest.flatMap(({ call }) => (call === undefined ? [] : [call]));
  return [
    ...results.map(({ text, images, pdfs, resultOf = "" }): AskMessage => ({
      role: "tool",
      text,
      images,
      pdfs,
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

function convertItem(item: AnswerItem): object {
  switch (item.type) {
    case "text":
      return item;
    case "reasoning":
      return { type: "thinking", thinking: item.text, signature: item.signature };
    case "redacted":
      return { type: "redacted_thinking", data: item.data };
    case "tool-call": {
      const input: unknown = JSON.parse(item.arguments);
      return { type: "tool_use", id: item.id, name: item.name, input };
    }
  }
}

/** Sends the signature last, in its own delta. Sends redacted reasoning in one piece. */
function formatReasoning(item: ReasoningItem, index: number): string {
  const closing = formatTyped("content_block_stop", { index });
  if (item.type === "redacted") {
    return formatTyped("content_block_start", { index, content_block: convertItem(item) }) + closing;
  }
  const middle = Math.ceil(item.text.length / 2);
  const texts = [item.text.slice(0, middle), item.text.slice(middle)];
  const deltas = [
    ...texts.map((thinking) => ({ type: "thinking_delta", thinking })),
    { type: "signature_delta", signature: item.signature },
  ];
  const block = { type: "thinking", thinking: "", signature: "" };
  return [
    formatTyped("content_block_start", { index, content_block: block }),
    ...deltas.map((delta) => formatTyped("content_block_delta", { index, delta })),
    closing,
  ].join("");
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

function stopOf({ stopReason, remark }: Omit<AnswerEnd, "usage">): object {
  const reason = convertStopReason(stopReason);
  return {
    stop_reason: stopReason === "length" && remark !== undefined ? `${reason}: ${remark}` : reason,
    stop_sequence: null,
    ...(stopReason === "content-filter" && remark !== undefined
      ? { stop_details: { type: "refusal", explanation: remark } }
      : {}),
  };
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
