import type * as vscode from "vscode";
import { emptyTranscript } from "../../chat/transcript.ts";
import type { ToWebview } from "../../chat/panelProtocol.ts";
import { type ChatAnswererOptions, createAnswerer } from "./chatAnswerer.ts";
import { Chat } from "./chat.ts";
import { ChatPage } from "./chatPage.ts";

/** The open conversations, each with an answer of its own arriving or not. */
export class Chats implements vscode.Disposable {
  readonly #options: ChatAnswererOptions;
  readonly #open = new Map<string, Chat>();

  constructor(options: ChatAnswererOptions) {
    this.#options = options;
  }

  create(): Chat {
    const chat = new Chat(crypto.randomUUID(), {
      transcript: emptyTranscript,
      answerer: () => createAnswerer(this.#options),
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
    });
    this.#open.set(chat.id, chat);
    return chat;
  }

  /** The chat of this id, or an empty one where there is none. */
  named(id: string | undefined): Chat {
    return (id === undefined ? undefined : this.#open.get(id)) ?? this.create();
  }

  /** A page that shows the chat, and goes on to another where the user begins a new one in it. */
  createPage(chat: Chat, post: (message: ToWebview) => void, onChat: (chat: Chat) => void): ChatPage {
    const { connections } = this.#options;
    return new ChatPage(
      {
        connections,
        newChat: () => this.create(),
        keepDraft: (chatId, draft) => this.#keepDraft(chatId, draft),
        onChat,
        post,
      },
      chat,
    );
  }

  /** Forgets a chat that no page shows any more and that holds nothing. */
  release(chat: Chat): void {
    if (!chat.shown && chat.empty) this.#open.delete(chat.id);
  }

  #keepDraft(chatId: string, draft: string): void {
    const chat = this.#open.get(chatId);
    if (chat !== undefined) chat.draft = draft;
  }

  dispose(): void {
    for (const { session } of this.#open.values()) session.stop();
    this.#open.clear();
  }
}
