import * as vscode from "vscode";
import type { ChatHeader } from "../../chat/page/protocol.ts";
import { usualRatio } from "../../chat/session/tokenEstimate.ts";
import { unencryptedHost } from "../../connection/setup/connection.ts";
import { defaultClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { Chat } from "../chat/chat.ts";
import { destinationOf, obstacleOf, type ReceiverSources } from "../chat/receiver.ts";
import { effortTitle, type ModelEfforts } from "../models/modelEfforts.ts";
import type { ModelLimitStore } from "../models/modelLimitStore.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import { fallbackModel } from "../workspace/workspaceConnections.ts";

interface HeaderSources extends ReceiverSources {
  readonly limits: ModelLimitStore;
  readonly compatibility: CompatibilityStore;
  readonly efforts: ModelEfforts;
}

/** State around a chat: the target of the next question, and the limits for that question. */
export function headerOf(sources: HeaderSources, chat: Chat): ChatHeader {
  const { connections, limits, compatibility, efforts } = sources;
  const { mode } = chat;
  const around = {
    ...(vscode.workspace.isTrusted ? {} : { restricted: true as const }),
    choosable: connections.all.length > 0,
    mode,
  };
  const destination = destinationOf(sources, chat);
  if (destination.kind !== "known") {
    const isGone = destination.kind === "gone";
    return {
      ...around,
      connection: isGone ? destination.connectionName : null,
      ...(isGone ? { isGone } : {}),
      model: chat.selection?.model ?? fallbackModel,
      clientStyle: chat.selection?.clientStyle ?? defaultClientStyle,
      room: { maxTokens: 0, charactersPerToken: usualRatio.charactersPerToken },
    };
  }
  const { connection, model, clientStyle } = destination.receiver;
  const host = unencryptedHost(connection);
  const obstacle = mode === "ask" ? undefined : obstacleOf(compatibility, destination);
  const takesEffort = efforts.supportOf(connection, model, clientStyle) === "yes";
  const effort = efforts.effortOf(connection, model, clientStyle);
  return {
    ...around,
    connection: connection.name,
    model,
    clientStyle,
    ...(takesEffort ? { effort: effortTitle(effort) } : {}),
    ...(obstacle === undefined ? {} : { obstacle }),
    room: limits.limitsOf(connection, model, clientStyle),
    ...(host === undefined ? {} : { unencryptedHost: host }),
  };
}
