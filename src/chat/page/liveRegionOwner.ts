/** Called when a chat starts or stops announcing new text to screen readers. */
export type Speaker = (speaks: boolean) => void;

/** Lets one of several visible chats announce new text: the one that had focus last, or else the first one. */
export class LiveRegionOwner {
  /** The last entry announces. */
  readonly #speakers: Speaker[] = [];

  /**
   * Adds a chat, which stays silent until it has focus or no other chat can announce. The returned function removes the
   * chat.
   */
  join(speaker: Speaker): () => void {
    this.#speakers.unshift(speaker);
    speaker(this.#speakers.length === 1);
    return () => {
      this.#remove(speaker);
      this.#speakers.at(-1)?.(true);
    };
  }

  /** Call this when the chat gets focus. */
  claim(speaker: Speaker): void {
    const before = this.#speakers.at(-1);
    if (before === speaker || !this.#speakers.includes(speaker)) return;
    this.#remove(speaker);
    this.#speakers.push(speaker);
    before?.(false);
    speaker(true);
  }

  #remove(speaker: Speaker): void {
    const place = this.#speakers.indexOf(speaker);
    if (place >= 0) this.#speakers.splice(place, 1);
  }
}
