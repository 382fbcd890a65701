import { ConversationDecoder, type StoredConversation } from "./conversationFile.ts";
import type { ConversationFolder } from "./conversationFolder.ts";

/** Reads the file of a conversation. Throws what the system says; damage of the file is no error. */
export async function readConversation(folder: ConversationFolder, id: string): Promise<StoredConversation> {
  const decoder = new ConversationDecoder();
  for await (const piece of folder.read(id)) decoder.take(piece);
  return decoder.end();
}
