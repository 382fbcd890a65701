import { commandIds } from "../../contributions.ts";
import type { ChatEditors } from "./chatEditors.ts";
import type { ChatView } from "./chatView.ts";
import type { LoadedChats } from "../chat/chats.ts";
import type { RequestLog } from "../service/requestLog.ts";
import type { CommandTable } from "../shared/commandGroups.ts";

interface ChatCommandsOptions {
  readonly load: () => Promise<LoadedChats>;
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly log: RequestLog;
}

/** The chat, in the view and in editor tabs, and the log. */
export function chatCommands({ load, view, editors, log }: ChatCommandsOptions): CommandTable<"chat"> {
  return {
    [commandIds.openChat]: () => view.open(),
    [commandIds.openChatInEditor]: async () => {
      const { chats } = await load();
      const chat = await view.current();
      // The view's chat moves, so that no chat is shown in two places.
      await editors.open(chat);
      view.show(chats.create());
    },
    [commandIds.newChat]: async (place) => {
      const page = editors.pagePressedIn(place);
      // A chat in which nothing was said or typed is a new one already.
      const current = page?.chat ?? (await view.current());
      const chat = current.empty ? current : (await load()).chats.create();
      if (page === undefined) await view.open(chat);
      else page.goTo(chat);
    },
    [commandIds.showLog]: () => log.show(),
  };
}
