import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { thinkingField } from "../../protocol/encode/effort.ts";
import type { Translate } from "../../text/translate.ts";
import type { LastingAdaptation } from "../../protocol/encode/adaptation.ts";
import { redact } from "../redaction/redaction.ts";

/** The probes for each client style, in this order. */
export const probeIds = [
  "whole-answer",
  "streaming",
  "usage",
  "system",
  "turns",
  "tools",
  "image",
  "pdf",
  "stop-reason",
  "max-tokens",
  "effort",
] as const;
export type ProbeId = (typeof probeIds)[number];

/** The result of a probe. `unclear`: the service accepted the request, but nothing proves that the feature works. */
export const seenStates = ["yes", "no", "unclear"] as const;
export type SeenState = (typeof seenStates)[number];
/** `unknown`: not probed. The state is never guessed. */
export type ProbeState = SeenState | "unknown";

/** One observation about a model with a client style. Plain JSON, without key or conversation. */
export interface ProbeResult {
  readonly clientStyle: ClientStyle;
  readonly probe: ProbeId;
  readonly state: SeenState;
  /** In the user's language. Quoted texts of the service are redacted. */
  readonly evidence: string;
  /** ISO 8601. */
  readonly at: string;
  readonly status?: number;
  readonly requestId?: string;
}

export interface ProbeStep {
  readonly clientStyle: ClientStyle;
  readonly probe: ProbeId;
}

/** Counts the maximum number of billable requests. The probe `tools` sends a second request with the tool result. */
export function countRequests(steps: readonly Pick<ProbeStep, "probe">[]): number {
  return steps.reduce((sum, { probe }) => sum + (probe === "tools" ? 2 : 1), 0);
}

/** Returns all steps of a verification: one client style after the other, each in the order of `probeIds`. */
export function probeSteps(styles: readonly ClientStyle[], probes: readonly ProbeId[]): readonly ProbeStep[] {
  const ordered = probeIds.filter((probe) => probes.includes(probe));
  return styles.flatMap((clientStyle) => ordered.map((probe) => ({ clientStyle, probe })));
}

/** Quotes a text of the service: redacted, on one line, and truncated to `maxLength` UTF-16 units. */
export function quote(text: string, maxLength = 60): string {
  const line = redact(text);
  return `“${line.length > maxLength ? `${line.slice(0, maxLength).trimEnd()}…` : line}”`;
}

export function probeTitle(probe: ProbeId, t: Translate): string {
  switch (probe) {
    case "whole-answer":
      return t("Answer without streaming");
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
    case "pdf":
      return t("PDF input");
    case "stop-reason":
      return t("Stop reason");
    case "max-tokens":
      return t("Limit of one token (max_tokens: 1)");
    case "effort":
      return t("Reasoning effort");
  }
}

/** The evidence that a probe looks for. */
export function probeExplanation(probe: ProbeId, t: Translate): string {
  switch (probe) {
    case "whole-answer":
      return t("Without streaming, the answer contains text");
    case "streaming":
      return t("The answer arrives in pieces");
    case "usage":
      return t("Streamed answers report token counts");
    case "system":
      return t("The model repeats a word that only the instructions contain");
    case "turns":
      return t("The model recalls a word from an earlier message");
    case "tools":
      return t("The model calls a tool and uses the tool result in the answer");
    case "image":
      return t("The model names the colors of a small image");
    case "pdf":
      return t("The model reads a word in a small PDF file");
    case "stop-reason":
      return t("Answers that are cut off report a stop reason");
    case "max-tokens":
      return t("The answer stops after one generated token");
    case "effort":
      return t("The model reasons before it answers");
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

/** How later requests change because the service refused something. */
export function adaptationText(adaptation: LastingAdaptation, t: Translate): string {
  switch (adaptation.kind) {
    case "omit":
      return t("{0} is not sent", adaptation.field);
    case "omit-thinking":
      return t("{0} is not sent", thinkingField);
    case "rename-cap":
      return t("max_tokens is sent as max_completion_tokens");
    case "system-as-user":
      return t("Instructions are sent as part of the first question");
    case "fill-reasoning":
      return t("If the reasoning for a tool call is unknown, a placeholder is sent");
  }
}
