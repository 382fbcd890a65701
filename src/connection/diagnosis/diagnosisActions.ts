import type { Cause } from "../../client/failure/cause.ts";
import type { Translate } from "../../l10n.ts";

export const diagnosisActionIds = [
  "set-api-key",
  "select-model",
  "edit-connection",
  "add-connection",
  "check-connection",
  "show-log",
  "retry",
  "new-chat",
  "change-max-tokens",
  "select-client-style",
  "learn-more",
] as const;

/** What a person can do about a failure with one click. */
export type DiagnosisActionId = (typeof diagnosisActionIds)[number];

/** The most promising first; behind them all comes the page about the cause. */
const actionIds: Readonly<Record<Cause, readonly DiagnosisActionId[]>> = {
  "empty-key": ["set-api-key", "edit-connection"],
  "malformed-key": ["set-api-key", "check-connection"],
  "not-a-key": ["set-api-key"],
  "invalid-key": ["set-api-key", "edit-connection", "check-connection"],
  "revoked-key": ["set-api-key", "check-connection"],
  "expired-key": ["set-api-key", "check-connection"],
  "budget-exhausted": ["set-api-key", "select-model", "retry"],
  "model-not-allowed": ["select-model", "set-api-key"],
  "model-not-found": ["select-model", "check-connection"],
  "rate-limited": ["retry", "show-log"],
  overloaded: ["retry", "select-model", "show-log"],
  "server-error": ["retry", "check-connection", "show-log"],
  "bad-request": ["select-model", "retry", "show-log"],
  "context-length": ["new-chat", "select-model"],
  "content-filtered": ["new-chat", "select-model"],
  "wrong-host": ["edit-connection", "check-connection"],
  "wrong-path": ["edit-connection", "check-connection"],
  "not-an-api": ["edit-connection", "check-connection", "show-log"],
  "insecure-address": ["edit-connection"],
  "key-origin-mismatch": ["set-api-key", "edit-connection"],
  network: ["retry", "check-connection", "edit-connection"],
  proxy: ["check-connection", "retry", "show-log"],
  tls: ["check-connection", "edit-connection", "show-log"],
  timeout: ["retry", "check-connection"],
  interrupted: ["retry", "check-connection"],
  cancelled: ["retry"],
  unknown: ["retry", "check-connection", "show-log"],
};

/** @param mend what mends this failure, ahead of what mends others of its cause */
export function actionsFor(
  cause: Cause,
  mend: DiagnosisActionId | undefined,
  t: Translate,
): readonly { readonly id: DiagnosisActionId; readonly label: string }[] {
  const first = mend === undefined ? [] : [mend];
  return [...first, ...actionIds[cause], "learn-more" as const].map((id) => ({ id, label: labelOf(id, t) }));
}

function labelOf(id: DiagnosisActionId, t: Translate): string {
  switch (id) {
    case "set-api-key":
      return t("Set API Key");
    case "select-model":
      return t("Select Model");
    case "edit-connection":
      return t("Edit Connection");
    case "add-connection":
      return t("Add Connection");
    case "check-connection":
      return t("Check Connection");
    case "show-log":
      return t("Show Log");
    case "retry":
      return t("Retry");
    case "new-chat":
      return t("New Chat");
    case "change-max-tokens":
      return t("Change inference.maxTokens");
    case "select-client-style":
      return t("Select Client Style");
    case "learn-more":
      return t("Learn More");
  }
}
