import * as vscode from "vscode";
import { looksLikeKey } from "../../client/http/keyShape.ts";
import { isVariableName } from "../../connection/setup/connection.ts";
import { readExpiry } from "../../connection/setup/expiry.ts";
import { describeModelProblem } from "../../connection/setup/inputTexts.ts";
import { askText } from "../shared/askText.ts";

/** Questions about what is optional of a connection. Each resolves to undefined on Escape, to "" for none. */

export async function askDefaultModel(connectionName: string, value: string): Promise<string | undefined> {
  const model = await askText({
    title: vscode.l10n.t("Default Model of {0}", connectionName),
    prompt: vscode.l10n.t("Used where a workspace has chosen no model; leave it empty for none"),
    placeholder: vscode.l10n.t("The model's ID"),
    value,
    validate: (text) => {
      const problem = text.trim() === "" ? undefined : describeModelProblem(text, vscode.l10n.t);
      return problem === undefined ? undefined : error(problem);
    },
  });
  return model?.trim();
}

export async function askExpiryDate(connectionName: string, value: string): Promise<string | undefined> {
  const expires = await askText({
    title: vscode.l10n.t("Expiry Date of {0}", connectionName),
    prompt: vscode.l10n.t("The last day of the key; leave it empty for none"),
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
    return error(
      vscode.l10n.t("This is no date. Write a day of the calendar as year-month-day, such as 2027-01-31."),
    );
  }
  if (expiry.kind !== "expired") return undefined;
  return {
    message: vscode.l10n.t("This day is past. Press Enter to keep it all the same."),
    severity: vscode.InputBoxValidationSeverity.Warning,
  };
}

/** @param isSet whether a variable has a value where the editor was started */
export async function askKeyVariable(
  connectionName: string,
  value: string,
  isSet: (variable: string) => boolean,
): Promise<string | undefined> {
  const variable = await askText({
    title: vscode.l10n.t("Key Variable of {0}", connectionName),
    prompt: vscode.l10n.t("The name of the environment variable that holds the key, not the key itself"),
    placeholder: "INFERENCE_API_KEY",
    value,
    validate: (text) => {
      if (looksLikeKey(text))
        return error(vscode.l10n.t("This looks like a key. Names are kept in your settings; keys are not."));
      if (!isVariableName(text.trim()))
        return error(
          vscode.l10n.t("A variable's name has letters, digits and underscores, and no digit first."),
        );
      if (isSet(text.trim())) return undefined;
      return {
        message: vscode.l10n.t(
          "{0} is not set where the editor was started. Press Enter to use it; set it, then restart the editor.",
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
