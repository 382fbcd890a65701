import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";

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
