import type { AddressProblem, KeyMend, KeyProblem, KeyStoreProblem } from "../../client/failure/failure.ts";
import { looksLikeKey } from "../../client/http/keyShape.ts";
import type { Translate } from "../../text/translate.ts";
import { readModelName } from "./connection.ts";

/** What was taken off a pasted key, as a part of a sentence. */
export function describeKeyMend(mend: KeyMend, t: Translate): string {
  switch (mend) {
    case "blank-around":
      return t("blanks around it");
    case "blank-inside":
      return t("a blank inside it");
    case "line-break":
      return t("a line break");
    case "quotes":
      return t("quotes or other punctuation around it");
    case "bearer":
      return t("the word Bearer in front");
    case "header-name":
      return t("the name of the header in front");
    case "variable-name":
      return t("the name of a variable in front");
    case "json":
      return t("the JSON around it");
    case "invisible":
      return t("invisible characters");
    case "label":
      return t("a label in front");
    case "markup":
      return t("Markdown or HTML around it");
    case "surroundings":
      return t("other text around it");
  }
}

/** Why nothing can be made of a key, and what to do, as a sentence. */
export function describeKeyProblem(problem: KeyProblem, t: Translate): string {
  switch (problem) {
    case "empty":
      return t("The key is empty.");
    case "not-ascii":
      return t("The key has characters that no API key has, such as accents or symbols. Copy it again.");
    case "url":
      return t("This is a web address, not a key.");
    case "login":
      return t("This is an e-mail address. An account login is not an API key; create a key at the service.");
    case "session-token":
      return t(
        "This is a session token of a console or an account, not an API key. Create a key at the service.",
      );
    case "masked":
      return t("This is a shortened display of a key. Copy the whole key, or create a new one.");
    case "password":
      return t("This is a user name with a password, not an API key. Create a key at the service.");
    case "several":
      return t("This text holds more than one key. Copy the one you mean alone.");
    case "prose":
      return t("This is a text, not a key. Copy the key alone.");
  }
}

/** Why the secret store gave no key, and what to do, in one or two sentences. */
export function describeKeyStoreProblem(problem: KeyStoreProblem, t: Translate): string {
  switch (problem) {
    case "failing":
      return t(
        "The editor's secret store could not be read, so nothing was sent. Unlock the system's keyring and try again, or set the API key again.",
      );
    case "lost":
      return t(
        "A key was stored for this connection, but the editor's secret store has not kept it: it was cleared, or keeps secrets for one session only, as on Linux without a keyring. Set the API key again, or name an environment variable for it in Edit Connection.",
      );
    case "garbled":
      return t(
        "What the editor's secret store holds for this connection is not a key that was stored here, so nothing was sent. Set the API key again.",
      );
  }
}

/** Why a text is no model's ID, as a sentence; undefined where it is one. */
export function describeModelProblem(text: string, t: Translate): string | undefined {
  if (readModelName(text) !== undefined) return undefined;
  return looksLikeKey(text)
    ? t("This looks like a key, not a model.")
    : t("A model's ID is one word without blanks, of at most 200 characters.");
}

/** Why an address cannot be used, and what to write instead. */
export function describeAddressProblem(
  problem: AddressProblem,
  suggestion: string | undefined,
  t: Translate,
): string {
  switch (problem) {
    case "empty":
      return t("The address is empty.");
    case "no-scheme":
      return t("The address lacks its beginning. Did you mean {0} ?", suggestion ?? "https://…");
    case "other-scheme":
      return t("The address must begin with https://.");
    case "not-an-address":
      return t("This is not an address. Write it as https://host.");
    case "credentials":
      return t("The address holds a user name or password. Leave them out; the key is asked for separately.");
    case "query":
      return t("The address must end before the ? or #.");
    case "insecure":
      return t(
        "With http the key could be read on the way. Use {0}, or allow http for this connection by Edit Connection.",
        suggestion ?? "https://…",
      );
  }
}
