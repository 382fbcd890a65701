/** Goes back through the questions that were asked, as a shell goes through its lines. */
export class Recall {
  #questions: readonly string[] = [];
  /** Place in the questions; their number while none is recalled. */
  #place = 0;
  #recalled: string | undefined;

  /**
   * The text to show for an arrow key, or undefined where the key is the box's own: something else is
   * typed, or there is nothing further.
   */
  step(direction: "up" | "down", typed: string, questions: readonly string[]): string | undefined {
    if (typed === "") {
      this.#questions = questions;
      this.#place = questions.length;
    } else if (typed !== this.#recalled) {
      return undefined;
    }
    const place = this.#place + (direction === "up" ? -1 : 1);
    if (place < 0 || place > this.#questions.length || (typed === "" && direction === "down"))
      return undefined;
    this.#place = place;
    this.#recalled = this.#questions[place] ?? "";
    return this.#recalled;
  }
}
