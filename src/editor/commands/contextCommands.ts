import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { Chat } from "../chat/chat.ts";
import type { ChatEditors } from "../page/chatEditors.ts";
import type { ChatView } from "../page/chatView.ts";
import type { LoadedChats } from "../chat/chats.ts";
import type { ChatContext } from "../attachments/chatContext.ts";
import { reportError, showInformation } from "../shared/notices.ts";
import type { CommandTable } from "../shared/commandGroups.ts";

export interface ContextCommandsOptions {
  readonly load: () => Promise<LoadedChats>;
  readonly view: ChatView;
  readonly editors: ChatEditors;
}

/** What the menus of the explorer and of editors attach to the chat that was used last: a tab's, or else the view's. */
export function contextCommands({ load, view, editors }: ContextCommandsOptions): CommandTable<"context"> {
  const attach = async (work: (context: ChatContext, chat: Chat) => Promise<void>): Promise<void> => {
    const { context, lastUsed } = (await load()).chats;
    const chat = lastUsed !== undefined && editors.holds(lastUsed) ? lastUsed : await view.current();
    const before = chat.attachments;
    await work(context, chat);
    // Where nothing was attached the user stays where they are. A tab may have been closed meanwhile.
    if (chat.attachments !== before && !editors.reveal(chat)) await view.open(chat);
  };
  const attachSelection = () => attach((context, chat) => context.attachSelection(chat));
  // The explorer hands over what was clicked and all that is selected; the palette nothing.
  const attachFile = async (clicked: unknown, selected: unknown): Promise<void> => {
    const uris = readUris(clicked, selected);
    if (uris.length > 0) await attach((context, chat) => context.attachUris(uris, chat));
    else
      reportError(
        showInformation(vscode.l10n.t("No file is open. Open the file that is meant, or attach it.")),
      );
  };
  return {
    [commandIds.addSelectionToChat]: attachSelection,
    [commandIds.attachSelection]: attachSelection,
    [commandIds.addFileToChat]: attachFile,
    [commandIds.attachFile]: attachFile,
  };
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
