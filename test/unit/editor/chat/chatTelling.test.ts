import assert from "node:assert/strict";
import {
  emptyTranscript,
  reduceTranscript,
  type TranscriptEvent,
} from "../../../../src/chat/transcript/transcript.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { Chat } from "../../../../src/editor/chat/chat.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { answerBy, createTestClient } from "../../client/request/testClient.ts";

const model = "service-core";
const clientStyle = "chat-completions";

describe("a page opened while events wait for the disk", () => {
  let service: ReferenceService;

  before(async () => {
    service = await startReferenceService();
  });
  after(() => service.close());

  it("shows each text once", async () => {
    const disk = Promise.withResolvers<undefined>();
    let seen: ((event: TranscriptEvent) => void) | undefined;
    const chat = openChat(service, (events) => {
      for (const event of events) seen?.(event);
      return disk.promise;
    });
    const someText = new Promise<void>((resolve) => {
      seen = ({ type }) => {
        if (type === "text-delta") resolve();
      };
    });
    const sending = chat.session.send("Hello");
    await someText;
    let page = chat.shownTranscript;
    const told = Promise.withResolvers<undefined>();
    chat.listen({
      onEvents: (events) => {
        page = events.reduce(reduceTranscript, page);
        if (events.some(({ type }) => type === "answer-ended")) told.resolve(undefined);
      },
    });
    disk.resolve(undefined);
    await Promise.all([sending, told.promise]);
    assert.deepEqual(page, chat.session.transcript);
    assert.deepEqual(chat.shownTranscript, chat.session.transcript);
  });
});

/** Opens a chat like the extension, but without a file. */
function openChat(service: ReferenceService, log: ConstructorParameters<typeof Chat>[0]["log"]): Chat {
  const { origin } = service;
  const transport = createUndiciTransport({ strictCertificates: true });
  const client = createTestClient({ transport, origin, key: service.keys.add({}) });
  let ids = 0;
  return new Chat({
    id: "chat",
    title: null,
    draft: "",
    transcript: emptyTranscript,
    log,
    target: () => ({
      connection: "Test",
      hasGiven: () => true,
      model,
      clientStyle,
      taken: () => ({}),
      stallSeconds: 0,
      onSettled: () => undefined,
      answer: answerBy(client, clientStyle, { model, maxTokens: 2000 }),
      diagnose: async (failure) => diagnose(failure, { origin, model, now: Date.now() }, createTranslate()),
    }),
    now: () => new Date(),
    newId: () => `turn-${(ids += 1)}`,
  });
}
