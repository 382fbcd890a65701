import type { FromWebview } from "../../chat/page/protocol.ts";
import type { Chat } from "./chat.ts";
import { firstLine } from "../../chat/history/log/conversationSummary.ts";
import type { DraftStore } from "../../chat/drafts/draftStore.ts";

/** A text that is being sent as a question. */
export interface PendingText {
  readonly text: string;
  /** The turn of the question that the text replaces. */
  readonly turnId?: string | undefined;
  /** Whether the text came from the composer. */
  readonly isTyped: boolean;
}

/** Texts of edited questions that were not sent yet. */
export interface SavedEdits {
  /** Returns texts by turn ID. */
  readonly of: (chatId: string) => Readonly<Record<string, string>>;
  readonly save: (chatId: string, turnId: string, text: string) => void;
}

/** Texts typed in a page. They are saved with their chat, and restored if sending fails. */
export class UnsentTexts {
  readonly #composers: ComposerTexts;
  readonly #edits: EditTexts;

  constructor(saveDraft: (chatId: string, draft: string) => void, edits: SavedEdits) {
    this.#composers = new ComposerTexts(saveDraft);
    this.#edits = new EditTexts(edits);
  }

  /** Returns the text to show in this chat's composer. */
  inComposer(chat: Chat): string {
    return this.#composers.typedIn(chat);
  }

  /** Returns the texts to show in the editors of this chat's questions, by turn ID. */
  inEdits(chatId: string): Readonly<Record<string, string>> {
    return this.#edits.typedIn(chatId);
  }

  /** Records typed text. Takes a chat ID, because a page that just switched chats can still report on the old one. */
  type({ chatId, turnId, text }: Omit<Extract<FromWebview, { readonly type: "draft" }>, "type">): void {
    if (turnId === undefined) this.#composers.type(chatId, text);
    else this.#edits.type(chatId, turnId, text);
  }

  /** Call this when sending the text begins. */
  begin(chat: Chat, { text, turnId, isTyped }: PendingText): void {
    if (turnId !== undefined) this.#edits.begin(chat.id, turnId, text);
    else this.#composers.begin(chat, text, isTyped ? "" : this.#composers.typedIn(chat));
  }

  /** Call this when the text has become a question. */
  sent(chat: Chat, { text, turnId }: PendingText): void {
    if (turnId !== undefined) this.#edits.sent(chat.id, turnId);
    else this.#composers.sent(chat, text);
  }

  /** Call this when the text was not sent. Restores the text after anything typed since. */
  restore(chat: Chat, { text, turnId }: Pick<PendingText, "text" | "turnId">): void {
    if (turnId !== undefined) this.restoreEdit(chat.id, turnId, text);
    else this.#composers.restore(chat, text);
  }

  restoreEdit(chatId: string, turnId: string, text: string): void {
    this.#edits.restore(chatId, turnId, text);
  }
}

interface Unsent {
  /** The text in the composer. */
  typed: string;
  /** Texts that are being sent and are not questions yet. */
  readonly pending: string[];
}

/**
 * Keeps a text in the chat's draft until it has become a question.
 * The window can close during a dialog, and a step before sending can fail.
 */
class ComposerTexts {
  readonly #saveDraft: (chatId: string, draft: string) => void;
  readonly #chats = new Map<string, Unsent>();

  constructor(saveDraft: (chatId: string, draft: string) => void) {
    this.#saveDraft = saveDraft;
  }

  /** Returns the text to show in this chat's composer. */
  typedIn({ id, draft }: Chat): string {
    return this.#chats.get(id)?.typed ?? draft;
  }

  type(chatId: string, typed: string): void {
    const unsent = this.#chats.get(chatId);
    if (unsent !== undefined) unsent.typed = typed;
    this.#save(chatId, typed, unsent?.pending ?? []);
  }

  /** @param typed the text that stays in the composer */
  begin({ id, draft }: Chat, text: string, typed: string): void {
    const unsent = this.#chats.get(id) ?? { typed, pending: [] };
    unsent.typed = typed;
    unsent.pending.push(text);
    this.#chats.set(id, unsent);
    if (join(typed, unsent.pending) !== draft) this.#save(id, typed, unsent.pending);
  }

  /** Removes the text from the draft. */
  sent(chat: Chat, text: string): void {
    this.#end(chat, text, this.typedIn(chat));
  }

  /** Moves the text back to the composer, after anything typed since. */
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

/** Saves edited texts until they replace their questions. Sending can be refused, or the window can close. */
class EditTexts {
  readonly #saved: SavedEdits;
  /** Turns whose edited text is being sent and has not been changed since, by chat ID. */
  readonly #pending = new Map<string, Set<string>>();

  constructor(saved: SavedEdits) {
    this.#saved = saved;
  }

  /** Returns the texts to show in the editors of this chat's questions, by turn ID. */
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

  /** Deletes the saved text. */
  sent(chatId: string, turnId: string): void {
    if (this.#end(chatId, turnId)) this.#saved.save(chatId, turnId, "");
  }

  /** Shows the text in its editor again, after anything typed since. */
  restore(chatId: string, turnId: string, text: string): void {
    if (this.#end(chatId, turnId)) return;
    const typed = this.#saved.of(chatId)[turnId] ?? "";
    if (!typed.endsWith(text)) this.#saved.save(chatId, turnId, typed === "" ? text : `${typed}\n\n${text}`);
  }

  /** Removes the turn from the pending ones. Returns whether its text was being sent and has not been changed since. */
  #end(chatId: string, turnId: string): boolean {
    const pending = this.#pending.get(chatId);
    const wasPending = pending?.delete(turnId) ?? false;
    if (pending?.size === 0) this.#pending.delete(chatId);
    return wasPending;
  }
}

/** A chat without questions, which therefore has no file. */
export interface UnsentChat {
  readonly id: string;
  /** The first line of the draft, or the names of the attachments. */
  readonly title: string;
}

/**
 * Returns the chats with a draft or attachments but no question: first open chats, then saved ones, each newest first.
 */
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
