import type { Attachment } from "../../chat/transcript/attachments.ts";
import { convertTurnsToEvents } from "../../chat/history/export/portableConversation.ts";
import type { ChatView } from "../page/chatView.ts";
import type { LoadedChats } from "../chat/chats.ts";
import type { InPlaceAnswer } from "./inPlaceAnswers.ts";

/** Shows what was asked and answered outside of a chat as a chat of its own, where it can be gone on with. */
export async function showInChat(
  { load, view }: { readonly load: () => Promise<LoadedChats>; readonly view: ChatView },
  question: string,
  attachments: readonly Attachment[],
  answer: InPlaceAnswer,
): Promise<void> {
  const { chats, store, knownKeys } = await load();
  const [id, questionId] = [crypto.randomUUID(), crypto.randomUUID()];
  const events = convertTurnsToEvents(
    [
      { kind: "question", id: questionId, parentId: null, text: question, at: answer.at, attachments },
      { ...answer, kind: "answer", id: crypto.randomUUID(), parentId: questionId },
    ],
    null,
  );
  const log = store.log(id);
  log.append(events.map((event) => knownKeys.cleanEvent(event)));
  await log.flush();
  const chat = await chats.find(id);
  if (chat !== undefined) await view.open(chat);
}
