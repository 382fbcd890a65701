/** Milliseconds of a frame on most screens. Nobody can see more frequent updates. */
const frame = 16;

/** Draws changes immediately, or together after at most one frame. */
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
