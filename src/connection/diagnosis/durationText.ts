import type { Translate } from "../../l10n.ts";

/** A time to wait in the unit a person would use, rounded up: `34 s`, `12 minutes`, `3 hours`. */
export function durationText(seconds: number, t: Translate): string {
  if (seconds <= 90) return t("{0} s", seconds);
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return t("{0} minutes", minutes);
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? t("{0} hours", hours) : t("{0} days", Math.ceil(hours / 24));
}
