import { randomUUID } from "node:crypto";
import type { ConversationStore } from "../../../src/chat/history/conversationStore.ts";
import { emptyTranscript } from "../../../src/chat/transcript/transcript.ts";
import { answerLimits } from "../../../src/client/http/transport.ts";
import type { Transport } from "../../../src/client/http/transport.ts";
import { diagnose } from "../../../src/connection/diagnosis/diagnosis.ts";
import { Chat } from "../../../src/editor/chat/chat.ts";
import { createTranslate } from "../../../src/text/translate.ts";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import { answerBy, createTestClient } from "../../unit/client/request/testClient.ts";

export interface TestChatOptions {
  readonly store: ConversationStore;
  readonly id: string;
  readonly transport: Transport;
  readonly origin: string;
  readonly key: string;
  readonly style: ClientStyle;
  readonly now?: () => Date;
  readonly stallSeconds?: number;
}

const model = "service-core";
const t = createTranslate();

/** Opens a chat as the extension does, with its real session, client and file, but without VS Code. */
export async function openTestChat(options: TestChatOptions): Promise<Chat> {
  const { store, id, transport, origin, key, style, now = () => new Date(), stallSeconds = 0 } = options;
  const stored = await store.open(id);
  const client = createTestClient({ transport, origin, key, limits: answerLimits });
  return new Chat({
    id,
    title: null,
    draft: "",
    transcript: stored?.transcript ?? emptyTranscript,
    now,
    newId: randomUUID,
    log: (events) => {
      store.log(id).append(events);
      const isSettled = events.some(({ type }) => type === "question-asked" || type === "answer-ended");
      return isSettled ? store.log(id).flush() : Promise.resolve();
    },
    target: () => ({
      connection: "Test",
      hasGiven: () => true,
      model,
      clientStyle: style,
      taken: () => ({}),
      stallSeconds,
      onSettled: () => undefined,
      answer: answerBy(client, style, { model, maxTokens: 100_000 }),
      diagnose: async (failure) => diagnose(failure, { origin, model, now: now().getTime() }, t),
    }),
  });
}
