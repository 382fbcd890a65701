import * as vscode from "vscode";
import type { ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import { type ChatSelection, lastAnswerOf, type Transcript } from "../../chat/transcript/transcript.ts";
import { type Connection, readModelName } from "../../connection/setup/connection.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { ModeObstacle } from "../../chat/agent/modeObstacle.ts";
import { planObstacle } from "../agent/chatModes.ts";
import type { ModelCatalog } from "../models/modelCatalog.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import { addresseeOf, takenBy } from "../service/modelCapabilities.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** The connection, model and client style that a question goes to. */
export interface Receiver {
  readonly connection: Connection;
  readonly model: string;
  readonly clientStyle: ClientStyle;
}

/** The receiver of a chat's next question, or why there is none. */
export type Destination =
  | {
      readonly kind: "known";
      readonly receiver: Receiver;
      /** The selection to store with the chat. */
      readonly selection: ChatSelection;
      /** Whether the user has selected the connection in this workspace. Otherwise the user is asked before sending. */
      readonly isSelected: boolean;
    }
  /** The chat's connection was removed, or renamed by hand. */
  | { readonly kind: "gone"; readonly connectionName: string }
  /** No connection is selected, for the chat or the workspace. */
  | { readonly kind: "none" };

export interface ReceiverSources {
  readonly connections: WorkspaceConnections;
  readonly catalog: Pick<ModelCatalog, "lastKnown">;
}

/** A chat, as far as it decides where its questions go. */
export interface AskedChat {
  readonly selection: ChatSelection | undefined;
  readonly session: { readonly transcript: Transcript };
}

/** The receiver of new chats and of questions outside of chats. Undefined without a connection. */
export function workspaceReceiver(connections: WorkspaceConnections): Receiver | undefined {
  const { current } = connections;
  return current && receiverFor(connections, current);
}

/**
 * Returns what the chat's next question goes to: the choice for one answer, or the chat's own selection. A chat of an
 * earlier version follows its last answer, and a new chat the workspace.
 */
export function destinationOf(
  sources: ReceiverSources,
  chat: AskedChat,
  choice?: ChatTargetChoice,
): Destination {
  const { connections } = sources;
  const own = choice ?? chat.selection;
  if (own !== undefined) {
    const connection = connections.namedOrRenamed(own.connection);
    return connection === undefined
      ? { kind: "gone", connectionName: own.connection }
      : known(sources, connection, own);
  }
  const answer = lastAnswerOf(chat.session.transcript);
  const last = answer && connections.namedOrRenamed(answer.connection);
  if (answer !== undefined && last !== undefined) return known(sources, last, answer);
  const { current } = connections;
  return current === undefined
    ? { kind: "none" }
    : known(sources, current, connections.selectionFor(current));
}

function known(
  { connections, catalog }: ReceiverSources,
  connection: Connection,
  { model: wanted, clientStyle }: Pick<ChatSelection, "model" | "clientStyle">,
): Destination {
  // The file of a chat may hold anything as its model, even a key.
  const isListed = catalog.lastKnown(connection)?.models.some(({ id }) => id === wanted) === true;
  const model = isListed || readModelName(wanted) === wanted ? wanted : connections.modelFor(connection);
  return {
    kind: "known",
    receiver: { connection, model, clientStyle: clientStyle ?? connection.clientStyle },
    selection: { connection: connection.name, model, ...(clientStyle === undefined ? {} : { clientStyle }) },
    isSelected: connections.isSelected(connection),
  };
}

function receiverFor(connections: WorkspaceConnections, connection: Connection): Receiver {
  const [model, clientStyle] = [connections.modelFor(connection), connections.clientStyleFor(connection)];
  return { connection, model, clientStyle };
}

/** The obstacle to Plan mode for the chat's model. Without a connection, no model is known to take tools. */
export function obstacleOf(
  compatibility: CompatibilityStore,
  destination: Destination,
): ModeObstacle | undefined {
  return destination.kind === "known"
    ? receiverObstacle(compatibility, destination.receiver)
    : "not-verified";
}

export function receiverObstacle(
  compatibility: CompatibilityStore,
  { connection, model, clientStyle }: Receiver,
): ModeObstacle | undefined {
  return planObstacle(compatibility, addresseeOf(connection, model, clientStyle));
}

/** Whether the model reads PDF files; undefined if no test has shown it, or without a connection. */
export function takesPdfAt(compatibility: CompatibilityStore, destination: Destination): boolean | undefined {
  if (destination.kind !== "known") return undefined;
  const { connection, model, clientStyle } = destination.receiver;
  return takenBy(compatibility, addresseeOf(connection, model, clientStyle)).takesPdf;
}

/** The message of the error if a question cannot be sent because there is no connection to send it to. */
export function unreachableText(destination: Destination): string {
  return destination.kind === "gone"
    ? vscode.l10n.t("The connection '{0}' of this chat no longer exists.", destination.connectionName)
    : vscode.l10n.t("No connection is selected for this chat.");
}
