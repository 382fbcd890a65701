import type { AddressProblem, KeyMend, KeyProblem, KeyStoreProblem } from "../../client/failure/failure.ts";
import { looksLikeKey } from "../../client/http/keyShape.ts";
import type { Translate } from "../../text/translate.ts";
import { readModelName } from "./connection.ts";

/** Describes what was removed from a pasted key, as part of a sentence. */
export function describeKeyMend(mend: KeyMend, t: Translate): string {
  switch (mend) {
    case "blank-around":
      return t("spaces around it");
    case "blank-inside":
      return t("a space inside it");
    case "line-break":
      return t("a line break");
    case "quotes":
      return t("quotes or other punctuation around it");
    case "bearer":
      return t("the word Bearer before it");
    case "header-name":
      return t("the header name before it");
    case "variable-name":
      return t("a variable name before it");
    case "json":
      return t("extra JSON around it");
    case "invisible":
      return t("invisible characters");
    case "label":
      return t("a label before it");
    case "markup":
      return t("Markdown or HTML around it");
    case "surroundings":
      return t("other text around it");
  }
}

/** Explains why a text is not a usable key, and what to do, as a sentence. */
export function describeKeyProblem(problem: KeyProblem, t: Translate): string {
  switch (problem) {
    case "empty":
      return t("Enter an API key.");
    case "not-ascii":
      return t(
        "The key contains characters that API keys don't have, such as accents or symbols. Copy it again.",
      );
    case "url":
      return t("This is a URL, not a key.");
    case "login":
      return t("This is an email address, not an API key. Create an API key at the service.");
    case "session-token":
      return t("This is a console session token, not an API key. Create an API key at the service.");
    case "masked":
      return t("This is a shortened key. Copy the whole key, or create a new one.");
    case "password":
      return t("This is a user name and password, not an API key. Create an API key at the service.");
    case "several":
      return t("This text contains more than one key. Copy only the one you want to use.");
    case "prose":
      return t("This looks like text, not a key. Copy only the key.");
  }
}

/** Explains why the secret storage returned no key, and what to do, in one or two sentences. */
export function describeKeyStoreProblem(problem: KeyStoreProblem, t: Translate): string {
  switch (problem) {
    case "failing":
      return t(
        "Couldn't read the secret storage, so nothing was sent. Unlock your system keyring and try again, or set the API key again.",
      );
    case "lost":
      return t(
        "The API key for this connection is no longer stored. The secret storage was cleared, or it keeps keys only until VS Code closes, for example on Linux without a keyring. Set the API key again, or use an environment variable (Edit Connection).",
      );
    case "garbled":
      return t(
        "The secret storage holds an unexpected value for this connection, so nothing was sent. Set the API key again.",
      );
  }
}

/** Explains why a text is not a model ID, as a sentence. Returns undefined for a valid ID. */
export function describeModelProblem(text: string, t: Translate): string | undefined {
  if (readModelName(text) !== undefined) return undefined;
  return looksLikeKey(text)
    ? t("This looks like an API key, not a model ID.")
    : t("A model ID is a single word without spaces, up to 200 characters.");
}

/** Explains why a base URL is invalid, and what to enter instead. */
export function describeAddressProblem(
  problem: AddressProblem,
  suggestion: string | undefined,
  t: Translate,
): string {
  switch (problem) {
    case "empty":
      return t("Enter a base URL.");
    case "no-scheme":
      return t("The base URL has no https:// or http://. Did you mean {0}?", suggestion ?? "https://…");
    case "other-scheme":
      return t("The base URL must start with https://.");
    case "not-an-address":
      return t("Invalid URL. Use the form https://host.");
    case "credentials":
      return t("The base URL contains a user name or password. Remove it. You enter the API key separately.");
    case "query":
      return t("The base URL must not contain ? or #.");
    case "insecure":
      return t(
        "HTTP is not encrypted and could expose your API key. Use {0}, or allow HTTP in Edit Connection.",
        suggestion ?? "https://…",
      );
  }
}
