import type { AnswerTurn, TranscriptEvent } from "../../chat/transcript/transcript.ts";
import type { Translate } from "../../l10n.ts";
import type { Announcer } from "./announcer.ts";
import { answerNotice } from "./answerNotice.ts";
import { pageLanguage } from "../controls/numberText.ts";
import { retryText, silenceText } from "./arrivalTexts.ts";

/** Reads out what an event of the arriving answer tells. */
export function announceEvent(
  event: TranscriptEvent,
  arriving: AnswerTurn,
  announcer: Announcer,
  t: Translate,
): void {
  if (event.type === "text-delta") {
    announcer.readText(event.text);
  } else if (event.type === "answer-ended") {
    const { state } = event;
    // The alert of a failure speaks for itself.
    announcer.endText(
      state.kind === "failed"
        ? undefined
        : (answerNotice({ ...arriving, state }, { t, language: pageLanguage() }) ?? t("Answer complete")),
    );
  } else if (event.type === "retry-announced") {
    announcer.say(retryText(event.state, Math.ceil(event.state.waitMs / 1000), t));
  } else if (event.type === "silence" && event.seconds > 0) {
    announcer.say(silenceText(event.seconds, t));
  }
}
