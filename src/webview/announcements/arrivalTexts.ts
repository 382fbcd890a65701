import type { RetryingState } from "../../chat/transcript/transcript.ts";
import type { Translate } from "../../l10n.ts";

/** What failed, and when it is tried again; with no seconds left, that it is. */
export function retryText({ title, attempt, of }: RetryingState, seconds: number, t: Translate): string {
  return seconds === 0
    ? t("{0}. Trying again ({1} of {2})", title, attempt, of)
    : t("{0}. Trying again in {1} s ({2} of {3})", title, seconds, attempt, of);
}

export function silenceText(seconds: number, t: Translate): string {
  return t("Nothing has arrived for {0} s.", seconds);
}
