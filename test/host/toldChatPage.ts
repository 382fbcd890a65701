import * as vscode from "vscode";
import type { FromWebview, ToWebview } from "../../src/chat/panelProtocol.ts";
import type { Chat } from "../../src/editor/chat/chat.ts";
import type { ChatPage } from "../../src/editor/chat/chatPage.ts";
import type { LoadedChats } from "../../src/editor/chat/loadChats.ts";

/** The host's half of a page: takes down what it tells, and says to it what a page says. */
export class ToldChatPage implements vscode.Disposable {
  readonly told: ToWebview[] = [];
  readonly #telling = new vscode.EventEmitter<ToWebview>();
  readonly #page: ChatPage;

  constructor({ chats }: LoadedChats) {
    const tell = (message: ToWebview): void => {
      this.told.push(message);
      this.#telling.fire(message);
    };
    this.#page = chats.createPage(chats.create(), tell, () => undefined);
    this.say({ type: "ready" });
  }

  /** The chat that is shown. */
  get chat(): Chat {
    return this.#page.chat;
  }

  say(message: FromWebview): void {
    this.#page.receive({ chatId: this.chat.id, message });
  }

  /** The same; resolves with the first message of the type that comes behind it. */
  sayUntil(message: FromWebview, type: ToWebview["type"]): Promise<ToWebview> {
    const answered = this.#next(type);
    this.say(message);
    return answered;
  }

  /** Resolves with a message of the type, once there was one. */
  async until(type: ToWebview["type"]): Promise<ToWebview> {
    return this.told.find((told) => told.type === type) ?? this.#next(type);
  }

  #next(type: ToWebview["type"]): Promise<ToWebview> {
    return new Promise((resolve) => {
      const subscription = this.#telling.event((told) => {
        if (told.type !== type) return;
        subscription.dispose();
        resolve(told);
      });
    });
  }

  dispose(): void {
    this.#page.dispose();
    this.#telling.dispose();
  }
}
