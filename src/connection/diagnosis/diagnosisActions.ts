import type { Translate } from "../../text/translate.ts";

export const diagnosisActionIds = [
  "set-api-key",
  "select-model",
  "edit-connection",
  "open-connections-setting",
  "add-connection",
  "check-connection",
  "show-log",
  "retry",
  "new-chat",
  "change-max-tokens",
  "select-client-style",
  "learn-more",
] as const;

/** Actions that the user can take after a failure with one click. */
export type DiagnosisActionId = (typeof diagnosisActionIds)[number];

export function labelOfAction(id: DiagnosisActionId, t: Translate): string {
  switch (id) {
    case "set-api-key":
      return t("Set API Key");
    case "select-model":
      return t("Select Model");
    case "edit-connection":
      return t("Edit Connection");
    case "open-connections-setting":
      return t("Open Settings");
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
