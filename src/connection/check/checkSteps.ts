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
/** Steps in order. Most failures end the check, so that the later steps are skipped. */
export const checkStepIds = [...freeStepIds, ...clientStyles.map((style) => styleFacts[style].checkStep)];
export type CheckStepId = (typeof checkStepIds)[number];

/** Plain JSON: part of the result of `inference.checkConnection` (public interface). */
export interface CheckStep {
  readonly id: CheckStepId;
  readonly ok: boolean;
  /** Not run: an earlier step failed, billable steps were not allowed, or the client style does not have this step. */
  readonly skipped?: boolean;
  readonly ms: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly cause?: Cause;
  readonly detail?: string;
  /** How the network connection was made; only for the step `network`. */
  readonly network?: NetworkFacts;
}

export interface CheckResult {
  /** True if every step that the specification requires succeeded. */
  readonly ok: boolean;
  readonly connection: string;
  readonly clientStyle: ClientStyle;
  readonly model: string;
  /** ISO 8601. */
  readonly at: string;
  readonly steps: readonly CheckStep[];
}

/** Returns the client styles that a check tests with billable requests. The connection's own style comes last. */
export function checkedStyles(clientStyle: ClientStyle): readonly ClientStyle[] {
  return [...new Set([defaultClientStyle, clientStyle])];
}

/** Returns the client style of a step's billable request, or undefined for a free step. */
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
