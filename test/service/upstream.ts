import {
  array,
  looseObject,
  minLength,
  nullish,
  number,
  parse,
  pipe,
  string,
  type BaseIssue,
  type BaseSchema,
  type InferOutput,
} from "valibot";
import { Refusal } from "./errorAnswers.ts";
import type { AnswerSource, Ask, GenerationPart, TokenUsage } from "./generation.ts";
import { readEventData } from "./serverSentEvent.ts";

/** Another chat-completions server that generates the answers. */
export interface Upstream {
  /** The base URL, with or without `/v1`. */
  readonly baseAddress: string;
  /** The upstream's own key; most local model runners need no key. */
  readonly key?: string | undefined;
}

const usageSchema = nullish(looseObject({ prompt_tokens: number(), completion_tokens: number() }));
const finishReason = nullish(string());
const chunkSchema = looseObject({
  choices: nullish(
    array(
      looseObject({
        delta: nullish(looseObject({ content: nullish(string()) })),
        finish_reason: finishReason,
      }),
    ),
  ),
  usage: usageSchema,
});
const wholeSchema = looseObject({
  choices: pipe(
    array(looseObject({ message: looseObject({ content: nullish(string()) }), finish_reason: finishReason })),
    minLength(1),
  ),
  usage: usageSchema,
});
const modelListSchema = looseObject({ data: array(looseObject({ id: string() })) });

/**
 * Lets an upstream generate the answers; keys, budgets and styles stay with the service. Forwards texts only,
 * without tools and images.
 */
export function createUpstreamSource(upstream: Upstream): AnswerSource {
  return {
    async open(ask, signal) {
      const response = await call(upstream, "/chat/completions", signal, convertAsk(ask));
      if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
        return readStream(response);
      }
      return readWhole(read(wholeSchema, await response.text()));
    },
  };
}

export async function listUpstreamModels(
  upstream: Upstream,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const response = await call(upstream, "/models", signal);
  return read(modelListSchema, await response.text()).data.map(({ id }) => id);
}

async function call(upstream: Upstream, path: string, signal: AbortSignal, body?: object): Promise<Response> {
  const address = `${upstream.baseAddress.replace(/\/+$/u, "").replace(/\/v1$/u, "")}/v1${path}`;
  const response = await fetch(address, {
    headers: {
      "content-type": "application/json",
      ...(upstream.key === undefined ? {} : { authorization: `Bearer ${upstream.key}` }),
    },
    redirect: "error",
    signal,
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new Refusal("upstream-failed", `The upstream could not be reached (${errorCode(error)}).`);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Refusal("upstream-failed", `The upstream answered with status ${response.status}.`);
  }
  return response;
}

function read<Output>(schema: BaseSchema<unknown, Output, BaseIssue<unknown>>, text: string): Output {
  try {
    return parse(schema, JSON.parse(text));
  } catch {
    throw new Refusal("upstream-failed", "The upstream's answer could not be read.");
  }
}

function errorCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "no answer";
}

function convertAsk({ model, messages, maxTokens, stream }: Ask): object {
  return {
    model,
    messages: messages.map(({ role, text }) => ({ role: role === "tool" ? "user" : role, content: text })),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  };
}

async function* readStream(response: Response): AsyncGenerator<GenerationPart, void, undefined> {
  let stopReason: "stop" | "length" | undefined;
  let usage: InferOutput<typeof usageSchema>;
  for await (const data of readEventData(response.body ?? new ReadableStream<Uint8Array>())) {
    if (data === "[DONE]") {
      break;
    }
    const chunk = read(chunkSchema, data);
    const choice = chunk.choices?.[0];
    usage = chunk.usage ?? usage;
    stopReason = convertFinishReason(choice?.finish_reason) ?? stopReason;
    const text = choice?.delta?.content ?? "";
    if (text !== "") {
      yield { type: "piece", text };
    }
  }
  if (stopReason === undefined) {
    throw new Refusal("upstream-failed", "The upstream's stream broke off before its end.");
  }
  yield { type: "end", stopReason, ...convertUsage(usage) };
}

async function* readWhole(
  answer: InferOutput<typeof wholeSchema>,
): AsyncGenerator<GenerationPart, void, undefined> {
  const [choice] = answer.choices;
  yield { type: "piece", text: choice?.message.content ?? "" };
  yield {
    type: "end",
    stopReason: convertFinishReason(choice?.finish_reason) ?? "stop",
    ...convertUsage(answer.usage),
  };
}

function convertFinishReason(reason: string | null | undefined): "stop" | "length" | undefined {
  if (reason === null || reason === undefined) {
    return undefined;
  }
  return reason === "length" ? "length" : "stop";
}

function convertUsage(usage: InferOutput<typeof usageSchema>): { usage?: TokenUsage } {
  return usage === null || usage === undefined
    ? {}
    : { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } };
}
