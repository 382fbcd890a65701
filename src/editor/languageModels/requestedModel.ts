import * as vscode from "vscode";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { modelIdentifier } from "./modelInformation.ts";

/** The target of one request. It is fixed at the start, whatever the user selects afterwards. */
export interface RequestedModel {
  readonly connection: Connection;
  readonly modelId: string;
  readonly clientStyle: ClientStyle;
}

/**
 * Finds the model that VS Code names.
 * @throws Error if the workspace does not use the model's connection
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

/** Like `requestedModelOf`, but returns undefined if the workspace does not use the model's connection. */
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
