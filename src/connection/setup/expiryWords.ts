import type { Translate } from "../../l10n.ts";
import type { Expiry } from "./expiry.ts";

/** "expires in 6 days", as a part of a line. */
export function expiryInBrief({ kind, days }: Expiry, t: Translate): string {
  if (kind === "expired") return t("expired");
  if (days === 0) return t("expires today");
  return days === 1 ? t("expires tomorrow") : t("expires in {0} days", days);
}

/** What an expiry date means, as a sentence; undefined while it is more than 14 days off. */
export function describeExpiry(expires: string, expiry: Expiry, t: Translate): string | undefined {
  if (expiry.kind === "distant") return undefined;
  if (expiry.kind === "expired") {
    return t("The key's expiry date {0} is past. Ask for a new key and set it here.", expires);
  }
  if (expiry.days === 0) return t("The key expires today. Ask for a new one in time.");
  if (expiry.days === 1) return t("The key expires tomorrow, on {0}. Ask for a new one in time.", expires);
  return t("The key expires in {0} days, on {1}. Ask for a new one in time.", expiry.days, expires);
}
