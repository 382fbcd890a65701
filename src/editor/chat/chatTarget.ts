import type { Asker } from "../../chat/requests/requestRecord.ts";
import type { ChatTarget } from "../../chat/session/chatTarget.ts";
import { answerCap } from "../../chat/session/contextWindow.ts";
import type { AnswerTools } from "../../chat/agent/answerTools.ts";
import { ownEffortField } from "../../chat/transcript/transcript.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
import { InferenceError } from "../../client/failure/failure.ts";
import { styleFacts } from "../../protocol/conversation/wireStyle.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import { addresseeOf, takenBy } from "../service/modelCapabilities.ts";
import type { Clients } from "../service/clients.ts";
import type { ConnectionHealth } from "../service/connectionHealth.ts";
import { countCharacters, estimateRequest } from "../../chat/session/tokenEstimate.ts";
import type { Usage } from "../../protocol/conversation/conversation.ts";
import type { ModelCatalog } from "../models/modelCatalog.ts";
import type { ModelEfforts } from "../models/modelEfforts.ts";
import type { ModelLimitStore } from "../models/modelLimitStore.ts";
import type { RequestFields } from "../service/requestFields.ts";
import type { OutgoingTexts } from "../service/outgoingTexts.ts";
import { untilAborted } from "../shared/abort.ts";
import { readPriceSetting, readStallSetting } from "../workspace/settings.ts";
import type { Spending, TokenCaps } from "./spending.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { Receiver } from "./receiver.ts";

/** Services that answer questions, in chats and outside. */
export interface ChatServices {
  readonly connections: WorkspaceConnections;
  readonly clients: Clients;
  readonly health: ConnectionHealth;
  readonly outgoing: OutgoingTexts;
  readonly limits: ModelLimitStore;
  readonly catalog: ModelCatalog;
  readonly spending: Spending;
  readonly caps: TokenCaps;
  readonly compatibility: CompatibilityStore;
  readonly efforts: ModelEfforts;
  readonly requestFields: RequestFields;
  /** Called after each complete answer. */
  readonly onAnswered?: () => void;
}

interface TargetOptions {
  /** Returns the tools of the answer; undefined without tools. */
  readonly createTools?: (receiver: Receiver) => AnswerTools | undefined;
  /** Token limit of the answer, if it is lower than that of the settings and the model. */
  readonly maxTokens?: number;
}

/**
 * Captures the connection, model and client style for the next question. Later changes of the selection do not affect
 * the question.
 * @param asker what the requests are recorded as
 */
export function createChatTarget(
  services: ChatServices,
  asker: Asker,
  { connection, model, clientStyle }: Receiver,
  { createTools, maxTokens: ownLimit }: TargetOptions = {},
): ChatTarget {
  const { connections, clients, health, outgoing, limits, catalog } = services;
  const addressee = addresseeOf(connection, model, clientStyle);
  const { origin } = addressee;
  const known = limits.limitsOf(connection, model, clientStyle);
  const room = { ...known, maxTokens: Math.min(known.maxTokens, ownLimit ?? known.maxTokens) };
  const price = readPriceSetting(model);
  const call = health.begin(connection.name);
  const tools = createTools?.({ connection, model, clientStyle });
  const isOfChat = asker.kind === "chat" || asker.kind === "compaction";
  const effort = isOfChat ? services.efforts.effortOf(connection, model, clientStyle) : undefined;
  const sent = new WeakMap<Message, Message>();
  const begun = { connection: connection.name, at: new Date().toISOString() };
  let cleaned:
    | { readonly turns: readonly Message[]; readonly messages: Promise<readonly Message[]> }
    | undefined;
  return {
    connection: connection.name,
    hasGiven: (answer) => connections.currentNameOf(answer) === connection.name,
    ...(origin === "" ? {} : { origin }),
    model,
    clientStyle,
    ...(price === undefined ? {} : { price }),
    room,
    taken: () => takenBy(services.compatibility, addressee),
    ...(tools === undefined ? {} : { tools }),
    stallSeconds: readStallSetting(),
    answer: async (turns, signal, { onParts, onActivity, onRefusedField }) => {
      if (signal.aborted) return;
      // The connection may have been renamed since the last request. Another one with its name has another key.
      const name = connections.currentNameOf(begun);
      if (name === undefined)
        throw new InferenceError({ kind: "key", cause: "empty-key", replaced: connection.name });
      const asked = { ...connection, name };
      // Read this key before cleaning. If secret storage returns this key, it also returns the keys to remove from
      // messages.
      const preparing = clients.clientOf(asked, asker).then(async (client) => {
        // Clean only once for all attempts, because cleaning can notify the user.
        if (cleaned?.turns !== turns) cleaned = { turns, messages: outgoing.clean(turns, sent) };
        return { client, messages: await cleaned.messages, fields: await services.requestFields.of(model) };
      });
      const ready = await untilAborted(preparing, signal);
      if (ready === undefined || signal.aborted) return;
      const { client, messages, fields } = ready;
      // A request without its tools would look like an answer that needs none.
      const offered = tools === undefined ? {} : { tools: tools.offered, required: ["tools"] };
      const maxTokens = answerCap(room, estimateRequest({ messages, ...offered }, room.charactersPerToken));
      const chosen = effort === undefined ? {} : { effort };
      const request = { model, messages, maxTokens, stream: true, ...offered, ...chosen, fields };
      services.requestFields.tellWithheld(clientStyle, request);
      const effortField = styleFacts[clientStyle].effort.field;
      const onOmitted = (field: string, value?: string): void => {
        if (field === effortField && effort !== undefined)
          onRefusedField(value === undefined ? field : `${field}: ${value}`);
        else if (Object.hasOwn(fields, field))
          onRefusedField(field === effortField ? ownEffortField(field) : field);
      };
      let usage: Usage | undefined;
      for await (const parts of client.streamChat(clientStyle, request, signal, onActivity, onOmitted)) {
        usage = parts.findLast((part) => part.type === "usage")?.usage ?? usage;
        onParts(parts);
      }
      if (signal.aborted) return;
      call.succeeded();
      services.onAnswered?.();
      // List models in the background. If the key has changed since, wait for an answer with the new key.
      if (call.isCurrent()) void catalog.listBehindAnswer(asked, client);
      const characters = countCharacters(request);
      if (usage?.inputTokens !== undefined && characters !== undefined) {
        // A token count that cannot be saved must not fail the answer.
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
