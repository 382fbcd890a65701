import * as vscode from "vscode";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { modelIdentifier } from "./modelInformation.ts";

/** Who is asked by one request: fixed when it begins, whatever is chosen while it runs. */
export interface RequestedModel {
  readonly connection: Connection;
  readonly modelId: string;
  readonly clientStyle: ClientStyle;
}

/**
 * The model that the editor names.
 * @throws Error where it is of a connection that the workspace does not use
 */
export function requestedModelOf(connections: WorkspaceConnections, identifier: string): RequestedModel {
  const asked = findRequestedModel(connections, identifier);
  if (asked !== undefined) return asked;
  throw new Error(
    vscode.l10n.t(
      "This workspace doesn't use the connection of model '{0}'. Select another model.",
      identifier,
    ),
  );
}

/** The same; undefined where it is of a connection that the workspace does not use, or no longer. */
export function findRequestedModel(
  connections: WorkspaceConnections,
  identifier: string,
): RequestedModel | undefined {
  const connection = connections.current;
  if (connection === undefined) return undefined;
  const start = modelIdentifier(connection.name, "");
  if (!identifier.startsWith(start)) return undefined;
  const clientStyle = connections.clientStyleFor(connection);
  return { connection, modelId: identifier.slice(start.length), clientStyle };
}
