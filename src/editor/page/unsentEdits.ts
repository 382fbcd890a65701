import type { KeptEdits } from "../chat/chats.ts";

/** Keeps what is to take the place of questions until it has: on its way it may be refused, or the window close. */
export class UnsentEdits {
  readonly #kept: KeptEdits;
  /** What was sent off, and for whose place nothing else was typed since; by chat and turn. */
  readonly #asked = new Map<string, Set<string>>();

  constructor(kept: KeptEdits) {
    this.#kept = kept;
  }

  /** What belongs into the editors of this chat's questions, by turn. */
  typedIn(chatId: string): Readonly<Record<string, string>> {
    const asked = this.#asked.get(chatId);
    return Object.fromEntries(
      Object.entries(this.#kept.of(chatId)).filter(([turnId]) => !asked?.has(turnId)),
    );
  }

  type(chatId: string, turnId: string, text: string): void {
    this.#end(chatId, turnId);
    this.#kept.keep(chatId, turnId, text);
  }

  begin(chatId: string, turnId: string, text: string): void {
    this.#kept.keep(chatId, turnId, text);
    this.#asked.set(chatId, (this.#asked.get(chatId) ?? new Set()).add(turnId));
  }

  /** The text has become a question. */
  sent(chatId: string, turnId: string): void {
    if (this.#end(chatId, turnId)) this.#kept.keep(chatId, turnId, "");
  }

  /** The text is to be edited again, behind what was typed since. */
  giveBack(chatId: string, turnId: string, text: string): void {
    if (this.#end(chatId, turnId)) return;
    const typed = this.#kept.of(chatId)[turnId] ?? "";
    if (!typed.endsWith(text)) this.#kept.keep(chatId, turnId, typed === "" ? text : `${typed}\n\n${text}`);
  }

  /** Whether it was on its way, and nothing else was typed. */
  #end(chatId: string, turnId: string): boolean {
    const asked = this.#asked.get(chatId);
    const wasAsked = asked?.delete(turnId) ?? false;
    if (asked?.size === 0) this.#asked.delete(chatId);
    return wasAsked;
  }
}
