import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import { pickConnection, requireConnection } from "../chooseConnection.ts";
import type { ConnectionEditing } from "../connectionEditing.ts";
import type { WorkspaceConnections } from "../workspaceConnections.ts";
import type { CommandTable } from "./commandTable.ts";

/** Connections and their keys. */
export function connectionCommands(
  connections: WorkspaceConnections,
  editing: ConnectionEditing,
): CommandTable {
  return {
    [commandIds.addConnection]: () => addConnection(editing),
    [commandIds.editConnection]: () => editConnection(connections, editing),
    [commandIds.removeConnection]: () => removeConnection(connections, editing),
    [commandIds.useConnection]: () => useConnection(connections),
    [commandIds.setApiKey]: () => setApiKey(connections, editing),
    [commandIds.removeApiKey]: () => removeApiKey(connections, editing),
  };
}

async function addConnection(editing: ConnectionEditing): Promise<void> {
  const added = await editing.add();
  if (added === undefined) return;
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

async function editConnection(connections: WorkspaceConnections, editing: ConnectionEditing): Promise<void> {
  const connection = await pickConnection(connections, vscode.l10n.t("Which connection shall be changed?"));
  if (connection === undefined) return;
  const choices = [
    { label: vscode.l10n.t("Name"), description: connection.name, run: () => editing.rename(connection) },
    {
      label: vscode.l10n.t("Base Address"),
      description: connection.address.kind === "address" ? connection.address.address.base : "",
      run: () => editing.moveAddress(connection),
    },
    {
      label: vscode.l10n.t("Client Style"),
      description: connection.clientStyle,
      run: () => editing.changeStyle(connection),
    },
    { label: vscode.l10n.t("API Key"), description: "", run: () => editing.setKey(connection) },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: connection.name,
    placeHolder: vscode.l10n.t("What shall be changed?"),
    ignoreFocusOut: true,
  });
  await chosen?.run();
}

async function removeConnection(
  connections: WorkspaceConnections,
  editing: ConnectionEditing,
): Promise<void> {
  const connection = await pickConnection(connections, vscode.l10n.t("Which connection shall be removed?"));
  if (connection === undefined) return;
  const remove = vscode.l10n.t("Remove");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Remove the connection {0} and its key?", connection.name),
    {
      modal: true,
      detail: vscode.l10n.t("The key is deleted from the secret store. It stays valid at the service."),
    },
    remove,
  );
  if (chosen !== remove) return;
  await editing.remove(connection);
  await vscode.window.showInformationMessage(vscode.l10n.t("{0} and its key were removed.", connection.name));
}

async function useConnection(connections: WorkspaceConnections): Promise<void> {
  const connection = await pickConnection(
    connections,
    vscode.l10n.t("Which connection is this workspace for?"),
  );
  if (connection !== undefined) await connections.use(connection);
}

async function setApiKey(connections: WorkspaceConnections, editing: ConnectionEditing): Promise<void> {
  const connection = await requireConnection(connections);
  if (connection === undefined || !(await editing.setKey(connection))) return;
  const check = vscode.l10n.t("Check Connection");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t("The key of {0} is stored.", connection.name),
    check,
  );
  if (chosen === check) await vscode.commands.executeCommand(commandIds.checkConnection);
}

async function removeApiKey(connections: WorkspaceConnections, editing: ConnectionEditing): Promise<void> {
  const connection = await requireConnection(connections);
  if (connection === undefined) return;
  const remove = vscode.l10n.t("Remove");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Remove the key of {0} from this computer?", connection.name),
    { modal: true, detail: vscode.l10n.t("It stays valid at the service until it is revoked there.") },
    remove,
  );
  if (chosen === remove) await editing.removeKey(connection);
}
