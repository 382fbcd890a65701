import type { Translate } from "../l10n.ts";
import type { Usage } from "../protocol/conversation.ts";

/**
 * Tokens of an answer, as the service counted them; says so where it did not. What the messages
 * style counts before an answer's end is no count of the output, so a cut answer shows none.
 */
export function convertUsageToText(usage: Usage | undefined, complete: boolean, t: Translate): string {
  const { inputTokens, outputTokens, totalTokens } = usage ?? {};
  if (inputTokens === undefined && outputTokens === undefined) {
    return totalTokens === undefined ? t("Tokens: not reported") : t("Tokens: {0} in all", totalTokens);
  }
  if (!complete)
    return t("Tokens: {0} in, cut before the rest was counted", inputTokens ?? t("not reported"));
  return t("Tokens: {0} in, {1} out", inputTokens ?? t("not reported"), outputTokens ?? t("not reported"));
}
