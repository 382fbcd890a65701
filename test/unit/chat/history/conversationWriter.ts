/**
 * A process that writes one conversation until it is killed: `node conversationWriter.ts <folder> <id>`.
 * After each answer that is written down it prints the answer's number; `full` when that fails.
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
    // The answer arrives over several turns of the loop.
    await new Promise(setImmediate);
  }
  while (!(await log.flush())) {
    process.stdout.write("full\n");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.stdout.write(`${number}\n`);
}
