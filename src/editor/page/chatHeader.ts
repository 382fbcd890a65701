import type { ChatHeader } from "../../chat/page/panelProtocol.ts";
import { usualRatio } from "../../chat/session/tokenEstimate.ts";
import { unencryptedHost } from "../../connection/setup/connection.ts";
import { defaultClientStyle } from "../../protocol/conversation/wireStyle.ts";
import * as vscode from "vscode";
import type { ModelRooms } from "../models/modelRooms.ts";
import { fallbackModel, type WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** What stands around a chat: what the next question goes to, and how much of it there is room for. */
export function headerOf({
  connections,
  rooms,
}: {
  readonly connections: WorkspaceConnections;
  readonly rooms: ModelRooms;
}): ChatHeader {
  const { current } = connections;
  const choosable = connections.all.length > 0;
  const trust = vscode.workspace.isTrusted ? {} : { restricted: true as const };
  if (current === undefined) {
    return {
      ...trust,
      connection: null,
      choosable,
      model: fallbackModel,
      clientStyle: defaultClientStyle,
      room: { maxTokens: 0, charactersPerToken: usualRatio.charactersPerToken },
    };
  }
  const host = unencryptedHost(current);
  const model = connections.modelFor(current);
  const clientStyle = connections.clientStyleFor(current);
  return {
    ...trust,
    connection: current.name,
    choosable,
    model,
    clientStyle,
    room: rooms.roomOf(current, model, clientStyle),
    ...(host === undefined ? {} : { unencryptedHost: host }),
  };
}
