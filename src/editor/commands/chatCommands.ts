import { commandIds } from "../../contributions.ts";
import type { ChatEditors } from "../chat/chatEditors.ts";
import type { Chats } from "../chat/chats.ts";
import type { ChatView } from "../chat/chatView.ts";
import type { RequestLog } from "../requestLog.ts";
import type { CommandTable } from "./commandTable.ts";

export interface ChatCommandsOptions {
  readonly loadChats: () => Promise<Chats>;
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly log: RequestLog;
}

/** The chat, in the view and in editor tabs, and the log. */
export function chatCommands({ loadChats, view, editors, log }: ChatCommandsOptions): CommandTable {
  return {
    [commandIds.openChat]: () => view.open(),
    [commandIds.openChatInEditor]: async () => {
      // The view's chat moves, so that no chat is shown in two places.
      const chat = await view.current();
      await view.release();
      await editors.open(chat);
    },
    [commandIds.newChat]: async () => view.open((await loadChats()).create()),
    [commandIds.showLog]: () => log.show(),
  };
}
