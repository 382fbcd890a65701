import type { Translate } from "../../text/translate.ts";

/** Thrown in the place of whatever the store threw, whose text might hold what it was given. */
export class SecretStoreError extends Error {
  constructor() {
    super("The secret store failed.");
    this.name = "SecretStoreError";
  }
}

/** Names of errors whose message is for people: ours, and those that the editor foresees, in the user's language. */
const namesOfShownErrors: ReadonlySet<string> = new Set(["Error", "CodeExpectedError"]);

/** Why something failed that does not come from a service. What the system says in English is named by its code. */
export function describeReason(thrown: unknown, t: Translate): string {
  if (thrown instanceof SecretStoreError) return t("the secret storage failed");
  if (!(thrown instanceof Error)) return t("an unexpected error");
  if ("code" in thrown && typeof thrown.code === "string") return describeSystemReason(thrown.code, t);
  if (namesOfShownErrors.has(thrown.name)) return thrown.message;
  return t("an unexpected error ({0})", thrown.name);
}

/** By its name, which is all that is left of it where it comes out of the editor, as when the window closes. */
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
