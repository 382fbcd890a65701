import type { Chat } from "../chat/chat.ts";

/** Of one chat. */
interface Unsent {
  /** What stands in the composer. */
  typed: string;
  /** What was sent off, and is no question yet. */
  readonly asked: string[];
}

/**
 * Keeps what was sent off as a part of the chat's draft until it is a question: a window may close while
 * the user is asked something, and what comes in between may fail.
 */
export class UnsentTexts {
  readonly #keepDraft: (chatId: string, draft: string) => void;
  readonly #chats = new Map<string, Unsent>();

  constructor(keepDraft: (chatId: string, draft: string) => void) {
    this.#keepDraft = keepDraft;
  }

  /** What belongs into the composer of this chat. */
  typedIn({ id, draft }: Chat): string {
    return this.#chats.get(id)?.typed ?? draft;
  }

  type(chatId: string, typed: string): void {
    const unsent = this.#chats.get(chatId);
    if (unsent !== undefined) unsent.typed = typed;
    this.#keep(chatId, typed, unsent?.asked ?? []);
  }

  /** @param typed what is left in the composer meanwhile */
  begin({ id, draft }: Chat, text: string, typed: string): void {
    const unsent = this.#chats.get(id) ?? { typed, asked: [] };
    unsent.typed = typed;
    unsent.asked.push(text);
    this.#chats.set(id, unsent);
    if (join(typed, unsent.asked) !== draft) this.#keep(id, typed, unsent.asked);
  }

  /** The text has become a question. */
  sent(chat: Chat, text: string): void {
    this.#end(chat, text, this.typedIn(chat));
  }

  /** The text is a draft again, behind what was typed since. */
  giveBack(chat: Chat, text: string): void {
    this.#end(chat, text, join(this.typedIn(chat), [text]));
  }

  #end({ id }: Chat, text: string, typed: string): void {
    const asked = this.#chats.get(id)?.asked ?? [];
    const index = asked.indexOf(text);
    if (index >= 0) asked.splice(index, 1);
    if (asked.length === 0) this.#chats.delete(id);
    else this.#chats.set(id, { typed, asked });
    this.#keep(id, typed, asked);
  }

  #keep(chatId: string, typed: string, asked: readonly string[]): void {
    this.#keepDraft(chatId, join(typed, asked));
  }
}

function join(typed: string, asked: readonly string[]): string {
  return [typed, ...asked].filter((text) => text.trim() !== "").join("\n\n");
}
