import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { ChatContext } from "../attachments/chatContext.ts";
import type { Chat } from "../chat/chat.ts";
import { reportError, showInformation } from "../shared/notices.ts";
import type { CommandTable } from "../shared/registration.ts";
import type { ChatPages } from "./registerPage.ts";

/** The chat, in the view and in editor tabs, and what the menus of the explorer and of editors attach to it. */
export function chatCommands(pages: ChatPages): CommandTable<"page"> {
  const { loadChats, view, editors } = pages;
  const attachSelection = () => attach(pages, (context, chat) => context.attachSelection(chat));
  // The explorer hands over what was clicked and all that is selected; the palette nothing.
  const attachFile = async (clicked: unknown, selected: unknown): Promise<void> => {
    const uris = readUris(clicked, selected);
    if (uris.length > 0) await attach(pages, (context, chat) => context.attachUris(uris, chat));
    else
      reportError(
        showInformation(vscode.l10n.t("No file is open. Open the file you want to ask about, or attach it.")),
      );
  };
  return {
    [commandIds.openChat]: () => view.open(),
    [commandIds.openChatInEditor]: async () => {
      const { chats } = await loadChats();
      const chat = await view.current();
      // The view's chat moves, so that no chat is shown in two places.
      await editors.open(chat);
      view.show(chats.create());
    },
    [commandIds.newChat]: async (place) => {
      const page = editors.pagePressedIn(place);
      // A chat in which nothing was said or typed is a new one already.
      const current = page?.chat ?? (await view.current());
      const chat = current.empty ? current : (await loadChats()).chats.create();
      if (page === undefined) await view.open(chat);
      else page.goTo(chat);
    },
    [commandIds.addSelectionToChat]: attachSelection,
    [commandIds.attachSelection]: attachSelection,
    [commandIds.addFileToChat]: attachFile,
    [commandIds.attachFile]: attachFile,
  };
}

/** Attaches to the chat that was used last: a tab's, or else the view's. */
async function attach(
  { loadChats, view, editors }: ChatPages,
  work: (context: ChatContext, chat: Chat) => Promise<void>,
): Promise<void> {
  const { context, lastUsed } = (await loadChats()).chats;
  const chat = lastUsed !== undefined && editors.holds(lastUsed) ? lastUsed : await view.current();
  const before = chat.attachments;
  await work(context, chat);
  // Where nothing was attached the user stays where they are. A tab may have been closed meanwhile.
  if (chat.attachments !== before && !editors.reveal(chat)) await view.open(chat);
}

function readUris(clicked: unknown, selected: unknown): readonly vscode.Uri[] {
  const uris = Array.isArray(selected) ? selected.filter((each) => each instanceof vscode.Uri) : [];
  if (uris.length > 0) return uris;
  const uri = clicked instanceof vscode.Uri ? clicked : activeFile();
  return uri === undefined ? [] : [uri];
}

/** Also where the tab shows no text, such as a picture. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : vscode.window.activeTextEditor?.document.uri;
}
