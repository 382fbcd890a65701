import * as vscode from "vscode";
import type { ModeObstacle } from "../../chat/agent/modeObstacle.ts";
import type { ChatHeader } from "../../chat/page/protocol.ts";
import { usualRatio } from "../../chat/session/tokenEstimate.ts";
import { unencryptedHost } from "../../connection/setup/connection.ts";
import { defaultClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { planObstacle } from "../agent/chatModes.ts";
import type { Chat } from "../chat/chat.ts";
import { effortTitle, type ModelEfforts } from "../models/modelEfforts.ts";
import type { ModelLimitStore } from "../models/modelLimitStore.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import { addresseeOf } from "../service/modelCapabilities.ts";
import { fallbackModel, type WorkspaceConnections } from "../workspace/workspaceConnections.ts";

interface HeaderSources {
  readonly connections: WorkspaceConnections;
  readonly limits: ModelLimitStore;
  readonly compatibility: CompatibilityStore;
  readonly efforts: ModelEfforts;
}

/** State around a chat: the target of the next question, and the limits for that question. */
export function headerOf(sources: HeaderSources, chat: Chat): ChatHeader {
  const { connections, limits, efforts } = sources;
  const { current } = connections;
  const choosable = connections.all.length > 0;
  const trust = vscode.workspace.isTrusted ? {} : { restricted: true as const };
  const { mode } = chat;
  if (current === undefined) {
    return {
      ...trust,
      connection: null,
      choosable,
      model: fallbackModel,
      clientStyle: defaultClientStyle,
      mode,
      room: { maxTokens: 0, charactersPerToken: usualRatio.charactersPerToken },
    };
  }
  const host = unencryptedHost(current);
  const obstacle = mode === "ask" ? undefined : obstacleOf(sources);
  const model = connections.modelFor(current);
  const clientStyle = connections.clientStyleFor(current);
  const takesEffort = efforts.supportOf(current, model, clientStyle) === "yes";
  const effort = efforts.effortOf(current, model, clientStyle);
  return {
    ...trust,
    connection: current.name,
    choosable,
    model,
    clientStyle,
    ...(takesEffort ? { effort: effortTitle(effort) } : {}),
    mode,
    ...(obstacle === undefined ? {} : { obstacle }),
    room: limits.limitsOf(current, model, clientStyle),
    ...(host === undefined ? {} : { unencryptedHost: host }),
  };
}

/** The obstacle to Plan mode for the workspace's model. Without a connection, no model is known to take tools. */
export function obstacleOf({
  connections,
  compatibility,
}: Pick<HeaderSources, "connections" | "compatibility">): ModeObstacle | undefined {
  const { current } = connections;
  if (current === undefined) return "not-verified";
  const [model, clientStyle] = [connections.modelFor(current), connections.clientStyleFor(current)];
  return planObstacle(compatibility, addresseeOf(current, model, clientStyle));
}
