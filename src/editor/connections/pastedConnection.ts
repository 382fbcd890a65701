import * as vscode from "vscode";
import { endpointOf, readAddress, type ServiceAddress } from "../../client/http/address.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import {
  describeKeyProblem,
  describePasteProblem,
  describeUnusedPart,
} from "../../connection/setup/inputTexts.ts";
import {
  type PastedConfiguration,
  type PastedKey,
  readPastedConfiguration,
} from "../../connection/setup/pastedConfiguration.ts";
import type { SealedKey } from "../key/storedKeys.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import {
  describeEncodedHost,
  describeTakenName,
  type NewConnection,
  pickClientStyle,
  pickEncryption,
  promptForKey,
  promptForName,
  type TakenNames,
} from "./connectionInputs.ts";

// Adds a connection from a configuration in the clipboard. The clipboard is only read when the user selects the button.

/** A configuration, and the text of the clipboard that it was read from. */
export interface Pasted {
  readonly configuration: PastedConfiguration;
  readonly text: string;
}

/** UTF-16 units of a header's text in the review. */
const maxShownCharacters = 200;

type Start =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "pasted"; readonly pasted: Pasted };

/** Asks for a name, or reads a configuration from the clipboard. Undefined on Escape. */
export async function promptForNameOrPaste(title: string, taken: TakenNames): Promise<Start | undefined> {
  let pasted: Pasted | undefined;
  const name = await promptForName(title, taken, undefined, {
    iconPath: new vscode.ThemeIcon("clippy"),
    tooltip: vscode.l10n.t("Paste Configuration from Clipboard"),
    run: async () => {
      const text = await vscode.env.clipboard.readText();
      const reading = readPastedConfiguration(text);
      if (reading.kind === "configuration") pasted = { configuration: reading.configuration, text };
      if (reading.kind === "configuration") return undefined;
      const message = describePasteProblem(reading.problem, vscode.l10n.t);
      return { message, severity: vscode.InputBoxValidationSeverity.Error };
    },
  });
  if (pasted !== undefined) return { kind: "pasted", pasted };
  return name === undefined ? undefined : { kind: "name", name };
}

interface Review {
  readonly connection: NewConnection;
  readonly key: SealedKey | undefined;
}

/**
 * Asks for what the configuration lacks, shows what was understood, and asks about the key. Saves nothing. Undefined if
 * the user stops.
 */
export async function reviewPasted(
  configuration: PastedConfiguration,
  taken: TakenNames,
  isSet: (variable: string) => boolean,
): Promise<Review | undefined> {
  const title = vscode.l10n.t("Add Connection from Clipboard");
  const name = await nameOf(configuration, title, taken);
  if (name === undefined) return undefined;
  const place = await placeOf(configuration, title, name);
  if (place === undefined) return undefined;
  const clientStyle = configuration.clientStyle ?? (await pickClientStyle(title, place.address));
  if (clientStyle === undefined) return undefined;
  const { model, headers } = configuration;
  // A variable that isn't set can't be used until VS Code restarts.
  const keyVariable =
    configuration.key.kind === "variable" && isSet(configuration.key.variable)
      ? configuration.key.variable
      : undefined;
  const connection = {
    name,
    ...place,
    clientStyle,
    ...(model === undefined ? {} : { model }),
    ...(keyVariable === undefined ? {} : { keyVariable }),
    headers,
  };
  if (!(await confirmPasted(configuration, connection))) return undefined;
  if (keyVariable !== undefined) return { connection, key: undefined };
  const seal = KeySeal.of(place.address);
  if (configuration.key.kind !== "key") return { connection, key: await promptForKey(title, name, seal) };
  const stores = await confirmKey(name, seal);
  if (stores === undefined) return undefined;
  return { connection, key: stores ? { key: configuration.key.key, seal } : undefined };
}

/** The name in the configuration, or the host's name for the user to change. */
async function nameOf(
  { name, baseUrl }: PastedConfiguration,
  title: string,
  taken: TakenNames,
): Promise<string | undefined> {
  if (name !== undefined && describeTakenName(name, taken) === undefined) return name;
  return promptForName(title, taken, name ?? URL.parse(baseUrl)?.hostname);
}

async function placeOf(
  { address, baseUrl }: PastedConfiguration,
  title: string,
  name: string,
): Promise<{ readonly address: ServiceAddress; readonly allowHttp?: boolean } | undefined> {
  if (address.kind === "address") return { address: address.address };
  const chosen = await pickEncryption(title, name, baseUrl);
  const reading = chosen && readAddress(chosen.baseUrl, chosen.allowHttp);
  return reading?.kind === "address"
    ? { address: reading.address, ...(chosen?.allowHttp === true ? { allowHttp: true } : {}) }
    : undefined;
}

async function confirmPasted(
  configuration: PastedConfiguration,
  { name, address, clientStyle, keyVariable, headers = [] }: NewConnection,
): Promise<boolean> {
  const t = vscode.l10n.t;
  const { model, key, unused } = configuration;
  const listed = headers.map((header) =>
    header.value.kind === "text"
      ? `${header.name}: ${shownText(header.value.text)}`
      : t("{0} (from the environment variable {1})", header.name, header.value.variable),
  );
  const detail = [
    t("Base URL: {0}", address.base),
    ...describeEncodedHost(address),
    t("Client style: {0}", clientStyle),
    t("Requests go to {0}", endpointOf(address, clientStyle).href),
    ...(model === undefined ? [] : [t("Default model: {0}", model)]),
    ...(listed.length === 0 ? [] : [t("Further headers: {0}", listed.join(", "))]),
    describeKey(key, keyVariable !== undefined),
    ...(unused.length === 0
      ? []
      : ["", t("Not used:"), ...unused.map((part) => `- ${describeUnusedPart(part, t)}`)]),
  ].join("\n");
  const add = t("Add Connection");
  const message = t("Add the connection '{0}' from the clipboard?", name);
  return (await showInformation(message, { modal: true, detail }, add)) === add;
}

/** The dialog can't scroll. */
function shownText(text: string): string {
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}...` : text;
}

/** @param isSet whether the variable that the configuration refers to has a value */
function describeKey(key: PastedKey, isSet: boolean): string {
  const t = vscode.l10n.t;
  switch (key.kind) {
    case "key":
      return t("API key: found. You are asked before the key is stored.");
    case "variable":
      return isSet
        ? t("API key: from the environment variable {0}", key.variable)
        : t(
            "API key: the environment variable {0} isn't set in VS Code. You can enter the key next.",
            key.variable,
          );
    case "elsewhere":
      return t(
        "API key: stored by VS Code, where Inference Chat can't read the key. You can enter the key next.",
      );
    case "unusable":
      return t("API key: can't be used. {0}", describeKeyProblem(key.problem, t));
    case "none":
    case "placeholder":
      return t("API key: none. You can enter the key next.");
  }
}

/** Returns whether to store the key. Undefined if the user cancels. */
async function confirmKey(name: string, seal: KeySeal): Promise<boolean | undefined> {
  const store = vscode.l10n.t("Store Key");
  const without = vscode.l10n.t("Add without Key");
  const chosen = await showWarning(
    vscode.l10n.t("Store the API key from the clipboard for '{0}'?", name),
    {
      modal: true,
      detail: vscode.l10n.t(
        "The key is stored in the secret storage and sent only to {0}. The key is saved nowhere else.",
        seal.toString(),
      ),
    },
    store,
    without,
  );
  return chosen === undefined ? undefined : chosen === store;
}

/** Tells the user that a key is still in the clipboard, and offers to clear the clipboard. */
export async function offerToClear(text: string): Promise<void> {
  const clear = vscode.l10n.t("Clear Clipboard");
  const message = vscode.l10n.t("The clipboard still contains the API key, which other programs can read.");
  if ((await showWarning(message, clear)) !== clear) return;
  // The user may have copied something else since.
  if ((await vscode.env.clipboard.readText()) === text) await vscode.env.clipboard.writeText("");
}
