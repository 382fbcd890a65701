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
} from "valibot";
import type { AnswerEnd, AnswerHead, AnswerShape } from "./answerShape.ts";
import { refusalBody } from "./errorAnswers.ts";
import {
  effortLevel,
  filePart,
  imageUrlPart,
  joinSaid,
  plainChoice,
  plainText,
  temperature,
  textPart,
  tokenCap,
  toolSchema,
} from "./fields.ts";
import type { AnswerCall, AnswerItem, TokenUsage } from "./generation.ts";
import { readFields } from "./requestBody.ts";
import { formatEvent } from "./serverSentEvent.ts";

const call = looseObject({
  id: string(),
  type: literal("function"),
  function: looseObject({ name: string(), arguments: string() }),
});

const content = union([
  plainText,
  pipe(
    array(union([textPart, imageUrlPart, filePart])),
    transform((parts) => joinSaid(parts)),
  ),
]);
/** `content` may be missing if the message calls tools. */
const message = pipe(
  looseObject({}),
  transform((given) => ("tool_calls" in given && !given["content"] ? { ...given, content: "" } : given)),
  looseObject({
    role: picklist(["system", "developer", "user", "assistant", "tool"]),
    content,
    tool_calls: nullish(array(call), []),
    tool_call_id: optional(string()),
  }),
);

const requestSchema = looseObject({
  model: string(),
  messages: pipe(array(message), minLength(1, "at least one message is needed")),
  max_tokens: nullish(tokenCap),
  max_completion_tokens: nullish(tokenCap),
  temperature: nullish(temperature),
  reasoning_effort: nullish(effortLevel),
  stream: nullish(boolean(), false),
  stream_options: nullish(looseObject({ include_usage: nullish(boolean(), false) })),
  tools: nullish(
    array(
      looseObject({
        type: literal("function"),
        function: looseObject({ name: string(), parameters: toolSchema }),
      }),
    ),
    [],
  ),
  tool_choice: nullish(
    union([
      plainChoice,
      pipe(
        looseObject({ function: looseObject({ name: string() }) }),
        transform((choice) => ({ name: choice.function.name })),
      ),
    ]),
    "auto",
  ),
});

/**
 * `POST /v1/chat/completions` (specification, section 4.2). If a request has two token limits, the lower one
 * applies.
 */
export const chatCompletionsShape: AnswerShape = {
  readAsk(body) {
    const fields = readFields(requestSchema, body);
    const caps = [fields.max_tokens, fields.max_completion_tokens].filter((cap) => typeof cap === "number");
    return {
      model: fields.model,
      messages: fields.messages.map((given) => ({
        role: given.role === "developer" ? "system" : given.role,
        ...given.content,
        calls: given.tool_calls.map(({ id }) => id),
        ...(given.tool_call_id === undefined ? {} : { resultOf: given.tool_call_id }),
      })),
      maxTokens: caps.length === 0 ? undefined : Math.min(...caps),
      stream: fields.stream,
      includeUsage: fields.stream_options?.include_usage ?? false,
      tools: fields.tools.map(({ function: { name, parameters } }) => ({ name, properties: parameters })),
      toolChoice: fields.tool_choice,
      thinks: typeof fields.reasoning_effort === "string",
    };
  },

  whole(head, items, end) {
    const { usage } = end;
    const calls = items.filter((item) => item.type === "tool-call");
    const text = joinTexts(items, "text");
    const reasoning = joinTexts(items, "reasoning");
    const answer = {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      refusal: refusalOf(end) ?? null,
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(convertCall) }),
    };
    return {
      ...commonFields(head),
      object: "chat.completion",
      choices: [{ index: 0, message: answer, logprobs: null, finish_reason: finishReasonOf(end) }],
      ...(usage === undefined ? {} : { usage: convertUsage(usage) }),
    };
  },

  opening: (head) => formatChunk(head, { role: "assistant", content: "" }, null),

  textOpening: () => "",

  piece: (head, text) => formatChunk(head, { content: text }, null),

  textClosing: () => "",

  /** The style has no form for redacted reasoning. */
  reasoning(head, item) {
    if (item.type === "redacted") return "";
    const middle = Math.ceil(item.text.length / 2);
    return [item.text.slice(0, middle), item.text.slice(middle)]
      .map((text) => formatChunk(head, { content: null, reasoning_content: text }, null))
      .join("");
  },

  /** Sends the name first, then the arguments in pieces, like real models of this style. */
  call(head, made, index) {
    const middle = Math.ceil(made.arguments.length / 2);
    const rest = [made.arguments.slice(0, middle), made.arguments.slice(middle)];
    const opening = { index, ...convertCall({ ...made, arguments: "" }) };
    return [opening, ...rest.map((text) => ({ index, function: { arguments: text } }))]
      .map((piece) => formatChunk(head, { tool_calls: [piece] }, null))
      .join("");
  },

  closing(head, end) {
    const { usage } = end;
    const refusal = refusalOf(end);
    const refused = refusal === undefined ? "" : formatChunk(head, { refusal }, null);
    const finish = refused + formatChunk(head, {}, finishReasonOf(end));
    const total =
      head.ask.includeUsage && usage !== undefined
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

function joinTexts(items: readonly AnswerItem[], type: "text" | "reasoning"): string {
  return items.map((item) => (item.type === type ? item.text : "")).join("");
}

function convertCall({ id, name, arguments: given }: AnswerCall): object {
  return { id, type: "function", function: { name, arguments: given } };
}

function refusalOf({ stopReason, remark }: AnswerEnd): string | undefined {
  return stopReason === "content-filter" ? remark : undefined;
}

function finishReasonOf({ stopReason, remark }: AnswerEnd): string | null {
  const reason = stopReason?.replace("-", "_") ?? null;
  return stopReason === "length" && remark !== undefined ? `${reason}: ${remark}` : reason;
}

function commonFields({ requestId, created, ask }: AnswerHead): object {
  return { id: `chatcmpl-${requestId}`, created, model: ask.model };
}

function formatChunk(head: AnswerHead, delta: object, finishReason: string | null): string {
  return formatEvent({
    ...commonFields(head),
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    // If the client asked for usage, every chunk has the field; only the last chunk has a value in it.
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
