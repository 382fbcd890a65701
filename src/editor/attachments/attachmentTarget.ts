import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { Transcript } from "../../chat/transcript/transcript.ts";

/** What something is attached to: a chat with its next question. */
export interface AttachmentTarget {
  /** What goes along with the next question. */
  readonly attachments: readonly Attachment[];
  readonly session: { readonly transcript: Transcript };
  /** The prompt that the attachments were gathered for. */
  preparedPrompt: string | undefined;
  /** Adds what fits; gives the number of those that do not. */
  attach(added: readonly Attachment[]): number;
  detach(id: string): void;
  /** Cuts a text down to so many characters. */
  trim(id: string, characters: number): void;
}

/** What is being attached to each chat: a question that is asked meanwhile waits for it. */
export class RunningAttachments<Chat extends object> {
  readonly #running = new WeakMap<Chat, Set<Promise<unknown>>>();

  /** Gives what is followed, which whoever has begun it hears the end of. */
  follow(chat: Chat, attaching: Promise<void>): Promise<void> {
    const running = this.#running.get(chat) ?? new Set();
    this.#running.set(chat, running.add(attaching));
    const end = (): void => void running.delete(attaching);
    attaching.then(end, end);
    return attaching;
  }

  /** Resolves when what runs now has ended, however; never rejects. */
  async settled(chat: Chat): Promise<void> {
    const running = this.#running.get(chat);
    if (running !== undefined) await Promise.allSettled(running);
  }
}
