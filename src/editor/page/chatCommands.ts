import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { ChatContext } from "../attachments/chatContext.ts";
import { forgetApprovals } from "../agent/approvals.ts";
import { selectTools } from "../agent/selectTools.ts";
import type { Chat } from "../chat/chat.ts";
import { reportError, showInformation } from "../shared/notices.ts";
import type { CommandTable } from "../shared/registration.ts";
import { openWhereShown } from "./attention.ts";
import { focusedPage } from "./chatPage.ts";
import type { ChatPages } from "./registerPage.ts";

/** The commands of the chat in the view and in tabs, and of the menus that attach files and selections. */
export function chatCommands(pages: ChatPages): CommandTable<"page"> {
  const { loadChats, view, editors } = pages;
  const attachSelection = () => attach(pages, (context, chat) => context.attachSelection(chat));
  // The Explorer passes the clicked item and all selected items. The Command Palette passes nothing.
  const attachFile = async (clicked: unknown, selected: unknown): Promise<void> => {
    const uris = readUris(clicked, selected);
    if (uris.length > 0) await attach(pages, (context, chat) => context.attachUris(uris, chat));
    else
      reportError(
        showInformation(vscode.l10n.t("No file is open. Open the file you want to ask about, or attach it.")),
      );
  };
  return {
    // The status bar passes the ID of the chat that waits.
    [commandIds.openChat]: async (chatId) => {
      const chat = typeof chatId === "string" ? await (await loadChats()).chats.find(chatId) : undefined;
      await (chat === undefined ? view.open() : openWhereShown(pages, chat));
    },
    [commandIds.openChatInEditor]: async () => {
      const { chats } = await loadChats();
      const chat = await view.current();
      // The view's chat moves to the tab, so that no chat is shown in two places.
      await editors.open(chat);
      view.show(chats.create());
    },
    [commandIds.newChat]: async (place) => {
      const page = editors.pagePressedIn(place);
      // An empty chat counts as a new one, unless something was selected for it.
      const current = page?.chat ?? (await view.current());
      const isNew = current.empty && current.selection === undefined;
      const chat = isNew ? current : (await loadChats()).chats.create();
      if (page === undefined) await view.open(chat);
      else page.goTo(chat);
    },
    // A tab may be active while the chat view has the focus.
    [commandIds.selectMode]: () =>
      (focusedPage() ?? editors.activePage)?.choose("mode") ?? view.choose("mode"),
    [commandIds.selectChatModel]: () =>
      (focusedPage() ?? editors.activePage)?.choose("model") ?? view.choose("model"),
    [commandIds.selectEffort]: () =>
      (focusedPage() ?? editors.activePage)?.choose("effort") ?? view.choose("effort"),
    [commandIds.compactChat]: () => (focusedPage() ?? editors.activePage)?.compact() ?? view.compact(),
    [commandIds.undoAnswerChanges]: async () => {
      const { changes } = (await loadChats()).agent;
      await changes.undoNewest((focusedPage() ?? editors.activePage)?.chat ?? (await view.current()));
    },
    [commandIds.selectTools]: async () => selectTools((await loadChats()).agent),
    [commandIds.forgetApprovals]: async () => {
      const { approvals, others } = (await loadChats()).agent;
      await forgetApprovals(approvals, others);
    },
    [commandIds.addSelectionToChat]: attachSelection,
    [commandIds.attachSelection]: attachSelection,
    [commandIds.addFileToChat]: attachFile,
    [commandIds.attachFile]: attachFile,
  };
}

/** Attaches to the last used chat if a tab shows it, or else to the view's chat. */
async function attach(
  { loadChats, view, editors }: ChatPages,
  work: (context: ChatContext, chat: Chat) => Promise<void>,
): Promise<void> {
  const { context, lastUsed } = (await loadChats()).chats;
  const chat = lastUsed !== undefined && editors.holds(lastUsed) ? lastUsed : await view.current();
  const before = chat.attachments;
  await work(context, chat);
  // Open the chat only if something was attached. Its tab may have been closed since.
  if (chat.attachments !== before && !editors.reveal(chat)) await view.open(chat);
}

function readUris(clicked: unknown, selected: unknown): readonly vscode.Uri[] {
  const uris = Array.isArray(selected) ? selected.filter((each) => each instanceof vscode.Uri) : [];
  if (uris.length > 0) return uris;
  const uri = clicked instanceof vscode.Uri ? clicked : activeFile();
  return uri === undefined ? [] : [uri];
}

/** Returns the file of the active tab, which can be an image or a notebook. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
    ? input.uri
    : vscode.window.activeTextEditor?.document.uri;
}
