/**
 * A process that asks question after question in a chat until it is killed. Usage:
 * `streamingChat.ts <folder> <conversation> <origin> <style> <name>`, with the key in the environment.
 * Prints each question, each piece of text and each end of an answer, after the chat's page has received it.
 */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { ConversationStore } from "../../../src/chat/history/conversationStore.ts";
import { createUndiciTransport } from "../../../src/client/transport/undiciTransport.ts";
import type { Told } from "./killedChat.ts";
import { openTestChat } from "./testChat.ts";

const [, , folder = "", id = "", origin = "", style = "", name = ""] = process.argv;

const tell = (told: Told): void => void writeSync(1, `${JSON.stringify(told)}\n`);
const store = new ConversationStore({
  folder,
  now: () => new Date(),
  newId: randomUUID,
  onBroughtBack: () => undefined,
  onWriteError: (error) => {
    throw error;
  },
});
const chat = await openTestChat({
  store,
  id,
  transport: createUndiciTransport({ strictCertificates: true }),
  origin,
  key: process.env["INFERENCE_FAULTS_KEY"] ?? "",
  style: style === "messages" ? "messages" : "chat-completions",
});
let questionId = "";
chat.listen({
  onEvents: (events) => {
    const at = performance.now();
    for (const event of events) {
      if (event.type === "question-asked") {
        questionId = event.turn.id;
        tell({ what: "asked", text: event.turn.text });
      }
      if (event.type === "text-delta") tell({ what: "text", text: event.text, at });
      if (event.type !== "answer-ended") continue;
      const answer = chat.shownTranscript.turns.findLast(({ parentId }) => parentId === questionId);
      tell({ what: "ended", text: answer?.text ?? "", state: event.state.kind });
    }
  },
});
/** Milliseconds between questions, so that a kill can come right after an answer has ended. */
const pause = 20;
for (let number = 0; ; number += 1) {
  await chat.session.send(`question ${name}-${number} /pace 2`);
  await wait(pause);
}
