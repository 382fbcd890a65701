import { type ChatUsage, costOf, type Money, type Price } from "./cost.ts";
import type { Translate } from "../../l10n.ts";
import type { Usage } from "../../protocol/conversation/conversation.ts";

export interface UsageWords {
  readonly t: Translate;
  /** The editor's, by whose rules numbers are written; undefined leaves it to the system. */
  readonly language: string | undefined;
}

/**
 * Tokens of an answer, as the service counted them; says so where it did not. What the messages
 * style counts before an answer's end is no count of the output, so a cut answer shows none.
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

/** All of a chat's answers together, also those of other branches. */
export function convertChatUsageToText(
  { inputTokens, cacheReadTokens, outputTokens, unreported, costs }: ChatUsage,
  { t, language }: UsageWords,
): string {
  const count = (tokens: number): string => new Intl.NumberFormat(language).format(tokens);
  const tokens =
    inputTokens + outputTokens === 0
      ? t("This chat: not reported")
      : cacheReadTokens === 0
        ? t("This chat: {0} in, {1} out", count(inputTokens), count(outputTokens))
        : t(
            "This chat: {0} in ({1} from cache), {2} out",
            count(inputTokens),
            count(cacheReadTokens),
            count(outputTokens),
          );
  const missing =
    unreported === 0 || inputTokens + outputTokens === 0
      ? []
      : [unreported === 1 ? t("1 answer not reported") : t("{0} answers not reported", unreported)];
  return [tokens, ...missing, ...costs.map((cost) => formatMoney(cost, language))].join(" · ");
}

function formatMoney({ amount, currency }: Money, language: string | undefined): string {
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
      : t("Tokens: {0} in all", count(totalTokens));
  }
  const [input, cached, output] = [count(inputTokens), count(cacheReadTokens), count(outputTokens)];
  if (cacheReadTokens === undefined) {
    return complete
      ? t("Tokens: {0} in, {1} out", input, output)
      : t("Tokens: {0} in, cut before the rest was counted", input);
  }
  return complete
    ? t("Tokens: {0} in ({1} from cache), {2} out", input, cached, output)
    : t("Tokens: {0} in ({1} from cache), cut before the rest was counted", input, cached);
}
