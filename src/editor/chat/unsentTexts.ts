import type { FromWebview } from "../../chat/page/protocol.ts";
import type { Chat } from "./chat.ts";
import { firstLine } from "../../chat/history/log/conversationSummary.ts";
import type { DraftStore } from "../../chat/drafts/draftStore.ts";

/** What was typed, on its way to being a question. */
export interface PendingText {
  readonly text: string;
  /** The question whose place it is to take. */
  readonly turnId?: string | undefined;
  /** Whether it stood in the composer. */
  readonly isTyped: boolean;
}

/** The texts of edited questions that are not sent yet. */
export interface SavedEdits {
  /** By the question's turn. */
  readonly of: (chatId: string) => Readonly<Record<string, string>>;
  readonly save: (chatId: string, turnId: string, text: string) => void;
}

/** Texts that are typed in a page and not sent yet: saved for their chat, and restored if they are not sent. */
export class UnsentTexts {
  readonly #composers: ComposerTexts;
  readonly #edits: EditTexts;

  constructor(saveDraft: (chatId: string, draft: string) => void, edits: SavedEdits) {
    this.#composers = new ComposerTexts(saveDraft);
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
  begin(chat: Chat, { text, turnId, isTyped }: PendingText): void {
    if (turnId !== undefined) this.#edits.begin(chat.id, turnId, text);
    else this.#composers.begin(chat, text, isTyped ? "" : this.#composers.typedIn(chat));
  }

  /** It has become one. */
  sent(chat: Chat, { text, turnId }: PendingText): void {
    if (turnId !== undefined) this.#edits.sent(chat.id, turnId);
    else this.#composers.sent(chat, text);
  }

  /** It was not sent, and is to be edited again, behind what was typed since. */
  restore(chat: Chat, { text, turnId }: Pick<PendingText, "text" | "turnId">): void {
    if (turnId !== undefined) this.restoreEdit(chat.id, turnId, text);
    else this.#composers.restore(chat, text);
  }

  restoreEdit(chatId: string, turnId: string, text: string): void {
    this.#edits.restore(chatId, turnId, text);
  }
}

/** Of one chat. */
interface Unsent {
  /** What stands in the composer. */
  typed: string;
  /** What was sent off, and is no question yet. */
  readonly pending: string[];
}

/**
 * Keeps what was sent off as a part of the chat's draft until it is a question: a window may close while
 * the user is asked something, and what comes in between may fail.
 */
class ComposerTexts {
  readonly #saveDraft: (chatId: string, draft: string) => void;
  readonly #chats = new Map<string, Unsent>();

  constructor(saveDraft: (chatId: string, draft: string) => void) {
    this.#saveDraft = saveDraft;
  }

  /** What belongs into the composer of this chat. */
  typedIn({ id, draft }: Chat): string {
    return this.#chats.get(id)?.typed ?? draft;
  }

  type(chatId: string, typed: string): void {
    const unsent = this.#chats.get(chatId);
    if (unsent !== undefined) unsent.typed = typed;
    this.#save(chatId, typed, unsent?.pending ?? []);
  }

  /** @param typed what is left in the composer meanwhile */
  begin({ id, draft }: Chat, text: string, typed: string): void {
    const unsent = this.#chats.get(id) ?? { typed, pending: [] };
    unsent.typed = typed;
    unsent.pending.push(text);
    this.#chats.set(id, unsent);
    if (join(typed, unsent.pending) !== draft) this.#save(id, typed, unsent.pending);
  }

  /** The text has become a question. */
  sent(chat: Chat, text: string): void {
    this.#end(chat, text, this.typedIn(chat));
  }

  /** The text is a draft again, behind what was typed since. */
  restore(chat: Chat, text: string): void {
    this.#end(chat, text, join(this.typedIn(chat), [text]));
  }

  #end({ id }: Chat, text: string, typed: string): void {
    const pending = this.#chats.get(id)?.pending ?? [];
    const index = pending.indexOf(text);
    if (index >= 0) pending.splice(index, 1);
    if (pending.length === 0) this.#chats.delete(id);
    else this.#chats.set(id, { typed, pending });
    this.#save(id, typed, pending);
  }

  #save(chatId: string, typed: string, pending: readonly string[]): void {
    this.#saveDraft(chatId, join(typed, pending));
  }
}

function join(typed: string, pending: readonly string[]): string {
  return [typed, ...pending].filter((text) => text.trim() !== "").join("\n\n");
}

/** Keeps what is to take the place of questions until it has: on its way it may be refused, or the window close. */
class EditTexts {
  readonly #saved: SavedEdits;
  /** What was sent off, and for whose place nothing else was typed since; by chat and turn. */
  readonly #pending = new Map<string, Set<string>>();

  constructor(saved: SavedEdits) {
    this.#saved = saved;
  }

  /** What belongs into the editors of this chat's questions, by turn. */
  typedIn(chatId: string): Readonly<Record<string, string>> {
    const pending = this.#pending.get(chatId);
    return Object.fromEntries(
      Object.entries(this.#saved.of(chatId)).filter(([turnId]) => !pending?.has(turnId)),
    );
  }

  type(chatId: string, turnId: string, text: string): void {
    this.#end(chatId, turnId);
    this.#saved.save(chatId, turnId, text);
  }

  begin(chatId: string, turnId: string, text: string): void {
    this.#saved.save(chatId, turnId, text);
    this.#pending.set(chatId, (this.#pending.get(chatId) ?? new Set()).add(turnId));
  }

  /** The text has become a question. */
  sent(chatId: string, turnId: string): void {
    if (this.#end(chatId, turnId)) this.#saved.save(chatId, turnId, "");
  }

  /** The text is to be edited again, behind what was typed since. */
  restore(chatId: string, turnId: string, text: string): void {
    if (this.#end(chatId, turnId)) return;
    const typed = this.#saved.of(chatId)[turnId] ?? "";
    if (!typed.endsWith(text)) this.#saved.save(chatId, turnId, typed === "" ? text : `${typed}\n\n${text}`);
  }

  /** Whether it was on its way, and nothing else was typed. */
  #end(chatId: string, turnId: string): boolean {
    const pending = this.#pending.get(chatId);
    const wasPending = pending?.delete(turnId) ?? false;
    if (pending?.size === 0) this.#pending.delete(chatId);
    return wasPending;
  }
}

/** A chat that is in no file, since nothing was asked in it. */
export interface UnsentChat {
  readonly id: string;
  /** The first line of its draft, or the names of what is attached. */
  readonly title: string;
}

/** What is open or kept of such chats, the newest first. */
export function unsentChats(open: readonly Chat[], drafts: DraftStore): readonly UnsentChat[] {
  const ids = new Set([...open.map(({ id }) => id).toReversed(), ...drafts.chatIds]);
  for (const { id, session } of open) if (session.transcript.turns.length > 0 || session.busy) ids.delete(id);
  return [...ids].flatMap((id) => {
    const { draft, attachments } = open.find((chat) => chat.id === id) ?? {
      draft: drafts.draftOf(id),
      attachments: drafts.attachmentsOf(id),
    };
    const title = firstLine(draft) || attachments.map(({ name }) => name).join(", ");
    return title === "" ? [] : [{ id, title }];
  });
}
