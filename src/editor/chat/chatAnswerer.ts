import * as vscode from "vscode";
import type { Answerer } from "../../chat/chatSession.ts";
import type { Failure } from "../../client/failure.ts";
import type { Connection } from "../../connection/connection.ts";
import type { Diagnosis } from "../../connection/diagnosis.ts";
import type { Asked, Clients } from "../clients.ts";
import type { ConnectionHealth } from "../connectionHealth.ts";
import type { OutgoingTexts } from "../outgoingTexts.ts";
import { readMaxTokensSetting, readPriceSetting } from "../settings.ts";
import type { WorkspaceConnections } from "../workspaceConnections.ts";

export interface ChatAnswererOptions {
  readonly connections: WorkspaceConnections;
  readonly clients: Clients;
  readonly health: ConnectionHealth;
  readonly outgoing: OutgoingTexts;
}

/**
 * Who answers the next question: fixed when it is asked, whatever is chosen while it runs.
 * @throws Error where the workspace is bound to no connection
 */
export function createAnswerer(options: ChatAnswererOptions): Answerer {
  const { connections, clients, health, outgoing } = options;
  const connection = connections.current;
  if (connection === undefined)
    throw new Error(vscode.l10n.t("This workspace is not bound to a connection yet."));
  const model = connections.modelFor(connection);
  const clientStyle = connections.clientStyleFor(connection);
  const maxTokens = readMaxTokensSetting();
  const price = readPriceSetting(model);
  return {
    connection: connection.name,
    model,
    clientStyle,
    ...(price === undefined ? {} : { price }),
    answer: async function* answer(turns, signal) {
      const messages = await outgoing.clean(turns);
      const client = await clients.clientOf(connection);
      yield* client.streamChat(clientStyle, { model, messages, maxTokens, stream: true }, signal);
      if (!signal.aborted) health.succeeded(connection.name);
    },
    diagnose: (failure) => diagnose(options, connection, failure, { model, clientStyle }),
  };
}

async function diagnose(
  { clients, health }: ChatAnswererOptions,
  connection: Connection,
  failure: Failure,
  asked: Asked,
): Promise<Diagnosis> {
  const service = await clients.serviceOf(connection, asked);
  const diagnosis = service.diagnose(failure);
  health.failed(connection.name, diagnosis.cause, diagnosis.title);
  return diagnosis;
}
