import * as vscode from "vscode";
import { viewId } from "../../contributions.ts";
import type { Chat } from "./chat.ts";
import type { ChatPage } from "./chatPage.ts";
import type { Chats } from "./chats.ts";
import { preparePage } from "./pageFrame.ts";

/** The chat view in the side bar: shows one chat at a time. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #loadChats: () => Promise<Chats>;
  readonly #registration: vscode.Disposable;
  #chat: Chat | undefined;
  #page: ChatPage | undefined;
  #focusWanted = false;

  constructor(extensionUri: vscode.Uri, loadChats: () => Promise<Chats>) {
    this.#extensionUri = extensionUri;
    this.#loadChats = loadChats;
    this.#registration = vscode.window.registerWebviewViewProvider(viewId, this);
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    let disposed = false;
    view.onDidDispose(() => {
      disposed = true;
    });
    const chats = await this.#loadChats();
    if (disposed) return;
    const { post, load } = preparePage(view.webview, this.#extensionUri);
    const page = chats.createPage(this.#chatOf(chats), post, (chat) => {
      this.#chat = chat;
    });
    this.#page = page;
    if (this.#focusWanted) page.focusComposer();
    const receiving = view.webview.onDidReceiveMessage((message: unknown) => page.receive(message));
    view.onDidDispose(() => {
      receiving.dispose();
      page.dispose();
      if (this.#page === page) this.#page = undefined;
    });
    load();
  }

  /** The chat that the view shows, or will show. */
  async current(): Promise<Chat> {
    return this.#chatOf(await this.#loadChats());
  }

  /** Shows the view with this chat, or the one it had, ready to be typed in. */
  async open(chat?: Chat): Promise<void> {
    if (chat !== undefined) {
      this.#chat = chat;
      this.#page?.show(chat);
    }
    await vscode.commands.executeCommand(`${viewId}.focus`);
    this.#focusWanted = this.#page === undefined;
    this.#page?.focusComposer();
  }

  /** Leaves its chat to another place; the view begins a new one. */
  async release(): Promise<void> {
    const chats = await this.#loadChats();
    this.#chat = chats.create();
    this.#page?.show(this.#chat);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#page?.dispose();
  }

  #chatOf(chats: Chats): Chat {
    this.#chat ??= chats.create();
    return this.#chat;
  }
}
