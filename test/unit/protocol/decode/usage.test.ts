import assert from "node:assert/strict";
import type { Usage } from "../../../../src/protocol/conversation/conversation.ts";
import { readUsage } from "../../../../src/protocol/decode/usage.ts";

/** Usage reported by services of both styles, and the expected result. */
const reported: readonly (readonly [string, object, Usage | undefined])[] = [
  ["no counts", { service_tier: "standard" }, undefined],
  [
    "zeros under the names of the other style",
    { prompt_tokens: 0, completion_tokens: 0, input_tokens: 5, output_tokens: 2 },
    { inputTokens: 5, outputTokens: 2 },
  ],
  ["zeros alone", { prompt_tokens: 0, completion_tokens: 0 }, { inputTokens: 0, outputTokens: 0 }],
  ["plain counts", { prompt_tokens: 5, completion_tokens: 2 }, { inputTokens: 5, outputTokens: 2 }],
  [
    "a cache without reads and writes",
    { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
    { inputTokens: 12, outputTokens: 1 },
  ],
  [
    "input tokens without the cache reads and writes",
    { input_tokens: 4, cache_read_input_tokens: 90, cache_creation_input_tokens: 6, output_tokens: 1 },
    { inputTokens: 100, cacheReadTokens: 90, cacheWriteTokens: 6, outputTokens: 1 },
  ],
  [
    "input tokens that include cache reads",
    {
      prompt_tokens: 100,
      completion_tokens: 2,
      total_tokens: 102,
      prompt_tokens_details: { cached_tokens: 64 },
    },
    { inputTokens: 100, cacheReadTokens: 64, outputTokens: 2, totalTokens: 102 },
  ],
  [
    "hits and misses",
    { prompt_tokens: 100, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36, completion_tokens: 2 },
    { inputTokens: 100, cacheReadTokens: 64, outputTokens: 2 },
  ],
  [
    "cached tokens next to the other counts",
    { prompt_tokens: 100, cached_tokens: 64, completion_tokens: 2 },
    { inputTokens: 100, cacheReadTokens: 64, outputTokens: 2 },
  ],
  [
    "details under the other style's names, included in the input",
    { input_tokens: 100, input_tokens_details: { cached_tokens: 64 }, output_tokens: 2 },
    { inputTokens: 100, cacheReadTokens: 64, outputTokens: 2 },
  ],
  [
    "a gateway's names, with all counts included in the input",
    {
      prompt_tokens: 100,
      prompt_tokens_details: { cached_tokens: 60, cache_creation_tokens: 30 },
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
      completion_tokens: 2,
    },
    { inputTokens: 100, cacheReadTokens: 60, cacheWriteTokens: 30, outputTokens: 2 },
  ],
  [
    "a gateway's names, with fewer input tokens than cache reads",
    { prompt_tokens: 4, cache_read_input_tokens: 90, cache_creation_input_tokens: 6, completion_tokens: 2 },
    { inputTokens: 100, cacheReadTokens: 90, cacheWriteTokens: 6, outputTokens: 2 },
  ],
  [
    "cache writes in the details",
    { prompt_tokens: 100, prompt_tokens_details: { cache_write_tokens: 30 }, completion_tokens: 2 },
    { inputTokens: 100, cacheWriteTokens: 30, outputTokens: 2 },
  ],
  [
    "counts that are not numbers",
    {
      prompt_tokens: 100,
      prompt_tokens_details: { cached_tokens: null },
      cached_tokens: "some",
      completion_tokens: 2,
    },
    { inputTokens: 100, outputTokens: 2 },
  ],
  ["counts as text", { prompt_tokens: "100", completion_tokens: "2" }, { inputTokens: 100, outputTokens: 2 }],
  ["details that are null", { prompt_tokens: 100, prompt_tokens_details: null }, { inputTokens: 100 }],
];

describe("readUsage", () => {
  for (const [name, fields, usage] of reported) {
    it(`reads ${name}`, () => {
      assert.deepEqual(readUsage({ ...fields }), usage);
    });
  }
});
