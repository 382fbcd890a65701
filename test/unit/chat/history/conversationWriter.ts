/**
 * Writes one conversation until the process is killed: `node conversationWriter.ts <folder> <id>`.
 * Prints each answer's number after writing the answer, or `full` if the write fails.
 */
import { randomUUID } from "node:crypto";
import { ConversationStore } from "../../../../src/chat/history/conversationStore.ts";
import { exchange } from "../transcript/sampleEvents.ts";

const [, , folder = "", id = ""] = process.argv;

const store = new ConversationStore({
  folder,
  now: () => new Date(),
  newId: randomUUID,
  onWriteError: () => {},
  onBroughtBack: () => {},
});
const log = store.log(id);

for (let number = 0; ; number += 1) {
  const [question, answer, words, end] = exchange(String(number), null, `answer ${number} `.repeat(200));
  for (const event of [question, answer, words, end]) {
    if (event !== undefined) log.append([event]);
    // Spread the answer over several turns of the event loop.
    await new Promise(setImmediate);
  }
  while (!(await log.flush())) {
    process.stdout.write("full\n");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.stdout.write(`${number}\n`);
}
