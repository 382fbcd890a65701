/** How long ago a day was, as a person says it. */
export type DayGroup = "today" | "yesterday" | "week" | "month" | "older";

const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** The group of a time, by the user's own days; a time to come is today's. */
export function dayGroupOf(time: Date, now: Date): DayGroup {
  // Days are counted at noon, so that a change of clocks moves none of them.
  const days = Math.round((noonOf(now) - noonOf(time)) / millisecondsPerDay);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 7) return "week";
  return days < 30 ? "month" : "older";
}

function noonOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12).getTime();
}
