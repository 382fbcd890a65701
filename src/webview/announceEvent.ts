import type { TranscriptEvent } from "../chat/transcript.ts";
import type { Translate } from "../l10n.ts";
import type { Announcer } from "./announcer.ts";
import { retryText, silenceText } from "./arrivalTexts.ts";

/** Reads out what an event of the arriving answer tells. */
export function announceEvent(event: TranscriptEvent, announcer: Announcer, t: Translate): void {
  if (event.type === "text-delta") {
    announcer.readText(event.text);
  } else if (event.type === "answer-ended") {
    announceEnd(event.state.kind, announcer, t);
  } else if (event.type === "retry-announced") {
    announcer.say(retryText(event.state, Math.ceil(event.state.waitMs / 1000), t));
  } else if (event.type === "silence" && event.seconds > 0) {
    announcer.say(silenceText(event.seconds, t));
  }
}

function announceEnd(
  kind: "complete" | "stopped" | "interrupted" | "failed",
  announcer: Announcer,
  t: Translate,
): void {
  switch (kind) {
    case "complete":
      announcer.endText(t("Answer complete"));
      return;
    case "stopped":
      announcer.endText(t("Stopped."));
      return;
    case "interrupted":
      announcer.endText(t("Interrupted: the editor closed before the answer ended."));
      return;
    case "failed":
      // The alert speaks for itself.
      announcer.endText();
  }
}
