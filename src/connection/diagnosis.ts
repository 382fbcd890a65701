import type { Cause } from "../client/cause.ts";

/** What a person can do about a failure with one click. */
export type DiagnosisActionId =
  | "set-api-key"
  | "select-model"
  | "edit-connection"
  | "add-connection"
  | "check-connection"
  | "show-log"
  | "retry"
  | "new-chat";

/** A failure explained to a person. Plain JSON, without key, header or conversation. */
export interface Diagnosis {
  readonly cause: Cause;
  /** A few words: "The API key has expired". */
  readonly title: string;
  /** What it means and what to do, in one or two sentences. */
  readonly explanation: string;
  /** Facts that led here: status, the server's first line in quotes, host, address. Redacted. */
  readonly evidence: readonly string[];
  readonly actions: readonly { readonly id: DiagnosisActionId; readonly label: string }[];
  readonly requestId?: string;
}
