/** Names that wait for an answer, or have none, in one chat; more are left as text. */
const mostAsked = 2000;
/** What the contract takes in one message. */
const mostAtOnce = 200;

/** Which names of files the host was asked about, and which of them the workspace has. */
export class AskedNames {
  readonly #known = new Set<string>();
  readonly #asked = new Set<string>();
  #waiting: string[] = [];

  /** Whether the workspace may have it. What is not known yet is asked about. */
  add(name: string): boolean {
    if (this.#known.has(name) || this.#asked.has(name)) return true;
    if (this.#asked.size >= mostAsked) return false;
    this.#asked.add(name);
    this.#waiting.push(name);
    return true;
  }

  isKnown(name: string): boolean {
    return this.#known.has(name);
  }

  found(name: string): void {
    this.#known.add(name);
    this.#asked.delete(name);
  }

  /** Asks about these again, and about no others. */
  askAgain(names: Iterable<string>): void {
    this.forget();
    for (const name of names) this.add(name);
  }

  /** Of another chat the workspace has the same files. */
  forget(): void {
    this.#asked.clear();
    this.#waiting = [];
  }

  /** What is to be asked now, in as many messages as it takes. */
  take(): readonly (readonly string[])[] {
    const messages: string[][] = [];
    while (this.#waiting.length > 0) messages.push(this.#waiting.splice(0, mostAtOnce));
    return messages;
  }
}
