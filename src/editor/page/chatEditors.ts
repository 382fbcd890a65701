import { eventTraits } from "../../chat/transcript/transcript.ts";
import * as v from "valibot";
import * as vscode from "vscode";
import { chatEditorType } from "../../contributions.ts";
import type { Chat } from "../chat/chat.ts";
import { type ChatPage, createChatPage, preparePage } from "./chatPage.ts";
import type { LoadedChats } from "../chat/chats.ts";

/** The member of a page's saved state that is read here. The page itself reads the others. */
const savedStateSchema = v.object({ chatId: v.string() });

/** The former place of a tab. */
interface ClosedTab {
  readonly chatId: string;
  readonly column: vscode.ViewColumn | undefined;
}

interface ChatEditor {
  readonly panel: vscode.WebviewPanel;
  readonly page: ChatPage;
}

/** Chats in editor tabs, which VS Code can also move to separate windows. */
export class ChatEditors implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #load: () => Promise<LoadedChats>;
  readonly #editors = new Set<ChatEditor>();
  readonly #seen = new vscode.EventEmitter<void>();
  /** Fires when a tab comes to the front, is covered or closed, or shows another chat. */
  readonly onDidChangeSeen = this.#seen.event;

  constructor(extensionUri: vscode.Uri, load: () => Promise<LoadedChats>) {
    this.#extensionUri = extensionUri;
    this.#load = load;
  }

  /** Brings the chat's tab to the front and shows the turn. Returns false if the chat has no tab. */
  reveal(chat: Chat, turnId?: string): boolean {
    const editor = this.#editorOf(chat);
    editor?.panel.reveal();
    editor?.page.focus(turnId);
    return editor !== undefined;
  }

  /** Whether a tab shows this chat. */
  holds(chat: Chat): boolean {
    return this.#editorOf(chat) !== undefined;
  }

  /** Whether this chat is on the screen in a tab. */
  sees(chat: Chat): boolean {
    return this.#editorOf(chat)?.panel.visible === true;
  }

  /** The page of the active tab if a command was pressed in its title bar; undefined if pressed elsewhere. */
  pagePressedIn(place: unknown): ChatPage | undefined {
    const isTab = place instanceof vscode.Uri && place.scheme === "webview-panel";
    return isTab ? this.activePage : undefined;
  }

  /** The page of the active tab; undefined if the active tab shows no chat. */
  get activePage(): ChatPage | undefined {
    return [...this.#editors].find(({ panel }) => panel.active)?.page;
  }

  /** Shows the chat in its tab, or in a new tab. */
  async open(chat: Chat): Promise<void> {
    if (this.reveal(chat)) return;
    // Open beside the active file: a chat in front of it could not attach that file or insert code there.
    const active = vscode.window.activeTextEditor ?? vscode.window.activeNotebookEditor;
    const column = active === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
    (await this.#fill(createPanel(chat, { viewColumn: column }), chat)).focus();
  }

  /** Shows the chat in a tab of the given column, without taking the focus. */
  async openAgain(chat: Chat, column: vscode.ViewColumn = vscode.ViewColumn.Active): Promise<void> {
    if (this.holds(chat)) return;
    await this.#fill(createPanel(chat, { viewColumn: column, preserveFocus: true }), chat);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const saved = v.safeParse(savedStateSchema, state);
    const { chats } = await this.#load();
    await this.#fill(panel, await chats.restore(saved.success ? saved.output.chatId : undefined));
  }

  /** Closes the tabs of these chats and returns their former places. */
  close(chatIds: ReadonlySet<string>): readonly ClosedTab[] {
    const closing = [...this.#editors].filter(({ page }) => chatIds.has(page.chat.id));
    const closed = closing.map(({ panel, page }) => ({ chatId: page.chat.id, column: panel.viewColumn }));
    for (const { panel } of closing) panel.dispose();
    return closed;
  }

  /** Updates the tab titles of a renamed chat. */
  renamed(chatId: string): void {
    for (const { panel, page } of this.#editors)
      if (page.chat.id === chatId) panel.title = titleFor(page.chat);
  }

  dispose(): void {
    for (const { page } of this.#editors) page.dispose();
    this.#editors.clear();
    this.#seen.dispose();
  }

  #editorOf(chat: Chat): ChatEditor | undefined {
    return [...this.#editors].find(({ page }) => page.chat.id === chat.id);
  }

  async #fill(panel: vscode.WebviewPanel, chat: Chat): Promise<ChatPage> {
    const { chats } = await this.#load();
    const { post, load } = preparePage(panel.webview, this.#extensionUri);
    const rename = (shown: Chat): void => {
      panel.title = titleFor(shown);
    };
    let leaveChat = followChat(chat, rename);
    const page = createChatPage(chats, chat, post, (shown) => {
      leaveChat();
      leaveChat = followChat(shown, rename);
      this.#seen.fire();
    });
    const editor: ChatEditor = { panel, page };
    this.#editors.add(editor);
    this.#seen.fire();
    panel.iconPath = vscode.Uri.joinPath(this.#extensionUri, "media", "icon.svg");
    const receiving = panel.webview.onDidReceiveMessage((message: unknown) => page.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hidden();
      this.#seen.fire();
    });
    panel.onDidDispose(() => {
      receiving.dispose();
      leaveChat();
      page.dispose();
      this.#editors.delete(editor);
      this.#seen.fire();
    });
    load();
    return page;
  }
}

function createPanel(
  chat: Chat,
  place: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus?: boolean },
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(chatEditorType, titleFor(chat), place, { enableFindWidget: true });
}

/** Calls `rename` now, and whenever a question may have changed the chat's title. */
function followChat(chat: Chat, rename: (chat: Chat) => void): () => void {
  rename(chat);
  return chat.listen({
    onEvents: (events) => {
      if (events.some(({ type }) => eventTraits[type].moment === "question")) rename(chat);
    },
    onReplaced: () => rename(chat),
  });
}

function titleFor(chat: Chat): string {
  return chat.title === "" ? vscode.l10n.t("New Chat") : chat.title;
}
