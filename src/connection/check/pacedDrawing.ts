/** Milliseconds of a frame, as most screens have them: who looks sees nothing of what is drawn more often. */
const frame = 16;

/** Draws what changes at most once a frame, and never in the turn of the event loop in which it changed. */
export class PacedDrawing {
  readonly #draw: () => void;
  #due: NodeJS.Timeout | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Something changed, and more may soon. */
  soon(): void {
    this.#due ??= setTimeout(() => this.now(), frame);
  }

  /** The first change, or the last: nothing is drawn behind it but by a later `soon`. */
  now(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    this.#draw();
  }
}
