import * as vscode from "vscode";
import type { Cause } from "../../client/cause.ts";
import type { Diagnosis } from "../../connection/diagnosis.ts";

const blocking: ReadonlySet<Cause> = new Set(["rate-limited", "budget-exhausted", "content-filtered"]);
const keyless: ReadonlySet<Cause> = new Set([
  "empty-key",
  "malformed-key",
  "not-a-key",
  "invalid-key",
  "revoked-key",
  "expired-key",
  "key-origin-mismatch",
  "model-not-allowed",
]);

/** A failure as extensions read it: the diagnosis as its message, and the API's own code where it has one. */
export function toRequestError({ title, explanation, requestId, cause }: Diagnosis): Error {
  const id = requestId === undefined ? "" : ` ${vscode.l10n.t("Request ID: {0}", requestId)}`;
  const message = `${title}. ${explanation}${id}`;
  const { LanguageModelError } = vscode;
  if (cause === "model-not-found") return LanguageModelError.NotFound(message);
  if (keyless.has(cause)) return LanguageModelError.NoPermissions(message);
  return blocking.has(cause) ? LanguageModelError.Blocked(message) : new Error(message);
}

/** The editor shows the stack of what is thrown, with the paths of this extension in it. */
export function withoutStack(error: unknown): Error {
  const shown = error instanceof Error ? error : new Error(String(error));
  Object.defineProperty(shown, "stack", { value: undefined, configurable: true });
  return shown;
}
