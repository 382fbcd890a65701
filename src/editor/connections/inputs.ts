import * as vscode from "vscode";
import { endpointOf, type ServiceAddress } from "../../client/http/address.ts";
import { looksLikeKey } from "../../client/http/keyShape.ts";
import { describeKeyMend, describeKeyProblem } from "../../connection/setup/inputTexts.ts";
import { readKey } from "../../connection/setup/keyHygiene.ts";
import { type ClientStyle, clientStyles } from "../../protocol/conversation/wireStyle.ts";
import { askText } from "../shared/askText.ts";

/** The questions put to a person. Each resolves to undefined on Escape. */

/** Names that a connection cannot have: of others, and of keys that are still stored. */
export interface TakenNames {
  readonly used: readonly string[];
  readonly keyed?: readonly string[];
}

export async function askName(title: string, taken: TakenNames, value?: string): Promise<string | undefined> {
  const name = await askText({
    title,
    prompt: vscode.l10n.t("A name for this client engagement, shown in the status bar and the chat"),
    placeholder: vscode.l10n.t("Client or project"),
    ...(value === undefined ? {} : { value }),
    validate: (text) => {
      if (text.trim() === "") return error(vscode.l10n.t("Give the connection a name."));
      if (looksLikeKey(text))
        return error(
          vscode.l10n.t("This looks like a key, and a name is shown. The key is asked for later."),
        );
      const problem = describeTakenName(text.trim(), taken);
      return problem === undefined ? undefined : error(problem);
    },
  });
  return name?.trim();
}

export function describeTakenName(name: string, { used, keyed = [] }: TakenNames): string | undefined {
  if (used.includes(name)) return vscode.l10n.t("There is a connection named {0} already.", name);
  if (!keyed.includes(name)) return undefined;
  return vscode.l10n.t(
    "A key without a connection is still stored under the name {0}. Choose another.",
    name,
  );
}

export async function askClientStyle(
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
  const placeHolder = vscode.l10n.t("How requests are made");
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
  return picked?.style;
}

/** Resolves to a key that is fit to be sent; what was wrong with the pasted one was said. */
export async function askKey(
  title: string,
  connectionName: string,
  origin: string,
): Promise<string | undefined> {
  const pasted = await askText({
    title,
    prompt: vscode.l10n.t(
      "The API key of {0}, kept in the secret store and sent to {1} only",
      connectionName,
      origin,
    ),
    password: true,
    validate: validateKey,
  });
  if (pasted === undefined) return undefined;
  const reading = readKey(pasted);
  return reading.kind === "unusable" ? undefined : reading.key;
}

function validateKey(text: string): vscode.InputBoxValidationMessage | undefined {
  const reading = readKey(text);
  switch (reading.kind) {
    case "clean":
      return undefined;
    case "mended": {
      const list = reading.mends.map((mend) => describeKeyMend(mend, vscode.l10n.t)).join(", ");
      const message = vscode.l10n.t("Found with the key: {0}. Press Enter to use the key without it.", list);
      return { message, severity: vscode.InputBoxValidationSeverity.Warning };
    }
    case "unusable":
      return error(describeKeyProblem(reading.problem, vscode.l10n.t));
  }
}

function error(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Error };
}
