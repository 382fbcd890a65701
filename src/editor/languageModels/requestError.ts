import * as vscode from "vscode";
import type { Cause } from "../../client/failure/cause.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";

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
  switch (cause) {
    case "model-not-found":
      return vscode.LanguageModelError.NotFound.name;
    case "empty-key":
    case "malformed-key":
    case "not-a-key":
    case "invalid-key":
    case "revoked-key":
    case "expired-key":
    case "model-not-allowed":
    case "key-origin-mismatch":
      return vscode.LanguageModelError.NoPermissions.name;
    case "budget-exhausted":
    case "rate-limited":
    case "content-filtered":
      return vscode.LanguageModelError.Blocked.name;
    case "overloaded":
    case "server-error":
    case "bad-request":
    case "context-length":
    case "wrong-host":
    case "wrong-path":
    case "not-an-api":
    case "insecure-address":
    case "network":
    case "proxy":
    case "tls":
    case "timeout":
    case "interrupted":
    case "cancelled":
    case "unknown":
      return undefined;
  }
}

/** The editor shows the stack of what is thrown, with the paths of this extension in it. */
export function withoutStack(error: unknown): Error {
  const shown = error instanceof Error ? error : new Error(String(error));
  Object.defineProperty(shown, "stack", { value: undefined, configurable: true });
  return shown;
}
