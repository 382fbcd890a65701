import type { Translate } from "../../l10n.ts";
import type { LastingAdaptation } from "../../protocol/encode/adaptation.ts";
import type { ProbeId, ProbeState } from "./compatibility.ts";
import { redact } from "../redaction/redaction.ts";

/** A text of the service's in quotes, redacted and on one line, of so many characters at most. */
export function quote(text: string, maxLength = 60): string {
  const line = redact(text);
  return `“${line.length > maxLength ? `${line.slice(0, maxLength).trimEnd()}…` : line}”`;
}

/** What a probe is called in lists and tables. */
export function probeTitle(probe: ProbeId, t: Translate): string {
  switch (probe) {
    case "whole-answer":
      return t("Whole answer");
    case "streaming":
      return t("Streaming");
    case "usage":
      return t("Usage");
    case "system":
      return t("System instructions");
    case "turns":
      return t("Several turns");
    case "tools":
      return t("Tool use");
    case "image":
      return t("Image input");
    case "stop-reason":
      return t("Stop reason");
    case "max-tokens":
      return t("max_tokens of 1");
  }
}

/** What a probe takes for proof. */
export function probeExplanation(probe: ProbeId, t: Translate): string {
  switch (probe) {
    case "whole-answer":
      return t("An answer in one piece has text");
    case "streaming":
      return t("An answer arrives piece by piece");
    case "usage":
      return t("Token counts come with a streamed answer");
    case "system":
      return t("A word that only the instructions name comes back");
    case "turns":
      return t("A word of an earlier turn comes back");
    case "tools":
      return t("A tool is called, and its result is used in the answer");
    case "image":
      return t("The colours of a small picture are named");
    case "stop-reason":
      return t("A cut answer says why it ended");
    case "max-tokens":
      return t("One generated token, and no more");
  }
}

export function stateText(state: ProbeState, t: Translate): string {
  switch (state) {
    case "yes":
      return t("yes");
    case "no":
      return t("no");
    case "unclear":
      return t("unclear");
    case "unknown":
      return t("unknown");
  }
}

/** How later requests are written because of what was refused. */
export function adaptationText(adaptation: LastingAdaptation, t: Translate): string {
  switch (adaptation.kind) {
    case "omit":
      return t("{0} is left out", adaptation.field);
    case "rename-cap":
      return t("max_tokens is sent as max_completion_tokens");
    case "system-as-user":
      return t("System instructions go ahead of the first question");
    case "fill-reasoning":
      return t("Tool calls without known reasoning get a placeholder");
  }
}
