import type { Usage } from "./conversation.ts";
import { readCount } from "./fields.ts";
import type { Fields } from "./fields.ts";

/** Reads the token counts of either style; undefined where the object has none. */
export function readUsage(fields: Fields): Usage | undefined {
  const inputTokens = readCount(fields, "prompt_tokens") ?? readCount(fields, "input_tokens");
  const outputTokens = readCount(fields, "completion_tokens") ?? readCount(fields, "output_tokens");
  const totalTokens = readCount(fields, "total_tokens");
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return undefined;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
  };
}
