import * as vscode from "vscode";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import { viewId } from "../../contributions.ts";
import { showThrown } from "../shared/notices.ts";
import type { Chat } from "../chat/chat.ts";
import { type ChatPage, createChatPage, preparePage } from "./chatPage.ts";
import type { LoadedChats } from "../chat/chats.ts";

/** The chat view in the side bar. Shows one chat at a time, and the same chat after a reload. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #load: () => Promise<LoadedChats>;
  #chat: Chat | undefined;
  #page: ChatPage | undefined;
  /** Actions to run once there is a page. */
  readonly #waiting: ((page: ChatPage) => void)[] = [];
  #unlisten: (() => void) | undefined;
  /** The view as VS Code gave it; undefined while there is none. */
  #resolved: vscode.WebviewView | undefined;
  #badge: vscode.ViewBadge | undefined;
  readonly #seen = new vscode.EventEmitter<void>();
  /** Fires when the view becomes visible or hidden, or shows another chat. */
  readonly onDidChangeSeen = this.#seen.event;

  constructor(extensionUri: vscode.Uri, load: () => Promise<LoadedChats>) {
    this.#extensionUri = extensionUri;
    this.#load = load;
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    let disposed = false;
    let shown: ChatPage | undefined;
    const early: unknown[] = [];
    const { post, load } = preparePage(view.webview, this.#extensionUri);
    const receiving = view.webview.onDidReceiveMessage((message: unknown) => {
      if (shown === undefined) early.push(message);
      else shown.receive(message);
    });
    this.#resolved = view;
    view.badge = this.#badge;
    this.#seen.fire();
    view.onDidChangeVisibility(() => {
      if (!view.visible) shown?.hidden();
      this.#seen.fire();
    });
    view.onDidDispose(() => {
      disposed = true;
      receiving.dispose();
      if (this.#resolved === view) this.#resolved = undefined;
      this.#seen.fire();
      shown?.dispose();
      if (shown !== undefined && this.#page === shown) this.#page = undefined;
    });
    // The page loads while the chats are read. Messages from the page wait until then.
    load();
    await nextTask();
    const { chats } = await this.#load();
    const chat = await this.current();
    if (disposed) return;
    const page = createChatPage(chats, chat, post, (shownChat) => this.#setChat(shownChat));
    shown = page;
    this.#page = page;
    for (const act of this.#waiting.splice(0)) act(page);
    for (const message of early) page.receive(message);
  }

  /** The chat that the view shows, or will show when it is opened. */
  async current(): Promise<Chat> {
    const { chats, drafts } = await this.#load();
    if (this.#chat === undefined) {
      const restored = await chats.restore(drafts.viewChat);
      // Another chat may have been opened while the file was read.
      if (this.#chat === undefined) this.#setChat(restored);
      return this.#chat ?? restored;
    }
    return this.#chat;
  }

  /** Whether the view shows this chat, or will show it when opened. */
  holds(chat: Chat): boolean {
    return this.#chat?.id === chat.id;
  }

  /** Whether this chat is on the screen in the view. */
  sees(chat: Chat): boolean {
    return this.holds(chat) && this.#resolved?.visible === true;
  }

  /** Shows a number on the view's icon; none for 0. */
  showBadge(value: number, tooltip: string): void {
    this.#badge = value === 0 ? undefined : { value, tooltip };
    if (this.#resolved !== undefined) this.#resolved.badge = this.#badge;
  }

  /**
   * Shows the view and asks there. If the current chat has turns, asks in a new chat. In an empty chat, the user's
   * draft and attachments stay.
   */
  async ask(text: string, attachments: readonly Attachment[]): Promise<void> {
    const { chats } = await this.#load();
    const current = await this.current();
    const isFresh = current.session.transcript.turns.length === 0 && !current.session.busy;
    await this.open(isFresh ? current : chats.create());
    // If another answer is arriving, the page puts the question into its composer.
    this.#whenShown((page) => void page.ask(text, attachments).catch(showThrown));
  }

  /** Shows the view with this chat, or with its current chat. Focuses the composer, or shows a turn. */
  async open(chat?: Chat, turnId?: string): Promise<void> {
    if (chat !== undefined) this.show(chat);
    await this.#reveal();
    this.#whenShown((page) => page.focus(turnId));
  }

  /** Opens the view and asks for the mode of its chat. */
  async selectMode(): Promise<void> {
    // Not `open`: VS Code closes its list of modes when the composer gets the focus.
    await this.#reveal();
    this.#whenShown((page) => void page.selectMode().catch(showThrown));
  }

  /** Opens the view and asks for the effort of the model. */
  async selectEffort(): Promise<void> {
    await this.#reveal();
    this.#whenShown((page) => void page.selectEffort().catch(showThrown));
  }

  /** Shows the view without changing the focus in its page. */
  async #reveal(): Promise<void> {
    const opened = vscode.commands.executeCommand(`${viewId}.focus`);
    // Loads the chats while VS Code opens the view. The next task starts after VS Code has received the command. If
    // loading fails, other callers that wait for the chats report the error.
    await nextTask();
    this.#load().catch(() => undefined);
    await opened;
  }

  /** Opens the view and compacts its chat. */
  async compact(): Promise<void> {
    await this.open();
    this.#whenShown((page) => void page.compact().catch(showThrown));
  }

  /** Puts the chat into the view without opening the view. */
  show(chat: Chat): void {
    if (this.#page === undefined) this.#setChat(chat);
    else this.#page.show(chat);
  }

  dispose(): void {
    this.#page?.dispose();
    this.#seen.dispose();
  }

  /** Runs the action now, or once there is a page. */
  #whenShown(act: (page: ChatPage) => void): void {
    if (this.#page === undefined) this.#waiting.push(act);
    else act(this.#page);
  }

  #setChat(chat: Chat): void {
    const left = this.#chat;
    this.#unlisten?.();
    this.#chat = chat;
    // A hidden view has no page. This listener also prevents the release of its chat.
    this.#unlisten = chat.listen({ onEvents: () => undefined });
    this.#seen.fire();
    void this.#load()
      .then(({ chats, drafts }) => {
        if (left !== undefined) chats.release(left);
        drafts.saveViewChat(chat.id);
        return undefined;
      })
      .catch(() => undefined);
  }
}

/** Messages to VS Code are sent when the current task ends, so the next task starts after that. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
