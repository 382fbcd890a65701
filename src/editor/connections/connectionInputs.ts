import * as vscode from "vscode";
import { endpointOf, readAddress, type ServiceAddress } from "../../client/http/address.ts";
import { holdsKey, looksLikeKey } from "../../client/http/keyShape.ts";
import type { KeySeal } from "../../client/key/keySeal.ts";
import {
  describeAddressProblem,
  describeKeyMend,
  describeKeyProblem,
  describeModelProblem,
} from "../../connection/setup/inputTexts.ts";
import { clientStyles, type ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { ConnectionHeader } from "../../connection/setup/connectionHeaders.ts";
import type { SealedKey } from "../key/storedKeys.ts";
import { promptForText, type TextPrompt } from "../shared/promptForText.ts";
import { showWarning } from "../shared/notices.ts";
import { readKey } from "../../connection/setup/keyHygiene.ts";
import { isVariableName } from "../../connection/setup/connection.ts";
import { readExpiry } from "../../connection/setup/expiry.ts";

// Prompts for the properties of a connection. Each prompt resolves to undefined on Escape.

/** A valid base URL as typed, and whether the user allowed HTTP. */
export interface AddressInput {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
}

/** The properties of a connection, without its key. Absent properties are not saved. */
export interface NewConnection {
  readonly name: string;
  readonly address: ServiceAddress;
  readonly clientStyle: ClientStyle;
  readonly allowHttp?: boolean;
  readonly model?: string;
  readonly keyVariable?: string;
  readonly headers?: readonly ConnectionHeader[];
}

interface AddressPrompt {
  readonly title: string;
  readonly connectionName: string;
  /** The current value. Consent to HTTP for its host is not asked again. */
  readonly current?: AddressInput;
}

/** Asks for a base URL. Undefined on Escape. Accepts HTTP to another machine only with consent. */
export async function promptForAddress(question: AddressPrompt): Promise<AddressInput | undefined> {
  const { title, connectionName, current } = question;
  let value = current?.baseUrl;
  for (;;) {
    const typed = await promptForText({
      title,
      prompt: vscode.l10n.t("Base URL of the service. You can paste it with /v1 or an endpoint path."),
      placeholder: "https://host",
      ...(value === undefined ? {} : { value }),
      validate: validateAddress,
    });
    if (typed === undefined) return undefined;
    const baseUrl = typed.trim();
    if (readAddress(baseUrl).kind === "address") return { baseUrl, allowHttp: false };
    if (current?.allowHttp === true && isSameHost(baseUrl, current.baseUrl))
      return { baseUrl, allowHttp: true };
    const answer = await pickEncryption(title, connectionName, baseUrl);
    if (answer !== undefined) return answer;
    value = baseUrl;
  }
}

/** Explains the risk of HTTP. Returns true if the user allows it. */
export async function confirmHttp(connectionName: string, host: string): Promise<boolean> {
  const allow = vscode.l10n.t("Allow HTTP");
  const chosen = await showWarning(
    vscode.l10n.t("Send the API key for '{0}' to {1} without encryption?", connectionName, host),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Anyone on the network can read and change everything you send and receive: your API key, your questions, your code, and the answers. Your choice applies only to this connection and is saved in your user settings. The status bar and the chat keep showing a warning.",
      ),
    },
    allow,
  );
  return chosen === allow;
}

/** Explains the risk of an HTTP base URL, and offers HTTPS. Undefined on Escape, or if the user doesn't agree. */
export async function pickEncryption(
  title: string,
  connectionName: string,
  baseUrl: string,
): Promise<AddressInput | undefined> {
  const secure = baseUrl.replace(/^http:/i, "https:");
  const useHttps = { label: vscode.l10n.t("Use {0}", secure), detail: vscode.l10n.t("Encrypted") };
  const allowHttp = {
    label: vscode.l10n.t("Allow HTTP for This Connection..."),
    detail: vscode.l10n.t("Not encrypted: others on the network can read your API key and messages"),
  };
  const chosen = await vscode.window.showQuickPick([useHttps, allowHttp], {
    title,
    placeHolder: vscode.l10n.t("HTTP is not encrypted: others could read your API key"),
    ignoreFocusOut: true,
  });
  if (chosen === useHttps) return { baseUrl: secure, allowHttp: false };
  if (chosen !== allowHttp) return undefined;
  const host = URL.parse(baseUrl)?.host ?? baseUrl;
  return (await confirmHttp(connectionName, host)) ? { baseUrl, allowHttp: true } : undefined;
}

/** Warns of a host name with letters of other scripts, which can look alike. Empty for other hosts. */
export function describeEncodedHost({ origin }: ServiceAddress): readonly string[] {
  if (!/(?:\/\/|\.)xn--/.test(origin)) return [];
  return [
    vscode.l10n.t(
      "The host name contains non-ASCII letters, which can look like ordinary letters. The name is shown in its encoded form (punycode).",
    ),
  ];
}

function validateAddress(text: string): vscode.InputBoxValidationMessage {
  if (looksLikeKey(text))
    return error(vscode.l10n.t("This looks like an API key, not a URL. You enter the key later."));
  const reading = readAddress(text);
  if (reading.kind === "problem" && reading.problem === "insecure") {
    const message = vscode.l10n.t(
      "HTTP is not encrypted and could expose your API key. Press Enter, then select whether to use https or HTTP.",
    );
    return { message, severity: vscode.InputBoxValidationSeverity.Warning };
  }
  if (reading.kind === "problem") {
    return error(describeAddressProblem(reading.problem, reading.suggestion, vscode.l10n.t));
  }
  const { address } = reading;
  const endpoints = clientStyles.map((style) => endpointOf(address, style).href);
  const either = new Intl.ListFormat(vscode.env.language, { type: "disjunction" }).format(endpoints);
  const message = vscode.l10n.t("Requests go to {0}", either);
  return { message, severity: vscode.InputBoxValidationSeverity.Info };
}

function isSameHost(left: string, right: string): boolean {
  const host = URL.parse(left)?.host;
  return host !== undefined && host === URL.parse(right)?.host;
}

/** Names that a connection cannot have: of other connections, and of stored keys. */
export interface TakenNames {
  readonly used: readonly string[];
  readonly keyed?: readonly string[];
}

export async function promptForName(
  title: string,
  taken: TakenNames,
  value?: string,
  button?: TextPrompt["button"],
): Promise<string | undefined> {
  const name = await promptForText({
    title,
    prompt:
      button === undefined
        ? vscode.l10n.t(
            "Enter a name for this connection, for example your customer or project. The status bar and the chat show this name.",
          )
        : vscode.l10n.t(
            "Enter a name for this connection, for example your customer or project. Or select the clipboard button to paste a configuration.",
          ),
    placeholder: vscode.l10n.t("Customer or project"),
    ...(button === undefined ? {} : { button }),
    ...(value === undefined ? {} : { value }),
    validate: (text) => {
      if (text.trim() === "") return error(vscode.l10n.t("Give the connection a name."));
      if (holdsKey(text))
        return error(
          vscode.l10n.t("This looks like an API key. Enter a name here. You enter the key later."),
        );
      const problem = describeTakenName(text.trim(), taken);
      return problem === undefined ? undefined : error(problem);
    },
  });
  return name?.trim();
}

export function describeTakenName(name: string, { used, keyed = [] }: TakenNames): string | undefined {
  if (used.includes(name)) return vscode.l10n.t("A connection named '{0}' already exists.", name);
  if (!keyed.includes(name)) return undefined;
  return vscode.l10n.t(
    "The key of a removed connection is still stored under the name '{0}'. Enter another name.",
    name,
  );
}

export async function pickClientStyle(
  title: string,
  address: ServiceAddress | undefined,
  current?: ClientStyle,
): Promise<ClientStyle | undefined> {
  const items = clientStyles.map((style) => ({
    label: style,
    ...(style === current ? { description: vscode.l10n.t("in use") } : {}),
    ...(address === undefined ? {} : { detail: `POST ${endpointOf(address, style).href}` }),
    style,
  }));
  const placeHolder = vscode.l10n.t("Which client style (format of requests) does the service use?");
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
  return picked?.style;
}

/** Asks for an API key. Problems of the pasted key are shown, and only a valid key is returned. */
export async function promptForKey(
  title: string,
  connectionName: string,
  seal: KeySeal,
): Promise<SealedKey | undefined> {
  const pasted = await promptForText({
    title,
    prompt: vscode.l10n.t(
      "Enter the API key for '{0}'. The key is stored in the secret storage and sent only to {1}.",
      connectionName,
      seal.toString(),
    ),
    password: true,
    validate: validateKey,
  });
  if (pasted === undefined) return undefined;
  const reading = readKey(pasted);
  return reading.kind === "unusable" ? undefined : { key: reading.key, seal };
}

function validateKey(text: string): vscode.InputBoxValidationMessage | undefined {
  const reading = readKey(text);
  switch (reading.kind) {
    case "clean":
      return undefined;
    case "mended": {
      const list = reading.mends.map((mend) => describeKeyMend(mend, vscode.l10n.t)).join(", ");
      const message = vscode.l10n.t(
        "Extra characters around the key will be removed: {0}. Press Enter to continue.",
        list,
      );
      return { message, severity: vscode.InputBoxValidationSeverity.Warning };
    }
    case "unusable":
      return error(describeKeyProblem(reading.problem, vscode.l10n.t));
  }
}

/** Resolves to undefined on Escape, and to "" for no default model. */
export async function promptForDefaultModel(
  connectionName: string,
  value: string,
): Promise<string | undefined> {
  const model = await promptForText({
    title: vscode.l10n.t("Default Model for '{0}'", connectionName),
    prompt: vscode.l10n.t(
      "The model for workspaces where no model is selected. Leave empty for no default model.",
    ),
    placeholder: vscode.l10n.t("Model ID"),
    value,
    validate: (text) => {
      const problem = text.trim() === "" ? undefined : describeModelProblem(text, vscode.l10n.t);
      return problem === undefined ? undefined : error(problem);
    },
  });
  return model?.trim();
}

/** Resolves to undefined on Escape, and to "" for no expiration date. */
export async function promptForExpiryDate(
  connectionName: string,
  value: string,
): Promise<string | undefined> {
  const expires = await promptForText({
    title: vscode.l10n.t("Expiration Date for '{0}'", connectionName),
    prompt: vscode.l10n.t("The last day the key is valid. Leave empty if it doesn't expire."),
    placeholder: vscode.l10n.t("YYYY-MM-DD"),
    value,
    validate: validateExpiryDate,
  });
  return expires?.trim();
}

function validateExpiryDate(text: string): vscode.InputBoxValidationMessage | undefined {
  if (text.trim() === "") return undefined;
  const expiry = readExpiry(text.trim(), new Date());
  if (expiry === undefined) {
    return error(vscode.l10n.t("Invalid date. Use YYYY-MM-DD, for example 2027-01-31."));
  }
  if (expiry.kind !== "expired") return undefined;
  return {
    message: vscode.l10n.t("This date is in the past. Press Enter to use it anyway."),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

/** @param isSet whether an environment variable has a value in this VS Code session */
export async function promptForKeyVariable(
  connectionName: string,
  value: string,
  isSet: (variable: string) => boolean,
): Promise<string | undefined> {
  const variable = await promptForText({
    title: vscode.l10n.t("Environment Variable for '{0}'", connectionName),
    prompt: vscode.l10n.t("The name of the environment variable that holds the API key (not the key itself)"),
    placeholder: "INFERENCE_API_KEY",
    value,
    validate: (text) => {
      if (looksLikeKey(text))
        return error(
          vscode.l10n.t(
            "This looks like an API key. Enter only the name of the environment variable, because this text is saved in your settings.",
          ),
        );
      if (!isVariableName(text.trim()))
        return error(
          vscode.l10n.t(
            "Variable names can contain letters, digits, and underscores, and can't start with a digit.",
          ),
        );
      if (isSet(text.trim())) return undefined;
      return {
        message: vscode.l10n.t(
          "The environment variable {0} is not set in VS Code. Press Enter to use it anyway, but set it and restart VS Code before you chat.",
          text.trim(),
        ),
        severity: vscode.InputBoxValidationSeverity.Warning,
      };
    },
  });
  return variable?.trim();
}

function error(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Error };
}
