import * as vscode from "vscode";
import { type CommandId, commandIds } from "../../contributions.ts";
import type { AddedConnection } from "./connectionEditing.ts";
import { showInformation } from "../shared/notices.ts";

interface NextStep {
  readonly label: string;
  readonly command: CommandId;
  /** The workspace may use another connection. */
  readonly connectionName?: string;
}

/** Says that a connection was added, with what comes next as buttons. */
export async function tellAdded(added: AddedConnection): Promise<void> {
  const buttons: readonly NextStep[] = [
    ...(added.used
      ? []
      : [{ label: vscode.l10n.t("Use in This Workspace..."), command: commandIds.useConnection }]),
    added.keyed
      ? {
          label: vscode.l10n.t("Check Connection"),
          command: commandIds.checkConnection,
          connectionName: added.name,
        }
      : { label: vscode.l10n.t("Set API Key..."), command: commandIds.setApiKey, connectionName: added.name },
    { label: vscode.l10n.t("Open Chat"), command: commandIds.openChat },
  ];
  const message = [
    added.keyed
      ? vscode.l10n.t("{0} was added.", added.name)
      : vscode.l10n.t("{0} was added without a key.", added.name),
    ...(added.used ? [vscode.l10n.t("This workspace uses it.")] : []),
  ].join(" ");
  const chosen = await showInformation(message, ...buttons.map(({ label }) => label));
  const button = buttons.find(({ label }) => label === chosen);
  if (button !== undefined) await vscode.commands.executeCommand(button.command, button.connectionName);
}
