import type { Usage } from "./conversation.ts";
import { readCount } from "./fields.ts";
import type { Fields } from "./fields.ts";

const countNames = [
  "prompt_tokens",
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "completion_tokens",
  "output_tokens",
  "total_tokens",
] as const;

/** Counts as a service named them. */
export type TokenCounts = Readonly<Partial<Record<(typeof countNames)[number], number>>>;

/** Those of the object's members that are counts, in either style. */
export function readTokenCounts(fields: Fields): TokenCounts {
  const counts: Partial<Record<(typeof countNames)[number], number>> = {};
  for (const name of countNames) {
    const count = readCount(fields, name);
    if (count !== undefined) counts[name] = count;
  }
  return counts;
}

/**
 * What the counts come to; undefined where they say nothing. In the messages style `input_tokens` are those beside what
 * a cache has taken or given; `prompt_tokens` are all.
 */
export function toUsage(counts: TokenCounts): Usage | undefined {
  const inputTokens = counts.prompt_tokens ?? allInput(counts);
  const outputTokens = counts.completion_tokens ?? counts.output_tokens;
  const totalTokens = counts.total_tokens;
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return undefined;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
  };
}

export function readUsage(fields: Fields): Usage | undefined {
  return toUsage(readTokenCounts(fields));
}

function allInput(counts: TokenCounts): number | undefined {
  const {
    input_tokens: plain,
    cache_read_input_tokens: read = 0,
    cache_creation_input_tokens: made = 0,
  } = counts;
  return plain === undefined ? undefined : plain + read + made;
}
