import type { Usage } from "../conversation/conversation.ts";
import { readCount, readFields } from "../conversation/json.ts";
import type { Fields } from "../conversation/json.ts";

const countNames = [
  "prompt_tokens",
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "prompt_cache_hit_tokens",
  "cached_tokens",
  "cache_creation_tokens",
  "cache_write_tokens",
  "completion_tokens",
  "output_tokens",
  "reasoning_tokens",
  "total_tokens",
] as const;

/** Members with details of a count, such as `cached_tokens`. */
const detailNames = [
  "prompt_tokens_details",
  "input_tokens_details",
  "completion_tokens_details",
  "output_tokens_details",
] as const;

/** Counts by the names that the service used. */
export type TokenCounts = Readonly<Partial<Record<(typeof countNames)[number], number>>>;

/** Reads the counts among the members of an object, in either style. */
export function readTokenCounts(fields: Fields): TokenCounts {
  const counts: Partial<Record<(typeof countNames)[number], number>> = {};
  const details = detailNames.map((name) => readFields(fields, name) ?? {});
  for (const source of [...details, fields]) {
    for (const name of countNames) {
      const count = readTokens(source, name);
      if (count !== undefined) counts[name] = count;
    }
  }
  return counts;
}

/** Reads a count. Some gateways send it as a string. */
export function readTokens(fields: Fields, name: string): number | undefined {
  const text = fields[name];
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : readCount(fields, name);
}

/** Replaces earlier counts by later ones of the same name. A later 0 does not replace a count. */
export function reviseCounts(earlier: TokenCounts, later: TokenCounts): TokenCounts {
  const revised: Partial<Record<(typeof countNames)[number], number>> = { ...earlier };
  for (const name of countNames) {
    const count = later[name];
    if (count !== undefined && (count > 0 || revised[name] === undefined)) revised[name] = count;
  }
  return revised;
}

/** Computes the usage from the counts; undefined if there are none. */
export function toUsage(counts: TokenCounts): Usage | undefined {
  const inputTokens = allInput(counts);
  // Ignore a 0 under one name if the other name has a count.
  const outputTokens = counts.completion_tokens || (counts.output_tokens ?? counts.completion_tokens);
  const totalTokens = counts.total_tokens;
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return undefined;
  const { read, written } = cachedInput(counts);
  const reasoningTokens = counts.reasoning_tokens ?? 0;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(read === 0 ? {} : { cacheReadTokens: read }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === 0 ? {} : { reasoningTokens }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
  };
}

export function readUsage(fields: Fields): Usage | undefined {
  return toUsage(readTokenCounts(fields));
}

/**
 * Returns all input tokens. In the messages style, `input_tokens` excludes tokens read from or written to a cache.
 * `prompt_tokens` includes the cached tokens, unless it is smaller than their number.
 */
function allInput(counts: TokenCounts): number | undefined {
  const { prompt_tokens: named, input_tokens: plain } = counts;
  const all = named === 0 && (plain ?? 0) > 0 ? undefined : named;
  const beside = (counts.cache_read_input_tokens ?? 0) + (counts.cache_creation_input_tokens ?? 0);
  if (all !== undefined) return all < beside ? all + beside : all;
  return plain === undefined ? undefined : plain + beside;
}

/** Returns the input tokens read from the cache and written to it. */
function cachedInput(counts: TokenCounts): { readonly read: number; readonly written: number } {
  const { cached_tokens: cached, cache_write_tokens: written } = counts;
  return {
    read: counts.cache_read_input_tokens ?? counts.prompt_cache_hit_tokens ?? cached ?? 0,
    written: counts.cache_creation_input_tokens ?? counts.cache_creation_tokens ?? written ?? 0,
  };
}
