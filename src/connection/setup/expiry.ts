import type { Translate } from "../../text/translate.ts";

/** Days before the expiration when each level of warning starts: on request, displayed, highlighted. */
const thresholds = { noted: 14, shown: 7, marked: 1 } as const;

/** How soon a key expires, by the user's local calendar. */
export type Expiry =
  /** More than 14 days left. */
  | { readonly kind: "distant"; readonly days: number }
  /** `days` is 0 on the last day. `noted`: 14 days or fewer, `shown`: 7 or fewer, `marked`: 1 or 0. */
  | { readonly kind: keyof typeof thresholds; readonly days: number }
  /** `days` is the number of days since the last day, at least 1. */
  | { readonly kind: "expired"; readonly days: number };

/**
 * Compares a connection's expiration date with the current time. The key is valid until the end of its last day in the
 * user's time zone.
 * @param expires ISO date, `2027-01-31`
 * @returns undefined if the text is not a valid date
 */
export function readExpiry(expires: string, now: Date): Expiry | undefined {
  const last = dayNumber(expires);
  if (last === undefined) return undefined;
  const days = last - today(now);
  if (days < 0) return { kind: "expired", days: -days };
  if (days <= thresholds.marked) return { kind: "marked", days };
  if (days <= thresholds.shown) return { kind: "shown", days };
  return { kind: days <= thresholds.noted ? "noted" : "distant", days };
}

/** Milliseconds until midnight in the user's time zone, at least 1. Correct for days with 23 and 25 hours. */
export function millisecondsLeftToday(now: Date): number {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return Math.max(1, midnight.getTime() - now.getTime());
}

/** Whether the text is a valid date in the form `2027-01-31`. */
export function isCalendarDay(text: string): boolean {
  return dayNumber(text) !== undefined;
}

const msPerDay = 24 * 60 * 60 * 1000;

/** Days since 1970 of a date without a time zone. */
function dayNumber(date: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const day = new Date(`${date}T00:00:00Z`);
  // An invalid day, such as February 30, gives an invalid date or a different day.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  return isDay ? day.getTime() / msPerDay : undefined;
}

function today(now: Date): number {
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / msPerDay;
}

/** Returns "expires in 6 days" or similar, as part of a line. */
export function expiryInBrief({ kind, days }: Expiry, t: Translate): string {
  if (kind === "expired") return t("expired");
  if (days === 0) return t("expires today");
  return days === 1 ? t("expires tomorrow") : t("expires in {0} days", days);
}

/** Describes the expiration as a sentence. Returns undefined if it is more than 14 days away. */
export function describeExpiry(expires: string, expiry: Expiry, t: Translate): string | undefined {
  if (expiry.kind === "distant") return undefined;
  if (expiry.kind === "expired") {
    return t("The API key expired on {0}. Request a new key, and then run Set API Key.", expires);
  }
  if (expiry.days === 0) return t("The API key expires today. Request a new key.");
  if (expiry.days === 1) return t("The API key expires tomorrow, on {0}. Request a new key.", expires);
  return t("The API key expires in {0} days, on {1}. Request a new key soon.", expiry.days, expires);
}
