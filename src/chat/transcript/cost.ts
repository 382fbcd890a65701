import type { Usage } from "../../protocol/conversation/conversation.ts";
import type { AnswerTurn, Transcript } from "./transcript.ts";

/** What a model costs, as the user's settings say; the service does not tell. */
export interface Price {
  /** Per million tokens that are sent. */
  readonly input: number;
  /** Per million tokens that are generated. */
  readonly output: number;
  /** ISO 4217, such as `USD`. */
  readonly currency: string;
}

export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** All answers of a chat together, those of other branches too: they were billed as well. */
export interface ChatUsage {
  readonly inputTokens: number;
  /** Of the input, what came from the service's cache. */
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /** Answers of which the service did not say, or not in full, what they took. */
  readonly unreported: number;
  /** One sum per currency; empty where no price is known. */
  readonly costs: readonly Money[];
}

/** The cost of an answer; undefined where a price or a count is missing. */
export function costOf(usage: Usage | undefined, price: Price | undefined): Money | undefined {
  const { inputTokens, outputTokens } = usage ?? {};
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  const amount = (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  return { amount, currency: price.currency };
}

/** Nothing was generated for a request that failed without a word, and nothing is known of one that goes on. */
function tookNothing({ state, text, reasoning, usage }: AnswerTurn): boolean {
  const hasFailed = state.kind === "failed" && text === "" && reasoning === "" && usage === undefined;
  return hasFailed || state.kind === "waiting" || state.kind === "streaming";
}

/** Tokens in and out together, as far as the service reported them. */
export function tokensOf(usage: Usage | undefined): number {
  const { inputTokens = 0, outputTokens = 0, totalTokens } = usage ?? {};
  return totalTokens ?? inputTokens + outputTokens;
}

export function usageOfChat({ turns }: Transcript): ChatUsage {
  let inputTokens = 0;
  let cacheReadTokens = 0;
  let outputTokens = 0;
  let unreported = 0;
  const sums = new Map<string, number>();
  for (const turn of turns) {
    if (turn.kind !== "answer" || tookNothing(turn)) continue;
    inputTokens += turn.usage?.inputTokens ?? 0;
    cacheReadTokens += turn.usage?.cacheReadTokens ?? 0;
    // What was counted until an answer broke off is no count of it.
    const whole = turn.state.kind === "complete" ? turn.usage : undefined;
    outputTokens += whole?.outputTokens ?? 0;
    if (whole?.inputTokens === undefined || whole.outputTokens === undefined) unreported += 1;
    const cost = costOf(whole, turn.price);
    if (cost !== undefined) sums.set(cost.currency, (sums.get(cost.currency) ?? 0) + cost.amount);
  }
  const costs = [...sums].map(([currency, amount]) => ({ amount, currency }));
  return { inputTokens, cacheReadTokens, outputTokens, unreported, costs };
}
