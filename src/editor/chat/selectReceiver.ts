import * as vscode from "vscode";
import type { ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import type { AnswerTurn, ChatSelection } from "../../chat/transcript/transcript.ts";
import { type Connection, readModelName } from "../../connection/setup/connection.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";
import type { ModeMending } from "../agent/chatModes.ts";
import { commandIds } from "../../contributions.ts";
import { pickClientStyle } from "../connections/connectionInputs.ts";
import { byFirst, type ModelChoice, pickModel, useModel } from "../models/modelPicker.ts";
import type { ModelSources } from "../models/registerModels.ts";
import { showWarning } from "../shared/notices.ts";
import { pickConnection, requireConnection } from "../workspace/chooseConnection.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { type AskedChat, destinationOf, type ReceiverSources } from "./receiver.ts";

/** A chat whose selection can change. */
export interface SelectingChat extends AskedChat {
  select(selection: ChatSelection): void;
}

/**
 * Returns the connection that the chat's next question goes to. Asks the user if there is none, or if it no longer
 * exists. Asks as well if the user has never selected it in this workspace. Undefined if the user selects none.
 */
export async function requireReceiver(
  sources: ReceiverSources,
  chat: SelectingChat,
  choice?: ChatTargetChoice,
): Promise<Connection | undefined> {
  const { connections } = sources;
  const destination = destinationOf(sources, chat, choice);
  switch (destination.kind) {
    case "none":
      return requireConnection(connections);
    case "gone":
      return selectConnection(sources, chat, goneText(destination.connectionName));
    case "known": {
      const { connection } = destination.receiver;
      if (connection.name === connections.current?.name) await connections.bindCurrent();
      if (destination.isSelected) return connection;
      return confirmConnection(sources, chat, connection, choice !== undefined);
    }
  }
}

/** Lets the user select a connection for the chat, and stores it. Undefined on Escape. */
export async function selectConnection(
  sources: ReceiverSources,
  chat: SelectingChat,
  placeHolder = vscode.l10n.t("Which connection should this chat use?"),
): Promise<Connection | undefined> {
  const { connections } = sources;
  const destination = destinationOf(sources, chat);
  const used = destination.kind === "known" ? destination.receiver.connection.name : undefined;
  const picked = await pickConnection(connections, placeHolder, {
    name: used,
    note: vscode.l10n.t("used in this chat"),
  });
  if (picked === undefined) return undefined;
  await connections.select(picked);
  // If the user selects the same connection again, the chat keeps its model.
  if (picked.name !== used) chat.select(connections.selectionFor(picked));
  return picked;
}

function goneText(connectionName: string): string {
  return vscode.l10n.t(
    "The connection '{0}' no longer exists. Which connection should this chat use?",
    connectionName,
  );
}

/** Asks before a stored chat uses a connection that the user has never selected in this workspace. */
async function confirmConnection(
  sources: ReceiverSources,
  chat: SelectingChat,
  connection: Connection,
  isForOneAnswer: boolean,
): Promise<Connection | undefined> {
  const use = vscode.l10n.t("Use Connection");
  const another = vscode.l10n.t("Select Another...");
  const chosen = await showWarning(
    vscode.l10n.t("Use the connection '{0}' in this workspace?", connection.name),
    {
      modal: true,
      detail: vscode.l10n.t(
        "This chat names '{0}', but you haven't selected that connection in this workspace. Nothing was sent.",
        connection.name,
      ),
    },
    use,
    // Only this connection can go on with its answer.
    ...(isForOneAnswer ? [] : [another]),
  );
  if (chosen === another) return selectConnection(sources, chat);
  if (chosen !== use) return undefined;
  await sources.connections.select(connection);
  return connection;
}

/** Lets the user select the model of the chat, of any connection. Undefined on Escape. */
export async function selectModel(sources: ModelSources, chat: SelectingChat): Promise<void> {
  const { connections } = sources;
  const destination = destinationOf(sources, chat);
  if (destination.kind !== "known") {
    await requireReceiver(sources, chat);
    return;
  }
  const { connection, model, clientStyle } = destination.receiver;
  const chosen = await pickModel(sources, {
    title: vscode.l10n.t("Model for This Chat"),
    placeholder: vscode.l10n.t("Select a model, or type a model ID"),
    connections: byFirst(connections.all, connection),
    stylesOf: (each) => [each === connection ? clientStyle : connections.clientStyleFor(each)],
    marked: {
      picked: { connection: connection.name, model, clientStyle },
      mark: vscode.l10n.t("in use"),
    },
    unlisted: [...new Set([model, ...connections.usedModels(connection)])],
    offersWorkspace: true,
  });
  if (chosen === undefined) return;
  await allow(connections, chosen);
  const isSame = chosen.connection.name === connection.name;
  const own = isSame ? destination.selection : connections.selectionFor(chosen.connection);
  // The chat's own selection follows that of the workspace, which would replace it in a chat without a question.
  if (chosen.isForWorkspace) await useModel(connections, chosen);
  chat.select({ ...own, model: chosen.model });
}

/** How an obstacle to the chat's mode is removed: for the chat's model, or for the one chosen for one answer. */
export function mendingOf(
  sources: ModelSources,
  chat: SelectingChat,
  choice?: ChatTargetChoice,
): ModeMending {
  const destination = destinationOf(sources, chat, choice);
  const { connection, model } = destination.kind === "known" ? destination.receiver : {};
  return {
    verified:
      connection === undefined || model === undefined ? undefined : { connection: connection.name, model },
    selectModel: () => selectModel(sources, chat),
  };
}

/** Opens Verify Compatibility with the test of PDF files, for the chat's model or the chosen one. */
export async function verifyPdf(
  sources: ReceiverSources,
  chat: AskedChat,
  choice?: ChatTargetChoice,
): Promise<void> {
  const destination = destinationOf(sources, chat, choice);
  if (destination.kind !== "known") return;
  const { connection, model, clientStyle } = destination.receiver;
  const subject = { connection: connection.name, model, clientStyle, probe: "pdf" };
  await vscode.commands.executeCommand(commandIds.verifyCompatibility, subject);
}

/** Lets the user select the client style of the chat. Undefined on Escape. */
export async function selectClientStyle(sources: ModelSources, chat: SelectingChat): Promise<void> {
  const destination = destinationOf(sources, chat);
  if (destination.kind !== "known") {
    await requireReceiver(sources, chat);
    return;
  }
  const { connection, clientStyle } = destination.receiver;
  const address = connection.address.kind === "address" ? connection.address.address : undefined;
  const title = vscode.l10n.t("Client Style for '{0}' in This Chat", connection.name);
  const chosen = await pickClientStyle(title, address, clientStyle);
  if (chosen !== undefined) chat.select({ ...destination.selection, clientStyle: chosen });
}

/** Asks which connection, model and client style to use for another answer. Undefined on Escape. */
export async function chooseForAnswer(
  sources: ModelSources,
  chat: SelectingChat,
  answer: AnswerTurn,
): Promise<ChatTargetChoice | undefined> {
  const { connections } = sources;
  const connection = await requireReceiver(sources, chat);
  const destination = destinationOf(sources, chat);
  if (connection === undefined || destination.kind !== "known") return undefined;
  // A stored or imported answer's model can be something other than a model ID.
  const answered = readModelName(answer.model);
  const isFirst = (each: Connection): boolean => each.name === connection.name;
  const styles = clientStyles.toSorted(
    (one, other) => Number(other === answer.clientStyle) - Number(one === answer.clientStyle),
  );
  const chosen = await pickModel(sources, {
    title:
      connections.all.length > 1
        ? vscode.l10n.t("Ask Again With Another Model")
        : vscode.l10n.t("Ask Again With a Model of '{0}'", connection.name),
    placeholder: vscode.l10n.t(
      "Sends a billable request to the model you select. The chat keeps using {0}.",
      destination.receiver.model,
    ),
    connections: byFirst(connections.all, connection),
    // The answer's own client style comes first, because users mostly want another model only.
    stylesOf: (each) => (isFirst(each) ? styles : [connections.clientStyleFor(each)]),
    marked: {
      picked: { ...answer, connection: connections.currentNameOf(answer) ?? "" },
      mark: vscode.l10n.t("used for this answer"),
    },
    unlisted: answered === undefined ? [] : [answered],
    isAboveList: true,
    skipsMarked: true,
  });
  if (chosen === undefined) return undefined;
  await allow(connections, chosen);
  return { connection: chosen.connection.name, model: chosen.model, clientStyle: chosen.clientStyle };
}

/** The user has picked a model of the connection, which selects it for this workspace's chats. */
async function allow(connections: WorkspaceConnections, { connection, model }: ModelChoice): Promise<void> {
  await connections.select(connection);
  await connections.noteModel(connection, model);
}
