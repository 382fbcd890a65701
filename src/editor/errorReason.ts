import * as vscode from "vscode";
import { InferenceError } from "../client/failure.ts";
import { SecretStoreError } from "./checkedSecrets.ts";

/** Says that something failed, and why; `say` puts the reason into its sentence. */
export function tellError(thrown: unknown, say: (reason: string) => string): void {
  const told = reasonOf(thrown).then((reason) => vscode.window.showErrorMessage(say(reason)));
  told.then(undefined, () => undefined);
}

/** Why something failed, in the user's language. What the system says in English is named by its code. */
async function reasonOf(thrown: unknown): Promise<string> {
  if (thrown instanceof InferenceError) {
    const { causeOf, nameOfCause } = await import("./clientModules.ts");
    return nameOfCause(causeOf(thrown.failure), vscode.l10n.t);
  }
  return localReasonOf(thrown);
}

/** The same for what cannot come from a service. */
export function localReasonOf(thrown: unknown): string {
  if (thrown instanceof SecretStoreError) return vscode.l10n.t("the secret store failed");
  if (!(thrown instanceof Error)) return vscode.l10n.t("an error that nobody foresaw");
  if ("code" in thrown && typeof thrown.code === "string") return systemReasonOf(thrown.code);
  // Ours say it in the user's language, and so does the editor.
  if (thrown.name === "Error") return thrown.message;
  return vscode.l10n.t("an error that nobody foresaw ({0})", thrown.name);
}

function systemReasonOf(code: string): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return vscode.l10n.t("the disk is full");
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "NoPermissions":
      return vscode.l10n.t("no permission");
    case "ENOENT":
    case "FileNotFound":
      return vscode.l10n.t("the file or folder is not there");
    default:
      return vscode.l10n.t("error {0}", code);
  }
}
