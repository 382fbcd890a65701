import type { Translate } from "../../l10n.ts";

/**
 * What tells of a button that it sends a request which the service may bill: the same words wherever there
 * is one, by pointer and by screen reader.
 */
export function billableHints(
  name: string,
  t: Translate,
): { readonly title: string; readonly "aria-description": string } {
  return { title: t("{0} · billable request", name), "aria-description": t("Billable request") };
}
