import * as vscode from "vscode";
import { type Connection, unencryptedHost } from "../../connection/setup/connection.ts";
import { commandIds } from "../../contributions.ts";
import { showInformation, showWarning } from "../shared/notices.ts";
import type { WorkspaceConnections } from "./workspaceConnections.ts";

/** The connection that a list marks with a note. */
interface MarkedConnection {
  readonly name: string | undefined;
  readonly note: string;
}

/** Lets the user pick a connection; undefined on Escape. If there are no connections, offers to add one. */
export async function pickConnection(
  connections: WorkspaceConnections,
  placeHolder: string,
  marked: MarkedConnection = {
    name: connections.current?.name,
    note: vscode.l10n.t("used in this workspace"),
  },
): Promise<Connection | undefined> {
  if (connections.all.length === 0) {
    await offerToAdd();
    return undefined;
  }
  const items = connections.all.map((connection) => ({
    label: connection.name,
    description: connection.name === marked.name ? marked.note : "",
    detail:
      connection.address.kind === "address"
        ? [
            connection.address.address.base,
            connection.clientStyle,
            ...(unencryptedHost(connection) === undefined
              ? []
              : [`$(unlock) ${vscode.l10n.t("not encrypted")}`]),
          ].join(" · ")
        : vscode.l10n.t("Invalid base URL"),
    connection,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true });
  return picked?.connection;
}

/**
 * Returns this workspace's connection. If there are several and none was chosen, asks the user and stores the answer
 * before anything is sent. Undefined if there are none or on Escape.
 */
export async function requireConnection(connections: WorkspaceConnections): Promise<Connection | undefined> {
  const current = await connections.bindCurrent();
  if (current !== undefined) return current;
  const picked = await pickConnection(
    connections,
    vscode.l10n.t("Which connection should this workspace use?"),
  );
  if (picked !== undefined) await connections.use(picked);
  return picked;
}

/**
 * Returns the connection that a command names. Without a name, returns the workspace's. Undefined after a notice or on
 * Escape.
 */
export async function namedOrRequiredConnection(
  connections: WorkspaceConnections,
  name: unknown,
): Promise<Connection | undefined> {
  if (typeof name !== "string") return requireConnection(connections);
  const named = connections.named(name);
  if (named === undefined) await showWarning(vscode.l10n.t("No connection is named '{0}'.", name));
  return named;
}

/**
 * Returns the connection that a script names. Without a name, returns this workspace's.
 * @throws Error with a message for the user and the cause `unknown` if there is no such connection
 */
export function connectionForScript(connections: WorkspaceConnections, name: string | undefined): Connection {
  const connection = name === undefined ? connections.current : connections.named(name);
  if (connection !== undefined) return connection;
  throw new Error(
    name === undefined
      ? vscode.l10n.t("No connection is selected for this workspace.")
      : vscode.l10n.t("No connection is named '{0}'.", name),
    { cause: "unknown" },
  );
}

async function offerToAdd(): Promise<void> {
  const add = vscode.l10n.t("Add Connection...");
  const chosen = await showInformation(vscode.l10n.t("Add a connection to start using Inference Chat."), add);
  if (chosen === add) await vscode.commands.executeCommand(commandIds.addConnection);
}
