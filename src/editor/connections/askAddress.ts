import * as vscode from "vscode";
import { endpointOf, readAddress } from "../../client/http/address.ts";
import { looksLikeKey } from "../../client/http/keyShape.ts";
import { describeAddressProblem } from "../../connection/setup/inputTexts.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";
import { askText } from "../shared/askText.ts";
import { showWarning } from "../shared/notices.ts";

/** An address that can be used, as it was typed, and whether the user allowed it to be unencrypted. */
export interface AddressAnswer {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
}

export interface AddressQuestion {
  readonly title: string;
  readonly connectionName: string;
  /** What stands there now; what was allowed for it is not asked again. */
  readonly current?: AddressAnswer;
}

/** Undefined on Escape. An http address of another machine is taken only knowingly. */
export async function askAddress(question: AddressQuestion): Promise<AddressAnswer | undefined> {
  const { title, connectionName, current } = question;
  let value = current?.baseUrl;
  for (;;) {
    const typed = await askText({
      title,
      prompt: vscode.l10n.t("The service's base address; a pasted /v1 or endpoint path is understood"),
      placeholder: "https://host",
      ...(value === undefined ? {} : { value }),
      validate: validateAddress,
    });
    if (typed === undefined) return undefined;
    const baseUrl = typed.trim();
    if (readAddress(baseUrl).kind === "address") return { baseUrl, allowHttp: false };
    if (current?.allowHttp === true && isSameHost(baseUrl, current.baseUrl))
      return { baseUrl, allowHttp: true };
    const answer = await askEncryption(title, connectionName, baseUrl);
    if (answer !== undefined) return answer;
    value = baseUrl;
  }
}

/** Says what plain http means; true where the user wants it all the same. */
export async function confirmHttp(connectionName: string, host: string): Promise<boolean> {
  const allow = vscode.l10n.t("Allow http");
  const chosen = await showWarning(
    vscode.l10n.t("Send the key of {0} to {1} without encryption?", connectionName, host),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Everyone on the way can read and change what is sent: the key, your questions, your code and the answers. This is remembered in your own settings for this connection only, and the status bar and the chat go on warning of it.",
      ),
    },
    allow,
  );
  return chosen === allow;
}

async function askEncryption(
  title: string,
  connectionName: string,
  baseUrl: string,
): Promise<AddressAnswer | undefined> {
  const secure = baseUrl.replace(/^http:/i, "https:");
  const useHttps = { label: vscode.l10n.t("Use {0}", secure), detail: vscode.l10n.t("Encrypted") };
  const allowHttp = {
    label: vscode.l10n.t("Allow http for This Connection..."),
    detail: vscode.l10n.t("Not encrypted: the key and all texts can be read on the way"),
  };
  const chosen = await vscode.window.showQuickPick([useHttps, allowHttp], {
    title,
    placeHolder: vscode.l10n.t("With http the key could be read on the way"),
    ignoreFocusOut: true,
  });
  if (chosen === useHttps) return { baseUrl: secure, allowHttp: false };
  if (chosen !== allowHttp) return undefined;
  const host = URL.parse(baseUrl)?.host ?? baseUrl;
  return (await confirmHttp(connectionName, host)) ? { baseUrl, allowHttp: true } : undefined;
}

function validateAddress(text: string): vscode.InputBoxValidationMessage {
  if (looksLikeKey(text))
    return error(vscode.l10n.t("This looks like a key, not an address. The key is asked for later."));
  const reading = readAddress(text);
  if (reading.kind === "problem" && reading.problem === "insecure") {
    const message = vscode.l10n.t(
      "With http the key could be read on the way. Press Enter to choose https, or to allow http for this connection.",
    );
    return { message, severity: vscode.InputBoxValidationSeverity.Warning };
  }
  if (reading.kind === "problem") {
    return error(describeAddressProblem(reading.problem, reading.suggestion, vscode.l10n.t));
  }
  const { address } = reading;
  const endpoints = clientStyles.map((style) => endpointOf(address, style).href);
  const either = new Intl.ListFormat(vscode.env.language, { type: "disjunction" }).format(endpoints);
  const message = vscode.l10n.t("Will call {0}", either);
  return { message, severity: vscode.InputBoxValidationSeverity.Info };
}

function isSameHost(left: string, right: string): boolean {
  const host = URL.parse(left)?.host;
  return host !== undefined && host === URL.parse(right)?.host;
}

function error(message: string): vscode.InputBoxValidationMessage {
  return { message, severity: vscode.InputBoxValidationSeverity.Error };
}
