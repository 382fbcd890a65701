import * as vscode from "vscode";
import type { ChatTarget, ChatTargetChoice } from "../../chat/session/chatTarget.ts";
import { answerCap } from "../../chat/session/contextWindow.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
import type { Clients } from "../service/clients.ts";
import type { ConnectionHealth } from "../service/connectionHealth.ts";
import { countCharacters, estimateMessages } from "../../chat/session/tokenEstimate.ts";
import type { Usage } from "../../protocol/conversation/conversation.ts";
import type { ModelCatalog } from "../models/modelCatalog.ts";
import type { ModelLimitStore } from "../models/modelLimitStore.ts";
import type { OutgoingTexts } from "../service/outgoingTexts.ts";
import { untilAborted } from "../shared/abort.ts";
import { readPriceSetting, readStallSetting } from "../workspace/settings.ts";
import type { Spending, TokenCaps } from "./spending.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** What questions are answered with, in chats and outside of them. */
export interface ChatServices {
  readonly connections: WorkspaceConnections;
  readonly clients: Clients;
  readonly health: ConnectionHealth;
  readonly outgoing: OutgoingTexts;
  readonly limits: ModelLimitStore;
  readonly catalog: ModelCatalog;
  readonly spending: Spending;
  readonly caps: TokenCaps;
  /** Hears of each answer that has come to its end. */
  readonly onAnswered?: () => void;
}

/**
 * Who answers the next question: fixed when it is asked, whatever is chosen while it runs.
 * @param choice what this one answer is asked of, in place of what the workspace uses
 * @throws Error where the workspace is bound to no connection
 */
export function createChatTarget(services: ChatServices, choice?: ChatTargetChoice): ChatTarget {
  const { connections, clients, health, outgoing, limits, catalog } = services;
  const connection = connections.current;
  if (connection === undefined)
    throw new Error(vscode.l10n.t("No connection is selected for this workspace."));
  const model = choice?.model ?? connections.modelFor(connection);
  const clientStyle = choice?.clientStyle ?? connections.clientStyleFor(connection);
  const room = limits.limitsOf(connection, model, clientStyle);
  const price = readPriceSetting(model);
  const call = health.begin(connection.name);
  let cleaned: Promise<readonly Message[]> | undefined;
  return {
    connection: connection.name,
    model,
    clientStyle,
    ...(price === undefined ? {} : { price }),
    room,
    stallSeconds: readStallSetting(),
    answer: async (turns, signal, { onParts, onActivity }) => {
      if (signal.aborted) return;
      // First of all: a secret store that has given this key gives those that are looked for.
      const preparing = clients.clientOf(connection).then(async (client) => {
        // Once for all tries: it may tell the user what it took out.
        cleaned ??= outgoing.clean(turns);
        return { client, messages: await cleaned };
      });
      const ready = await untilAborted(preparing, signal);
      if (ready === undefined || signal.aborted) return;
      const { client, messages } = ready;
      const maxTokens = answerCap(room, estimateMessages(messages, room.charactersPerToken));
      const request = { model, messages, maxTokens, stream: true };
      let usage: Usage | undefined;
      for await (const parts of client.streamChat(clientStyle, request, signal, onActivity)) {
        usage = parts.findLast((part) => part.type === "usage")?.usage ?? usage;
        onParts(parts);
      }
      if (signal.aborted) return;
      call.succeeded();
      services.onAnswered?.();
      // In the background: the answer has ended. A key that is newer than the answer waits for one of its own.
      if (call.isCurrent()) void catalog.listBehindAnswer(connection, client);
      const characters = countCharacters(request);
      if (usage?.inputTokens !== undefined && characters !== undefined) {
        // A count that cannot be kept is no reason to lose an answer.
        limits.learn(connection, model, characters, usage.inputTokens).catch(() => undefined);
      }
    },
    diagnose: async (error) => {
      const { diagnose } = await clients.serviceOf(connection, model);
      return diagnose(error);
    },
    onSettled: (state) => {
      if (state.kind === "failed") call.failed(state.diagnosis.cause, state.diagnosis.title);
    },
  };
}
