import type { Translate } from "../../text/translate.ts";

/** Days before the end at which the warning grows: said to those who look, shown, marked. */
const thresholds = { noted: 14, shown: 7, marked: 1 } as const;

/** How near the end of a key is, by the user's own calendar. */
export type Expiry =
  /** More than 14 days off. */
  | { readonly kind: "distant"; readonly days: number }
  /** `days` is 0 on the last day. `noted` up to 14 days before, `shown` up to 7, `marked` up to 1. */
  | { readonly kind: keyof typeof thresholds; readonly days: number }
  /** `days` is how many days ago the last day was, at least 1. */
  | { readonly kind: "expired"; readonly days: number };

/**
 * Reads a connection's expiry date against the clock. The key is good until its day ends where the
 * user is.
 * @param expires ISO date, `2027-01-31`
 * @returns undefined where that is no day of the calendar
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

/** Milliseconds until the user's day is over, at least 1; days of 23 and 25 hours included. */
export function millisecondsLeftToday(now: Date): number {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return Math.max(1, midnight.getTime() - now.getTime());
}

/** Whether the text is a day of the calendar, written as `2027-01-31`. */
export function isCalendarDay(text: string): boolean {
  return dayNumber(text) !== undefined;
}

const msPerDay = 24 * 60 * 60 * 1000;

/** Days since 1970, of a date without a time zone. */
function dayNumber(date: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const day = new Date(`${date}T00:00:00Z`);
  // What is no day, such as February 30th, is no date or rolls over to another.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  return isDay ? day.getTime() / msPerDay : undefined;
}

function today(now: Date): number {
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / msPerDay;
}

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
    return t("The API key expired on {0}. Request a new key and set it here.", expires);
  }
  if (expiry.days === 0) return t("The API key expires today. Request a new key.");
  if (expiry.days === 1) return t("The API key expires tomorrow, on {0}. Request a new key.", expires);
  return t("The API key expires in {0} days, on {1}. Request a new key soon.", expiry.days, expires);
}
