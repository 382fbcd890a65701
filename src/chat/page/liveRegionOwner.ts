/** Told whether it reads out what arrives. */
export type Speaker = (speaks: boolean) => void;

/** One of several chats on the screen is read out: the one that had the focus last, or the last one that is left. */
export class LiveRegionOwner {
  /** The last one speaks. */
  readonly #speakers: Speaker[] = [];

  /** A further one is silent until it has the focus, unless it is alone. The result takes it away. */
  join(speaker: Speaker): () => void {
    this.#speakers.unshift(speaker);
    speaker(this.#speakers.length === 1);
    return () => {
      this.#remove(speaker);
      this.#speakers.at(-1)?.(true);
    };
  }

  /** It has the focus now. */
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
