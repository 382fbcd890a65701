/** Milliseconds of a frame on most screens. Nobody can see more frequent updates. */
const frame = 16;

/** Draws changes at most once per frame, and never in the same tick as the change. */
export class PacedDrawing {
  readonly #draw: () => void;
  #due: NodeJS.Timeout | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Schedules a draw. Call this if more changes may follow soon. */
  soon(): void {
    this.#due ??= setTimeout(() => this.now(), frame);
  }

  /** Draws immediately and cancels a scheduled draw. Call this for the first or last change. */
  now(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    this.#draw();
  }
}
