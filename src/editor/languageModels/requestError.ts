import * as vscode from "vscode";
import type { Cause } from "../../client/failure/cause.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";

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

/**
 * A failure as extensions read it: the diagnosis as its message, and `code` as the API has it. It is no
 * `LanguageModelError`: of those the editor makes new ones for the caller, with a stack.
 */
export function toRequestError({ title, explanation, requestId, cause }: Diagnosis): Error {
  const id = requestId === undefined ? "" : ` ${vscode.l10n.t("Request ID: {0}", requestId)}`;
  const code = codeOf(cause);
  const error = new Error(`${title}. ${explanation}${id}`);
  return code === undefined ? error : Object.assign(error, { code });
}

function codeOf(cause: Cause): string | undefined {
  if (cause === "model-not-found") return vscode.LanguageModelError.NotFound.name;
  if (keyless.has(cause)) return vscode.LanguageModelError.NoPermissions.name;
  return blocking.has(cause) ? vscode.LanguageModelError.Blocked.name : undefined;
}

/** The editor shows the stack of what is thrown, with the paths of this extension in it. */
export function withoutStack(error: unknown): Error {
  const shown = error instanceof Error ? error : new Error(String(error));
  Object.defineProperty(shown, "stack", { value: undefined, configurable: true });
  return shown;
}
