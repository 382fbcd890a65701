/**
 * How far a streamed answer has come to its end. A reason to finish is not always one: some services
 * give one with every piece, some behind the reasoning and before the text.
 */
export class StreamEnd {
  #finished = false;
  #ended = false;
  #resumed = false;
  #begun = false;
  #sawOtherStyle = false;
  #sawForeign = false;

  get sawOtherStyle(): boolean {
    return this.#sawOtherStyle;
  }

  get sawForeign(): boolean {
    return this.#sawForeign;
  }

  get finished(): boolean {
    return this.#finished;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get isOver(): boolean {
    return this.#ended || (this.#finished && !this.#resumed);
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** A reason to finish. */
  protected finish(): void {
    this.#finished = true;
  }

  /** More of the answer. */
  protected goOn(): void {
    this.#begun = true;
    if (!this.#finished || this.#ended) return;
    this.#finished = false;
    this.#resumed = true;
  }

  /** An event of the other client style. */
  protected noteOtherStyle(): void {
    this.#sawOtherStyle = true;
  }

  /** An event of no client style. */
  protected noteForeign(): void {
    this.#sawForeign = true;
  }

  /** The style's own end. */
  protected end(): void {
    this.#finished = true;
    this.#ended = true;
  }
}
