import * as vscode from "vscode";
import { type CommandId, commandIds } from "../../contributions.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

interface ManageItem extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

/** Lets the user choose this workspace's connection, or what is to be done about connections. */
export async function manageConnections(connections: WorkspaceConnections): Promise<void> {
  const t = vscode.l10n.t;
  const current = connections.current?.name;
  const items: readonly ManageItem[] = [
    { label: t("Use in This Workspace"), kind: vscode.QuickPickItemKind.Separator },
    ...connections.all.map((connection) => ({
      label: connection.name,
      description: connection.name === current ? t("this workspace") : "",
      run: () => connections.use(connection),
    })),
    { label: t("Connections"), kind: vscode.QuickPickItemKind.Separator },
    commandItem(t("Add Connection..."), "add", commandIds.addConnection),
    ...(connections.all.length === 0
      ? []
      : [
          commandItem(t("Edit Connection..."), "edit", commandIds.editConnection),
          commandItem(t("Set API Key..."), "key", commandIds.setApiKey),
          commandItem(t("Check Connection"), "plug", commandIds.checkConnection),
          commandItem(t("List Models"), "refresh", commandIds.listModels),
          commandItem(t("Verify Compatibility..."), "verified", commandIds.verifyCompatibility),
        ]),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Connections of Inference Chat"),
    placeHolder: t("Choose the connection of this workspace, or what to do"),
  });
  await picked?.run?.();
}

function commandItem(label: string, icon: string, command: CommandId): ManageItem {
  return { label: `$(${icon}) ${label}`, run: () => vscode.commands.executeCommand(command) };
}
