import type * as vscode from "vscode";
import { tokensOf } from "../../chat/cost.ts";
import { emptyTranscript } from "../../chat/transcript.ts";
import type { ToWebview } from "../../chat/panelProtocol.ts";
import { type ChatAnswererOptions, createAnswerer } from "./chatAnswerer.ts";
import { Chat } from "./chat.ts";
import { ChatPage } from "./chatPage.ts";
import type { Spending } from "./spending.ts";
import { TokenCaps } from "./tokenCaps.ts";

export interface ChatsOptions extends ChatAnswererOptions {
  readonly spending: Spending;
}

/** The open conversations, each with an answer of its own arriving or not. */
export class Chats implements vscode.Disposable {
  readonly #options: ChatsOptions;
  readonly #caps: TokenCaps;
  readonly #open = new Map<string, Chat>();

  constructor(options: ChatsOptions) {
    this.#options = options;
    this.#caps = new TokenCaps(options.spending);
  }

  create(): Chat {
    const chat: Chat = new Chat(crypto.randomUUID(), {
      transcript: emptyTranscript,
      answerer: () => createAnswerer(this.#options),
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
      onEvents: (events) => {
        if (events.some(({ type }) => type === "answer-ended")) this.#count(chat);
      },
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
        caps: this.#caps,
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

  /** Takes note of what the answer that has just ended took. */
  #count({ session }: Chat): void {
    const answer = session.transcript.turns.at(-1);
    if (answer?.kind !== "answer") return;
    // A count that cannot be kept is no reason to disturb the chat.
    this.#options.spending.add(answer.connection, tokensOf(answer.usage)).catch(() => undefined);
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
