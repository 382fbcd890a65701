import type { Usage } from "../../protocol/conversation/conversation.ts";
import type { AnswerTurn, Transcript } from "./transcript.ts";
import type { Translate } from "../../text/translate.ts";

/** A model's price from the user's settings. Services do not report prices. */
export interface Price {
  /** Per million input tokens. */
  readonly input: number;
  /** Per million output tokens. */
  readonly output: number;
  /** ISO 4217, such as `USD`. */
  readonly currency: string;
}

interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** The usage of all answers of a chat, including other branches, which were billed too. */
interface ChatUsage {
  readonly inputTokens: number;
  /** Part of `inputTokens` that came from the service's cache. */
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /** Number of answers whose tokens the service did not report, or not completely. */
  readonly unreported: number;
  /** One sum per currency; empty if no price is known. */
  readonly costs: readonly Money[];
}

/** Returns the cost of an answer, or undefined if the price or a count is missing. */
export function costOf(usage: Usage | undefined, price: Price | undefined): Money | undefined {
  const { inputTokens, outputTokens } = usage ?? {};
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  const amount = (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  return { amount, currency: price.currency };
}

/** Whether a failed request generated nothing, or the result is still unknown. */
function tookNothing({ state, text, reasoning, steps, usage }: AnswerTurn): boolean {
  const saidNothing = text === "" && reasoning === "" && steps === undefined && usage === undefined;
  const hasFailed = state.kind === "failed" && saidNothing;
  return hasFailed || state.kind === "waiting" || state.kind === "streaming";
}

/** Adds two counts. A field is absent only if both lack it. If one lacks the total, its parts count as the total. */
export function addUsage(earlier: Usage | undefined, usage: Usage): Usage {
  if (earlier === undefined) return usage;
  const sum = (name: keyof Usage): Usage =>
    earlier[name] === undefined && usage[name] === undefined
      ? {}
      : { [name]: valueOf(earlier, name) + valueOf(usage, name) };
  return {
    ...sum("inputTokens"),
    ...sum("cacheReadTokens"),
    ...sum("cacheWriteTokens"),
    ...sum("outputTokens"),
    ...sum("reasoningTokens"),
    ...sum("totalTokens"),
  };
}

function valueOf(usage: Usage, name: keyof Usage): number {
  return name === "totalTokens" ? tokensOf(usage) : (usage[name] ?? 0);
}

/** Usage of the answer's last request alone. All counts are 0 if the service reported nothing for this request. */
function lastUsage({ usage, earlierUsage }: Pick<AnswerTurn, "usage" | "earlierUsage">): Usage | undefined {
  if (usage === undefined || earlierUsage === undefined) return usage;
  const rest = (name: keyof Usage): Usage =>
    usage[name] === undefined ? {} : { [name]: usage[name] - valueOf(earlierUsage, name) };
  return {
    ...rest("inputTokens"),
    ...rest("cacheReadTokens"),
    ...rest("cacheWriteTokens"),
    ...rest("outputTokens"),
    ...rest("reasoningTokens"),
    ...rest("totalTokens"),
  };
}

/** The usage of the answer's last request; undefined if the service reported nothing for this request. */
export function reportedUsage(answer: Pick<AnswerTurn, "usage" | "earlierUsage">): Usage | undefined {
  const usage = lastUsage(answer);
  return tokensOf(usage) === 0 ? undefined : usage;
}

/** Whether the service reported both input and output of a request, or their sum. */
export function isWholeUsage({ inputTokens = 0, outputTokens = 0, totalTokens = 0 }: Usage): boolean {
  return totalTokens > 0 || (inputTokens > 0 && outputTokens > 0);
}

/** Returns input and output tokens together, or 0 if the service reported none. */
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
    // An incomplete answer has no final output count.
    const whole = turn.state.kind === "complete" ? turn.usage : undefined;
    outputTokens += whole?.outputTokens ?? 0;
    if (whole?.inputTokens === undefined || whole.outputTokens === undefined) unreported += 1;
    const cost = costOf(whole, turn.price);
    if (cost !== undefined) sums.set(cost.currency, (sums.get(cost.currency) ?? 0) + cost.amount);
  }
  const costs = [...sums].map(([currency, amount]) => ({ amount, currency }));
  return { inputTokens, cacheReadTokens, outputTokens, unreported, costs };
}

export interface UsageWords {
  readonly t: Translate;
  /** VS Code's language, for number formats; undefined for the system's language. */
  readonly language: string | undefined;
}

/**
 * Describes the tokens of an answer as the service counted them, or says that they were not reported. The Messages
 * style counts the output only at the end, so an incomplete answer has no output count.
 */
export function convertUsageToText(
  usage: Usage | undefined,
  price: Price | undefined,
  complete: boolean,
  { t, language }: UsageWords,
): string {
  const cost = complete ? costOf(usage, price) : undefined;
  const { cacheWriteTokens = 0 } = usage ?? {};
  const written = new Intl.NumberFormat(language).format(cacheWriteTokens);
  return [
    convertTokensToText(usage, complete, { t, language }),
    ...(cacheWriteTokens === 0 ? [] : [t("{0} written to cache", written)]),
    ...(cost === undefined ? [] : [formatMoney(cost, language)]),
  ].join(" · ");
}

/** Describes the tokens of all answers of a chat, including other branches. */
export function convertChatUsageToText(
  { inputTokens, cacheReadTokens, outputTokens, unreported, costs }: ChatUsage,
  { t, language }: UsageWords,
): string {
  const count = (tokens: number): string => new Intl.NumberFormat(language).format(tokens);
  const tokens =
    inputTokens + outputTokens === 0
      ? t("Tokens of this chat: not reported")
      : cacheReadTokens === 0
        ? t("Tokens of this chat: {0} in, {1} out", count(inputTokens), count(outputTokens))
        : t(
            "Tokens of this chat: {0} in ({1} from cache), {2} out",
            count(inputTokens),
            count(cacheReadTokens),
            count(outputTokens),
          );
  const missing =
    unreported === 0 || inputTokens + outputTokens === 0
      ? []
      : [unreported === 1 ? t("not reported for 1 answer") : t("not reported for {0} answers", unreported)];
  return [tokens, ...missing, ...costs.map((cost) => formatMoney(cost, language))].join(" · ");
}

/** Formats an amount in its currency, small amounts with two significant digits. */
export function formatMoney({ amount, currency }: Money, language: string | undefined): string {
  const digits = amount !== 0 && amount < 0.1 ? { maximumSignificantDigits: 2 } : {};
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    ...digits,
  }).format(amount);
}

function convertTokensToText(
  usage: Usage | undefined,
  complete: boolean,
  { t, language }: UsageWords,
): string {
  const { inputTokens, cacheReadTokens, outputTokens, totalTokens } = usage ?? {};
  const count = (tokens: number | undefined): string =>
    tokens === undefined ? t("not reported") : new Intl.NumberFormat(language).format(tokens);
  if (inputTokens === undefined && outputTokens === undefined) {
    return totalTokens === undefined
      ? t("Tokens: not reported")
      : t("Tokens: {0} in total", count(totalTokens));
  }
  const [input, cached, output] = [count(inputTokens), count(cacheReadTokens), count(outputTokens)];
  if (cacheReadTokens === undefined) {
    return complete
      ? t("Tokens: {0} in, {1} out", input, output)
      : t("Tokens: {0} in, output unknown because the answer was cut off", input);
  }
  return complete
    ? t("Tokens: {0} in ({1} from cache), {2} out", input, cached, output)
    : t("Tokens: {0} in ({1} from cache), output unknown because the answer was cut off", input, cached);
}
