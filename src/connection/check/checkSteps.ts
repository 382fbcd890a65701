import type { Cause } from "../../client/failure/cause.ts";
import type { Translate } from "../../text/translate.ts";
import {
  type ClientStyle,
  clientStyles,
  defaultClientStyle,
  styleFacts,
} from "../../protocol/conversation/wireStyle.ts";
import type { NetworkFacts } from "./networkFacts.ts";

const freeStepIds = ["address", "key", "network", "models"] as const;
/** The steps in their order; each later one leans on those before it. */
export const checkStepIds = [...freeStepIds, ...clientStyles.map((style) => styleFacts[style].checkStep)];
export type CheckStepId = (typeof checkStepIds)[number];

/** Plain JSON, as `inference.checkConnection` resolves to it (public interface). */
export interface CheckStep {
  readonly id: CheckStepId;
  readonly ok: boolean;
  /** Not done: an earlier step failed, it is not billable today, or the style has no such step. */
  readonly skipped?: boolean;
  readonly ms: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly cause?: Cause;
  readonly detail?: string;
  /** How the connection came about; at the step `network` only. */
  readonly network?: NetworkFacts;
}

export interface CheckResult {
  /** True only when every request the specification asks for had a success status. */
  readonly ok: boolean;
  readonly connection: string;
  readonly clientStyle: ClientStyle;
  readonly model: string;
  /** ISO 8601. */
  readonly at: string;
  readonly steps: readonly CheckStep[];
}

/** The styles that a check of a connection makes a billable request in; its own one is the last. */
export function checkedStyles(clientStyle: ClientStyle): readonly ClientStyle[] {
  return [...new Set([defaultClientStyle, clientStyle])];
}

/** The style that a step makes a billable request in; undefined for a free step. */
export function styleOfStep(id: CheckStepId): ClientStyle | undefined {
  return clientStyles.find((style) => styleFacts[style].checkStep === id);
}

export function nameOfStep(id: CheckStepId, t: Translate): string {
  const free = freeStepIds.find((each) => each === id);
  if (free !== undefined) return nameOfFreeStep(free, t);
  const style = styleOfStep(id);
  return style === undefined ? id : styleFacts[style].checkStepTitle(t);
}

function nameOfFreeStep(id: (typeof freeStepIds)[number], t: Translate): string {
  switch (id) {
    case "address":
      return t("Base URL");
    case "key":
      return t("API key");
    case "network":
      return t("Network");
    case "models":
      return t("Model list");
  }
}
