import type { Sampling } from "../conversation/conversation.ts";
import type { Fields } from "../conversation/json.ts";

/** The result of reading a caller's options: the values to send, and the names of ignored options. */
export interface SamplingReading {
  readonly sampling: Sampling;
  /** The token limit that the caller requests, at least 1. */
  readonly maxTokens?: number;
  /** Options with an unknown name or the wrong type. */
  readonly ignored: readonly string[];
}

/** Names of numeric options in both client styles, with the names in `Sampling`. */
const numbers = {
  temperature: "temperature",
  top_p: "topP",
  top_k: "topK",
  seed: "seed",
  frequency_penalty: "frequencyPenalty",
  presence_penalty: "presencePenalty",
} as const satisfies Readonly<Record<string, keyof Sampling>>;

const lists: ReadonlySet<string> = new Set(["stop", "stop_sequences"]);
const caps: ReadonlySet<string> = new Set(["max_tokens", "max_completion_tokens"]);

/** Reads the sampling options and the token limit. No other options are sent. */
export function readSampling(options: Fields): SamplingReading {
  const sampling: { -readonly [Name in keyof Sampling]: Sampling[Name] } = {};
  let maxTokens: number | undefined;
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    const texts = lists.has(name) ? readTexts(value) : undefined;
    const number = typeof value === "number" && Number.isFinite(value) ? value : undefined;
    if (texts !== undefined) sampling.stop = texts;
    else if (number !== undefined && isNumberName(name)) sampling[numbers[name]] = number;
    else if (number !== undefined && caps.has(name) && number >= 1) maxTokens = Math.floor(number);
    else ignored.push(name);
  }
  return { sampling, ignored, ...(maxTokens === undefined ? {} : { maxTokens }) };
}

/** Converts sampling for Chat Completions, which has no `top_k`. */
export function convertChatSampling(sampling: Sampling): object {
  const { temperature, topP, seed, frequencyPenalty, presencePenalty, stop } = sampling;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...(stop === undefined ? {} : { stop }),
  };
}

/** Converts sampling for Messages, which has no seed and no penalties. */
export function convertMessagesSampling({ temperature, topP, topK, stop }: Sampling): object {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(stop === undefined ? {} : { stop_sequences: stop }),
  };
}

/** Adds the user's own fields, except those that the request sets itself. */
export function withOwnFields(body: Fields, own: Fields = {}): Fields {
  return { ...body, ...Object.fromEntries(Object.entries(own).filter(([name]) => !(name in body))) };
}

function isNumberName(name: string): name is keyof typeof numbers {
  return Object.hasOwn(numbers, name);
}

function readTexts(value: unknown): readonly string[] | undefined {
  const texts = typeof value === "string" ? [value] : value;
  return Array.isArray(texts) && texts.every((text) => typeof text === "string") ? texts : undefined;
}
