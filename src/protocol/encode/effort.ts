import type { ChatRequest, Effort } from "../conversation/conversation.ts";
import { type Fields, isFields } from "../conversation/json.ts";

/** Levels of effort in Chat Completions. */
export const effortLevels = ["low", "medium", "high"] as const satisfies readonly Effort["level"][];

/** Field of Messages with the thinking budget. */
export const thinkingField = "thinking";

/** Minimum tokens of a thinking budget. Services of the Messages style refuse fewer. */
export const minBudgetTokens = 1024;

/** Converts the effort for Chat Completions. */
export function convertChatEffort({ effort }: ChatRequest): object {
  return effort?.level === undefined ? {} : { reasoning_effort: effort.level };
}

/** Maximum tokens of a thinking budget. A quarter of the token limit is left for the answer. */
export function maxBudgetTokens(maxTokens: number): number {
  return Math.floor((maxTokens * 3) / 4);
}

/**
 * Converts the effort into a thinking budget of Messages. A budget above the maximum becomes half of the token
 * limit. There is no thinking if the limit is too low for that, or if a tool must be called.
 */
export function convertThinking({ effort, maxTokens, toolChoice = "auto" }: ChatRequest): object {
  const asked = effort?.budgetTokens ?? 0;
  const isForced = toolChoice !== "auto" && toolChoice !== "none";
  const budget = fitBudget(asked, maxTokens);
  if (asked < minBudgetTokens || budget === undefined || isForced) return {};
  return { [thinkingField]: { type: "enabled", budget_tokens: budget } };
}

function fitBudget(asked: number, maxTokens: number): number | undefined {
  if (asked <= maxBudgetTokens(maxTokens)) return asked;
  const budget = Math.min(asked, Math.max(minBudgetTokens, Math.floor(maxTokens / 2)));
  return budget < maxTokens ? budget : undefined;
}

/** Fits a budget in the user's own field `thinking` to the token limit, like the budget of an effort. */
export function withFittingThinking(own: Fields, maxTokens: number): Fields {
  const { [thinkingField]: thinking, ...others } = own;
  if (!isFields(thinking) || typeof thinking["budget_tokens"] !== "number") return own;
  const budget = fitBudget(thinking["budget_tokens"], maxTokens);
  return budget === undefined
    ? others
    : { ...others, [thinkingField]: { ...thinking, budget_tokens: budget } };
}

/** Sampling fields that services of the Messages style refuse together with thinking. */
const refusedWithThinking: ReadonlySet<string> = new Set(["temperature", "top_p", "top_k"]);

/** Removes the fields that can't be sent together with thinking. */
export function withoutSamplingIfThinking(body: Fields): Fields {
  const thinking = body[thinkingField];
  if (thinking === undefined || (isFields(thinking) && thinking["type"] === "disabled")) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !refusedWithThinking.has(name)));
}
