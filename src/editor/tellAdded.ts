import * as vscode from "vscode";
import { commandIds } from "../contributions.ts";
import type { AddedConnection } from "./connectionEditing.ts";

/** Says that a connection was added, with what comes next as buttons. */
export async function tellAdded(added: AddedConnection): Promise<void> {
  const buttons = [
    ...(added.used
      ? []
      : [{ label: vscode.l10n.t("Use in This Workspace..."), command: commandIds.useConnection }]),
    added.keyed
      ? { label: vscode.l10n.t("Check Connection"), command: commandIds.checkConnection }
      : { label: vscode.l10n.t("Set API Key..."), command: commandIds.setApiKey },
    { label: vscode.l10n.t("Open Chat"), command: commandIds.openChat },
  ];
  const message = [
    added.keyed
      ? vscode.l10n.t("{0} was added.", added.name)
      : vscode.l10n.t("{0} was added without a key.", added.name),
    ...(added.used ? [vscode.l10n.t("This workspace uses it.")] : []),
  ].join(" ");
  const chosen = await vscode.window.showInformationMessage(message, ...buttons.map(({ label }) => label));
  const button = buttons.find(({ label }) => label === chosen);
  if (button !== undefined) await vscode.commands.executeCommand(button.command);
}
