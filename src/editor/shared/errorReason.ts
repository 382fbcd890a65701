import type { Translate } from "../../text/translate.ts";

/** Replaces any error of secret storage, whose message might contain the secret. */
export class SecretStoreError extends Error {
  constructor() {
    super("The secret storage failed.");
    this.name = "SecretStoreError";
  }
}

/** Names of errors whose message is for the user, in their language: ours, and those that VS Code expects. */
const namesOfShownErrors: ReadonlySet<string> = new Set(["Error", "CodeExpectedError"]);

/**
 * Describes why something failed outside of a service. Describes a system error by its code, not by its English
 * message.
 */
export function describeReason(thrown: unknown, t: Translate): string {
  if (thrown instanceof SecretStoreError) return t("the secret storage failed");
  if (!(thrown instanceof Error)) return t("an unexpected error");
  if ("code" in thrown && typeof thrown.code === "string") return describeSystemReason(thrown.code, t);
  if (namesOfShownErrors.has(thrown.name)) return thrown.message;
  return t("an unexpected error ({0})", thrown.name);
}

/** Recognizes a cancellation by its name. VS Code passes on only the name, for example when the window closes. */
export function isCancelled(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "Canceled";
}

function describeSystemReason(code: string, t: Translate): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return t("the disk is full");
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "NoPermissions":
      return t("permission denied");
    case "ENOENT":
    case "FileNotFound":
      return t("the file or folder doesn't exist");
    default:
      return t("error {0}", code);
  }
}
