import { firstLine } from "../../chat/history/log/conversationSummary.ts";
import type { KeptChats } from "../../chat/drafts/keptChats.ts";
import type { Chat } from "./chat.ts";

/** A chat that is in no file, since nothing was asked in it. */
export interface UnsentChat {
  readonly id: string;
  /** The first line of its draft, or the names of what is attached. */
  readonly title: string;
}

/** What is open or kept of such chats, the newest first. */
export function unsentChats(open: readonly Chat[], kept: KeptChats): readonly UnsentChat[] {
  const ids = new Set([...open.map(({ id }) => id).toReversed(), ...kept.chatIds]);
  for (const { id, session } of open) if (session.transcript.turns.length > 0 || session.busy) ids.delete(id);
  return [...ids].flatMap((id) => {
    const { draft, attachments } = open.find((chat) => chat.id === id) ?? {
      draft: kept.draftOf(id),
      attachments: kept.attachmentsOf(id),
    };
    const title = firstLine(draft) || attachments.map(({ name }) => name).join(", ");
    return title === "" ? [] : [{ id, title }];
  });
}
