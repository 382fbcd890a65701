import * as vscode from "vscode";
import { commandIds, extensionId, settingKeys, settingSection, walkthroughId } from "../../contributions.ts";
import { readExpiry } from "../../connection/setup/expiry.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { Spending } from "../chat/spending.ts";
import type { StatusMenuNeeds } from "./registerStatusBar.ts";
import { lookOf } from "./statusBar.ts";
import type { Side } from "../workspace/extensionSide.ts";
import { readSide } from "../workspace/settings.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

interface MenuItem extends vscode.QuickPickItem {
  readonly command?: string;
  readonly argument?: unknown;
}

/** Shows the menu of the status bar item: first the remedy of a failure, then all other commands. */
export async function showStatusMenu(options: StatusMenuNeeds): Promise<void> {
  const { connections } = options;
  const { current } = connections;
  const items = [
    ...(current === undefined ? unboundItems(connections) : [...remedyItems(options, current)]),
    ...chatItems(),
    ...(current === undefined ? [] : connectionItems(connections, current)),
    ...otherItems(options, current),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Inference Chat"),
    placeHolder:
      current === undefined
        ? vscode.l10n.t("No connection selected for this workspace")
        : vscode.l10n.t("Connection: {0}", current.name),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.command !== undefined)
    await vscode.commands.executeCommand(
      picked.command,
      ...(picked.argument === undefined ? [] : [picked.argument]),
    );
}

function unboundItems(connections: WorkspaceConnections): readonly MenuItem[] {
  const add = item("add", vscode.l10n.t("Add Connection..."), commandIds.addConnection);
  if (connections.all.length === 0) return [add];
  return [
    item("plug", vscode.l10n.t("Select Connection for This Workspace..."), commandIds.useConnection),
    add,
  ];
}

/** The reason for the item's color, with the command that fixes it. */
function remedyItems({ health }: StatusMenuNeeds, connection: Connection): readonly MenuItem[] {
  const expiry = connection.expires === undefined ? undefined : readExpiry(connection.expires, new Date());
  const { command, states, background } = lookOf(connection, health.of(connection.name), expiry);
  if (background === undefined) return [];
  const detail = states.join(" ");
  const remedy =
    command === commandIds.setApiKey
      ? item("key", vscode.l10n.t("Set API Key..."), command)
      : command === commandIds.checkConnection
        ? item("plug", vscode.l10n.t("Check Connection"), command)
        : item("edit", vscode.l10n.t("Edit Connection..."), commandIds.editConnection);
  return [{ ...remedy, detail }];
}

function chatItems(): readonly MenuItem[] {
  return [
    separator(vscode.l10n.t("Chat")),
    item("comment-discussion", vscode.l10n.t("Open Chat"), commandIds.openChat),
    item("add", vscode.l10n.t("New Chat"), commandIds.newChat),
    item("history", vscode.l10n.t("Show Chat History..."), commandIds.showHistory),
  ];
}

function connectionItems(connections: WorkspaceConnections, connection: Connection): readonly MenuItem[] {
  const { t } = vscode.l10n;
  return [
    separator(t("Connection")),
    item("plug", t("Select Connection for This Workspace..."), commandIds.useConnection, connection.name),
    item("symbol-class", t("Select Model..."), commandIds.selectModel, connections.modelFor(connection)),
    item(
      "arrow-swap",
      t("Select Client Style..."),
      commandIds.selectClientStyle,
      connections.clientStyleFor(connection),
    ),
    item("pass", t("Check Connection"), commandIds.checkConnection),
    item("beaker", t("Verify Compatibility..."), commandIds.verifyCompatibility),
    item("key", t("Set API Key..."), commandIds.setApiKey),
    item("edit", t("Edit Connection..."), commandIds.editConnection),
    item("add", t("Add Connection..."), commandIds.addConnection),
  ];
}

function otherItems({ spending }: StatusMenuNeeds, connection: Connection | undefined): readonly MenuItem[] {
  const { t } = vscode.l10n;
  return [
    separator(t("More")),
    ...(connection === undefined ? [] : [tokensItem(spending, connection)]),
    item("list-unordered", t("Show Requests"), commandIds.showRequests),
    item("output", t("Show Log"), commandIds.showLog),
    item("report", t("Copy Support Report"), commandIds.copySupportReport),
    ...sideItems(readSide()),
    {
      ...item("rocket", t("Get Started"), "workbench.action.openWalkthrough"),
      argument: `${extensionId}#${walkthroughId}`,
    },
    { ...item("gear", t("Settings"), "workbench.action.openSettings"), argument: `@ext:${extensionId}` },
  ];
}

/** In a remote window, where the extension runs. */
function sideItems(side: Side | undefined): readonly MenuItem[] {
  if (side === undefined) return [];
  const here = side === "local" ? vscode.l10n.t("On your computer") : vscode.l10n.t("On the remote machine");
  return [item("remote", vscode.l10n.t("Select Where to Run..."), commandIds.selectSide, here)];
}

/** The tokens counted or estimated today. Selecting the item opens the setting for the daily cap. */
function tokensItem(spending: Spending, { name }: Connection): MenuItem {
  const tokens = spending.today(name);
  const label = vscode.l10n.t(
    "Tokens Used Today: {0}",
    new Intl.NumberFormat(vscode.env.language).format(tokens),
  );
  return {
    ...item("graph", label, "workbench.action.openSettings", vscode.l10n.t("Set a daily token cap")),
    argument: `@id:${settingSection}.${settingKeys.dailyTokenCap}`,
  };
}

function item(icon: string, label: string, command: string, description?: string): MenuItem {
  const base = { label, iconPath: new vscode.ThemeIcon(icon), command };
  return description === undefined ? base : { ...base, description };
}

function separator(label: string): MenuItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
