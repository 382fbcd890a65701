import type { FromWebview } from "../../chat/page/protocol.ts";
import type { Chat } from "./chat.ts";
import { firstLine } from "../../chat/history/log/conversationSummary.ts";
import type { DraftStore } from "../../chat/drafts/draftStore.ts";

/** What was typed, on its way to being a question. */
export interface AskedText {
  readonly text: string;
  /** The question whose place it is to take. */
  readonly turnId?: string | undefined;
  /** Whether it stood in the composer. */
  readonly isTyped: boolean;
}

/** The texts of edited questions that are not sent yet. */
export interface KeptEdits {
  /** By the question's turn. */
  readonly of: (chatId: string) => Readonly<Record<string, string>>;
  readonly keep: (chatId: string, turnId: string, text: string) => void;
}

/** What is typed in a page and is no question yet: kept for its chat, and given back where it becomes none. */
export class UnsentTexts {
  readonly #composers: ComposerTexts;
  readonly #edits: EditTexts;

  constructor(keepDraft: (chatId: string, draft: string) => void, edits: KeptEdits) {
    this.#composers = new ComposerTexts(keepDraft);
    this.#edits = new EditTexts(edits);
  }

  /** What belongs into the composer of this chat. */
  inComposer(chat: Chat): string {
    return this.#composers.typedIn(chat);
  }

  /** What belongs into the editors of this chat's questions, by turn. */
  inEdits(chatId: string): Readonly<Record<string, string>> {
    return this.#edits.typedIn(chatId);
  }

  /** A page that has just gone on to another chat may still speak of the one before. */
  type({ chatId, turnId, text }: Omit<Extract<FromWebview, { readonly type: "draft" }>, "type">): void {
    if (turnId === undefined) this.#composers.type(chatId, text);
    else this.#edits.type(chatId, turnId, text);
  }

  /** The text is on its way to being a question of this chat. */
  begin(chat: Chat, { text, turnId, isTyped }: AskedText): void {
    if (turnId !== undefined) this.#edits.begin(chat.id, turnId, text);
    else this.#composers.begin(chat, text, isTyped ? "" : this.#composers.typedIn(chat));
  }

  /** It has become one. */
  sent(chat: Chat, { text, turnId }: AskedText): void {
    if (turnId !== undefined) this.#edits.sent(chat.id, turnId);
    else this.#composers.sent(chat, text);
  }

  /** It was not sent, and is to be edited again, behind what was typed since. */
  giveBack(chat: Chat, { text, turnId }: Pick<AskedText, "text" | "turnId">): void {
    if (turnId !== undefined) this.giveBackEdit(chat.id, turnId, text);
    else this.#composers.giveBack(chat, text);
  }

  giveBackEdit(chatId: string, turnId: string, text: string): void {
    this.#edits.giveBack(chatId, turnId, text);
  }
}

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
class ComposerTexts {
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

/** Keeps what is to take the place of questions until it has: on its way it may be refused, or the window close. */
class EditTexts {
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

/** A chat that is in no file, since nothing was asked in it. */
export interface UnsentChat {
  readonly id: string;
  /** The first line of its draft, or the names of what is attached. */
  readonly title: string;
}

/** What is open or kept of such chats, the newest first. */
export function unsentChats(open: readonly Chat[], kept: DraftStore): readonly UnsentChat[] {
  const ids = new Set([...open.map(({ id }) => id).toReversed(), ...kept.chatIds]);
  for (const { id, session } of open) if (session.transcript.turns.length > 0 || session.busy) ids.delete(id);
  return [...ids].flatMap((id) => {
    const { draft, attachments } = open.find((chat) => chat.id === id) ?? {
      draft: kept.draftOf(id),
      attachments: kept.attachmentsOf(id),
    };
    const title = firstLine(draft) || attachments.map(({ name }) => name).join(", ");
    return title === "" ? [] : [{ id, title }];
  });
}
