import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { ChatSelection, Transcript } from "../../chat/transcript/transcript.ts";

/** A chat that files, selections and other context can be attached to. */
export interface AttachmentTarget {
  /** Attachments of the next question. */
  readonly attachments: readonly Attachment[];
  readonly session: { readonly transcript: Transcript };
  /** The connection and model that were selected for the chat, if any. */
  readonly selection: ChatSelection | undefined;
  /** Name of the prompt that the attachments were gathered for. */
  preparedPrompt: string | undefined;
  /** Adds the attachments that fit. Returns how many did not fit. */
  attach(added: readonly Attachment[]): number;
  detach(id: string): void;
  /** Truncates an attached text to this many characters (UTF-16 code units), and adds a note about the rest. */
  trim(id: string, characters: number): void;
}

/** Tracks pending attachments per chat, so that a question can wait for them. */
export class RunningAttachments<Chat extends object> {
  readonly #running = new WeakMap<Chat, Set<Promise<unknown>>>();

  /** Tracks `attaching` and returns it. The caller handles a rejection. */
  follow(chat: Chat, attaching: Promise<void>): Promise<void> {
    const running = this.#running.get(chat) ?? new Set();
    this.#running.set(chat, running.add(attaching));
    const end = (): void => void running.delete(attaching);
    attaching.then(end, end);
    return attaching;
  }

  /** Resolves when all attachments pending now have settled. Never rejects. */
  async settled(chat: Chat): Promise<void> {
    const running = this.#running.get(chat);
    if (running !== undefined) await Promise.allSettled(running);
  }
}
