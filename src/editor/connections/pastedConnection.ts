import * as vscode from "vscode";
import type { KeyMend } from "../../client/failure/failure.ts";
import { endpointOf, readAddress, type ServiceAddress } from "../../client/http/address.ts";
import { holdsKey } from "../../client/http/keyShape.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import {
  describeKeyMend,
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
  /** The name in the box when the user selected the button. May be empty or invalid. */
  readonly typedName: string;
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
    run: async (typedName) => {
      const text = await vscode.env.clipboard.readText();
      const reading = readPastedConfiguration(text);
      if (reading.kind === "configuration")
        pasted = { configuration: reading.configuration, text, typedName };
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
  { configuration, typedName }: Pasted,
  taken: TakenNames,
  isSet: (variable: string) => boolean,
): Promise<Review | undefined> {
  const title = vscode.l10n.t("Add Connection from Clipboard");
  const name = await nameOf(configuration, typedName.trim(), title, taken);
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
    headers,
  };
  const withVariables = { ...connection, ...(keyVariable === undefined ? {} : { keyVariable }) };
  if (!(await confirmPasted(configuration, withVariables))) return undefined;
  const seal = KeySeal.of(place.address);
  const usesVariables = await confirmVariables(withVariables, seal);
  if (usesVariables === undefined) return undefined;
  const agreed = usesVariables
    ? withVariables
    : { ...connection, headers: headers.filter(({ value }) => value.kind === "text") };
  if (keyVariable !== undefined) return { connection: agreed, key: undefined };
  if (configuration.key.kind !== "key")
    return { connection: agreed, key: await promptForKey(title, name, seal) };
  const stores = await confirmKey(name, configuration.key.mends, seal);
  if (stores === undefined) return undefined;
  return { connection: agreed, key: stores ? { key: configuration.key.key, seal } : undefined };
}

/** The name that the user typed, the name in the configuration, or the host's name for the user to change. */
async function nameOf(
  { name: read, baseUrl }: PastedConfiguration,
  typed: string,
  title: string,
  taken: TakenNames,
): Promise<string | undefined> {
  const name = typed === "" || holdsKey(typed) ? read : typed;
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
      return t("API key: found in {0}. You are asked before the key is stored.", key.from);
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

/**
 * Returns whether to use the variables that the configuration names: a copied example can name any variable, such as
 * one with the key of another service. Undefined if the user cancels.
 */
async function confirmVariables(
  { name, keyVariable, headers = [] }: NewConnection,
  seal: KeySeal,
): Promise<boolean | undefined> {
  const t = vscode.l10n.t;
  const named = headers.flatMap(({ value }) => (value.kind === "variable" ? [value.variable] : []));
  const variables = [...new Set([...(keyVariable === undefined ? [] : [keyVariable]), ...named])];
  if (variables.length === 0) return true;
  const list = new Intl.ListFormat(vscode.env.language).format(variables);
  const use = t("Use Variables");
  const without = t("Add without Variables");
  const chosen = await showWarning(
    t("Send the value of {0} to {1}?", list, seal.toString()),
    {
      modal: true,
      detail: t(
        "The configuration in the clipboard names these environment variables of your computer: {0}. Each request of '{1}' sends their values to {2}. Agree only if the values are meant for this host.",
        list,
        name,
        seal.toString(),
      ),
    },
    use,
    without,
  );
  return chosen === undefined ? undefined : chosen === use;
}

/** Returns whether to store the key. Undefined if the user cancels. */
async function confirmKey(
  name: string,
  mends: readonly KeyMend[],
  seal: KeySeal,
): Promise<boolean | undefined> {
  const t = vscode.l10n.t;
  const store = t("Store Key");
  const without = t("Add without Key");
  const removed = mends.map((mend) => describeKeyMend(mend, t)).join(", ");
  const detail = [
    t(
      "The key is stored in the secret storage and sent only to {0}. The key is saved nowhere else.",
      seal.toString(),
    ),
    ...(mends.length === 0 ? [] : [t("Extra characters around the key are removed: {0}.", removed)]),
  ].join("\n");
  const chosen = await showWarning(
    t("Store the API key from the clipboard for '{0}'?", name),
    { modal: true, detail },
    store,
    without,
  );
  return chosen === undefined ? undefined : chosen === store;
}

/** Tells the user that a secret is still in the clipboard, and offers to clear the clipboard. */
export async function offerToClear(text: string): Promise<void> {
  const clear = vscode.l10n.t("Clear Clipboard");
  const message = vscode.l10n.t(
    "The clipboard still contains an API key or another secret, which other programs can read.",
  );
  if ((await showWarning(message, clear)) !== clear) return;
  // The user may have copied something else since.
  if ((await vscode.env.clipboard.readText()) === text) await vscode.env.clipboard.writeText("");
}
