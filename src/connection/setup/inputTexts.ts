import type {
  AddressProblem,
  HeaderProblem,
  KeyMend,
  KeyProblem,
  KeyStoreProblem,
} from "../../client/failure/failure.ts";
import { holdsKey } from "../../client/http/keyShape.ts";
import type { Translate } from "../../text/translate.ts";
import { readModelName } from "./connection.ts";
import type { PasteProblem, UnusedPart } from "./pastedConfiguration.ts";

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
  return holdsKey(text)
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

/** Explains why a header of a connection can't be sent, and what to do, in one or two sentences. */
export function describeHeaderProblem(
  problem: HeaderProblem,
  header: string,
  variable: string | undefined,
  t: Translate,
): string {
  switch (problem) {
    case "not-an-object":
      return t('The property "headers" must be an object with header names and values.');
    case "too-many":
      return t("The connection has too many headers. The maximum is 20.");
    case "name":
      return t(
        "The name of the header {0} contains characters that aren't allowed, or looks like a key.",
        header,
      );
    case "reserved":
      return t("The header {0} can't be set for a connection. Remove the header.", header);
    case "duplicate":
      return t("The header {0} is set more than once. Names are compared without case.", header);
    case "value":
      return t('The value of the header {0} must be a text or {"variable": "NAME"}.', header);
    case "characters":
      return t(
        "The value of the header {0} is empty, or contains characters other than visible ASCII and single spaces.",
        header,
      );
    case "too-long":
      return t("The value of the header {0} is too long. The maximum is 2,000 characters.", header);
    case "secret":
      return t(
        'The value of the header {0} looks like a secret, which settings can\'t protect. Put the value into an environment variable and write {"variable": "NAME"} instead.',
        header,
      );
    case "variable-name":
      return t("The header {0} doesn't name a valid environment variable. Enter only the name.", header);
    case "variable-empty":
      return t(
        "The environment variable {0} for the header {1} was empty or not set when VS Code started. Set the variable and restart VS Code.",
        variable ?? "-",
        header,
      );
    case "variable-value":
      return t(
        "The environment variable {0} for the header {1} contains spaces or other characters that can't be sent, or is too long.",
        variable ?? "-",
        header,
      );
    case "variable-short":
      return t(
        "The value of the environment variable {0} for the header {1} is too short to be a secret. If it isn't secret, write it into the setting.",
        variable ?? "-",
        header,
      );
  }
}

/** Explains why a pasted text gives no connection, and what to do. */
export function describePasteProblem(problem: PasteProblem, t: Translate): string {
  switch (problem.kind) {
    case "empty":
      return t("The clipboard contains no text. Copy a configuration and try again.");
    case "too-long":
      return t("The text in the clipboard is too long. Copy only the configuration.");
    case "unreadable":
      return t("The clipboard contains no readable text. Copy a configuration and try again.");
    case "nothing":
      return t(
        "The clipboard contains no configuration. Copy a Custom Endpoint of VS Code's chat, environment variables, or a curl command.",
      );
    case "no-base-url":
      return t("The configuration in the clipboard contains no base URL. Enter the connection by hand.");
    case "key-in-url":
      return t(
        "The URL in the clipboard seems to contain an API key. Keys in URLs are kept in histories and logs, so use the base URL without the key.",
      );
    case "unclosed":
      return t("A quote in the clipboard isn't closed. Copy the whole configuration.");
    case "unresolved-url":
      return t(
        "The URL in the clipboard contains a variable or a placeholder. Replace it with its value and try again.",
      );
    case "address":
      return t(
        "The URL in the clipboard can't be used. {0}",
        describeAddressProblem(problem.problem, problem.suggestion, t),
      );
  }
}

/** Names a part of a pasted configuration that is not used, as a line of a list. */
export function describeUnusedPart(part: UnusedPart, t: Translate): string {
  switch (part.kind) {
    case "configuration":
      return t("{0} (another configuration)", part.name);
    case "command":
      return t("Another curl command");
    case "model":
      return t("{0} (you can select this model in the chat)", part.name);
    case "header":
      return describeHeaderProblem(part.problem, part.header, undefined, t);
    case "option":
      return t("{0} (an option of curl)", part.name);
    case "key":
      return t("{0} (another API key)", part.name);
    case "unresolved":
      return t("{0} (contains a variable or a placeholder)", part.name);
    case "responses":
      return t("The Responses API, which Inference Chat doesn't support");
    case "unclosed":
      return t("{0} (a quote isn't closed)", part.name);
  }
}
