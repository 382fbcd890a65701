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
