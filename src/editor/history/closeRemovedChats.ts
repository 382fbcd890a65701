import type { ChatEditors } from "../page/chatEditors.ts";
import type { Chats } from "../chat/chats.ts";
import type { ChatView } from "../page/chatView.ts";

interface Screen {
  readonly chats: Pick<Chats, "create" | "find" | "release">;
  readonly view: Pick<ChatView, "current" | "show" | "holds">;
  readonly editors: Pick<ChatEditors, "close" | "openAgain" | "holds">;
}

/**
 * Closes the tabs of removed chats. If the view shows a removed chat, shows a new chat there instead. The returned
 * function shows the restored chats in their former places. If the user has started something in the view's new chat,
 * the view keeps that chat.
 */
export async function closeRemovedChats(
  gone: ReadonlySet<string>,
  { chats, view, editors }: Screen,
): Promise<() => Promise<void>> {
  const tabs = editors.close(gone);
  const viewed = await view.current();
  const replacement = gone.has(viewed.id) ? chats.create() : undefined;
  if (replacement !== undefined) view.show(replacement);
  return async () => {
    for (const { chatId, column } of tabs) {
      const chat = await chats.find(chatId);
      // A chat is never shown in two places.
      if (chat !== undefined && !view.holds(chat)) await editors.openAgain(chat, column);
    }
    const chat = replacement === undefined ? undefined : await chats.find(viewed.id);
    if (replacement === undefined || chat === undefined) return;
    const isFree = view.holds(replacement) && replacement.empty;
    if (isFree && !editors.holds(chat)) view.show(chat);
    else chats.release(chat);
  };
}
