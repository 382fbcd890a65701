import type { ChatEditors } from "../page/chatEditors.ts";
import type { Chats } from "../chat/chats.ts";
import type { ChatView } from "../page/chatView.ts";

interface Screen {
  readonly chats: Pick<Chats, "create" | "find" | "release">;
  readonly view: Pick<ChatView, "current" | "show" | "holds">;
  readonly editors: Pick<ChatEditors, "close" | "openAgain" | "holds">;
}

/**
 * Takes chats that were removed from the screen. What is given shows those that are there again where they were, unless
 * something else was begun in their place.
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
      // No chat is shown twice.
      if (chat !== undefined && !view.holds(chat)) await editors.openAgain(chat, column);
    }
    const chat = replacement === undefined ? undefined : await chats.find(viewed.id);
    if (replacement === undefined || chat === undefined) return;
    const isFree = view.holds(replacement) && replacement.empty;
    if (isFree && !editors.holds(chat)) view.show(chat);
    else chats.release(chat);
  };
}
