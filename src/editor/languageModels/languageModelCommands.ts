import * as vscode from "vscode";
import { commandIds, languageModelVendor, type CommandId } from "../../contributions.ts";
import type { CommandTable } from "../shared/registration.ts";
import type { LanguageModelServices } from "./registerLanguageModels.ts";
import { requireAddress, type Connection } from "../../connection/setup/connection.ts";
import { requireConnection } from "../workspace/chooseConnection.ts";
import { refreshWithProgress } from "../models/modelPicker.ts";
import { showInformation } from "../shared/notices.ts";
import { capabilitiesOf } from "../service/modelCapabilities.ts";
import { modelIdentifier } from "./modelInformation.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/**
 * The commands that open VS Code's chat with our models, and that manage connections from its list of models.
 * @param isOffered whether VS Code accepts models from extensions
 */
export function languageModelCommands(
  options: LanguageModelServices,
  isOffered: boolean,
): CommandTable<"languageModels"> {
  return {
    [commandIds.useInEditorChat]: () => (isOffered ? useInEditorChat(options) : offerOwnChat()),
    [commandIds.manageConnections]: () => manageConnections(options.connections),
  };
}

/** Commands of VS Code's own chat. Editors without such a chat lack them. */
const openChat = "workbench.action.chat.open";
const manageModels = "workbench.action.chat.manage";
const closeOverlay = "workbench.action.closeModalEditor";
/** The setting, or an administrator's policy for it, that turns off VS Code's chat. */
const offSetting = "disableAIFeatures";

/** Opens VS Code's own chat with the model of this workspace. */
async function useInEditorChat(options: LanguageModelServices): Promise<void> {
  if (vscode.workspace.getConfiguration("chat").get(offSetting) === true) return offerToTurnOn();
  const known = new Set(await vscode.commands.getCommands(true));
  if (!known.has(openChat)) return offerOwnChat();
  const { connections, catalog } = options;
  const connection = await requireConnection(connections);
  if (connection === undefined) return;
  const isListed =
    catalog.cached(connection) !== undefined ||
    (await refreshWithProgress(options, connection)) !== undefined;
  if (!isListed) return;
  const model = connections.modelFor(connection);
  const id = modelIdentifier(connection.name, model);
  // Without an account, only opening the list of models sets up the chat.
  if (known.has(manageModels)) await vscode.commands.executeCommand(manageModels);
  // Newer versions show that list in an overlay above everything else.
  if (known.has(closeOverlay)) await vscode.commands.executeCommand(closeOverlay);
  await vscode.lm.selectChatModels({ vendor: languageModelVendor, id });
  await vscode.commands.executeCommand(openChat, { modelSelector: { vendor: languageModelVendor, id } });
  await showMissingTools(options, connection, model);
}

async function offerOwnChat(): Promise<void> {
  const open = vscode.l10n.t("Open Chat");
  const chosen = await showInformation(
    vscode.l10n.t(
      "This version of VS Code can't use models from extensions in its chat. Use the Inference Chat view instead.",
    ),
    open,
  );
  if (chosen === open) await vscode.commands.executeCommand(commandIds.openChat);
}

async function offerToTurnOn(): Promise<void> {
  const open = vscode.l10n.t("Open Chat");
  const change = vscode.l10n.t("Open Settings");
  const chosen = await showInformation(
    vscode.l10n.t(
      "VS Code's chat is turned off by the setting '{0}', or by your administrator. Use the Inference Chat view instead, or change the setting.",
      `chat.${offSetting}`,
    ),
    open,
    change,
  );
  if (chosen === open) await vscode.commands.executeCommand(commandIds.openChat);
  if (chosen === change)
    await vscode.commands.executeCommand("workbench.action.openSettings", `chat.${offSetting}`);
}

/**
 * Offers to verify the model if it is unknown whether the model calls tools. Agent mode and inline chat show only
 * models that are known to call tools.
 */
async function showMissingTools(
  { compatibility, connections }: LanguageModelServices,
  connection: Connection,
  model: string,
): Promise<void> {
  const { origin } = requireAddress(connection);
  const clientStyle = connections.clientStyleFor(connection);
  if (capabilitiesOf(compatibility, { origin, model, clientStyle }).tools.by !== "nothing") return;
  const verify = vscode.l10n.t("Verify Compatibility...");
  const chosen = await showInformation(
    vscode.l10n.t(
      "The model '{0}' is now available in VS Code's chat. To use it in agent mode, first run Verify Compatibility to test its tool use.",
      model,
    ),
    verify,
  );
  if (chosen === verify) await vscode.commands.executeCommand(commandIds.verifyCompatibility);
}

interface ManageItem extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

/** Lets the user select this workspace's connection, or a command for connections. */
async function manageConnections(connections: WorkspaceConnections): Promise<void> {
  const t = vscode.l10n.t;
  const current = connections.current?.name;
  const items: readonly ManageItem[] = [
    { label: t("Use in This Workspace"), kind: vscode.QuickPickItemKind.Separator },
    ...connections.all.map((connection) => ({
      label: connection.name,
      description: connection.name === current ? t("used in this workspace") : "",
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
    title: t("Connections for Inference Chat"),
    placeHolder: t("Select a connection for this workspace, or an action"),
  });
  await picked?.run?.();
}

function commandItem(label: string, icon: string, command: CommandId): ManageItem {
  return { label: `$(${icon}) ${label}`, run: () => vscode.commands.executeCommand(command) };
}
