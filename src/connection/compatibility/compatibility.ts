import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { Translate } from "../../text/translate.ts";
import type { LastingAdaptation } from "../../protocol/encode/adaptation.ts";
import { redact } from "../redaction/redaction.ts";

/** What is tried out, per client style and in this order. */
export const probeIds = [
  "whole-answer",
  "streaming",
  "usage",
  "system",
  "turns",
  "tools",
  "image",
  "stop-reason",
  "max-tokens",
] as const;
export type ProbeId = (typeof probeIds)[number];

/** What a probe came to. `unclear`: taken, and yet nothing seen that proves it. */
export const seenStates = ["yes", "no", "unclear"] as const;
export type SeenState = (typeof seenStates)[number];
/** `unknown`: not probed, and never guessed. */
export type ProbeState = SeenState | "unknown";

/** One thing that was seen of a model over a client style. Plain JSON, without key or conversation. */
export interface ProbeResult {
  readonly clientStyle: ClientStyle;
  readonly probe: ProbeId;
  readonly state: SeenState;
  /** In the user's language; texts of the service in it are redacted. */
  readonly evidence: string;
  /** ISO 8601. */
  readonly at: string;
  readonly status?: number;
  readonly requestId?: string;
}

/** A probe over a style. */
export interface ProbeStep {
  readonly clientStyle: ClientStyle;
  readonly probe: ProbeId;
}

/** Billable requests that the steps make at most: the result of a tool goes back in a second one. */
export function countRequests(steps: readonly Pick<ProbeStep, "probe">[]): number {
  return steps.reduce((sum, { probe }) => sum + (probe === "tools" ? 2 : 1), 0);
}

/** Every step of a verification, in its order: a plain answer comes first in each style. */
export function probeSteps(styles: readonly ClientStyle[], probes: readonly ProbeId[]): readonly ProbeStep[] {
  const ordered = probeIds.filter((probe) => probes.includes(probe));
  return styles.flatMap((clientStyle) => ordered.map((probe) => ({ clientStyle, probe })));
}

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
      return t("Several messages");
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
      return t("A non-streamed answer contains text");
    case "streaming":
      return t("Streams the answer in pieces");
    case "usage":
      return t("Streamed answers report token counts");
    case "system":
      return t("Repeats a word that only the instructions contain");
    case "turns":
      return t("Recalls a word from an earlier message");
    case "tools":
      return t("Calls a tool and uses its result in the answer");
    case "image":
      return t("Names the colors of a small image");
    case "stop-reason":
      return t("Cut-off answers report a stop reason");
    case "max-tokens":
      return t("Stops after one generated token");
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
      return t("Leaves out {0}", adaptation.field);
    case "rename-cap":
      return t("max_tokens is sent as max_completion_tokens");
    case "system-as-user":
      return t("Instructions are sent before the first question");
    case "fill-reasoning":
      return t("Tool calls without known reasoning get a placeholder");
  }
}
