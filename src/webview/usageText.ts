import type { Translate } from "../l10n.ts";
import type { Usage } from "../protocol/conversation.ts";

/** Tokens of an answer, as the service counted them; says so where it did not. */
export function convertUsageToText(usage: Usage | undefined, t: Translate): string {
  const { inputTokens, outputTokens, totalTokens } = usage ?? {};
  if (inputTokens === undefined && outputTokens === undefined) {
    return totalTokens === undefined ? t("Tokens: not reported") : t("Tokens: {0} in all", totalTokens);
  }
  return t("Tokens: {0} in, {1} out", inputTokens ?? t("not reported"), outputTokens ?? t("not reported"));
}
