/** Milliseconds of a frame that drawing may take: what is drawn must be laid out and painted, too. */
const longestDrawing = 6;
const shortestDrawing = 2;
/** Frames longer than this make drawing take less of the next, shorter ones more. In milliseconds. */
const longFrame = 30;
const shortFrame = 20;

/**
 * Calls back once a frame while there is something to draw, and says how much time to take. How dear the
 * layout of a text is shows only afterwards: so what a frame took in all decides on the next one.
 */
export class FramePace {
  readonly #draw: (deadline: number) => boolean;
  readonly #behindFrame = new MessageChannel();
  #time = longestDrawing / 2;
  #began = 0;
  #isScheduled = false;

  /** `draw` draws until the deadline (as `performance.now()` counts); true when nothing is left to draw. */
  constructor(draw: (deadline: number) => boolean) {
    this.#draw = draw;
    // A message that is posted while a frame is drawn comes when it has been laid out and painted.
    this.#behindFrame.port1.addEventListener("message", () => this.#adapt(performance.now() - this.#began));
    this.#behindFrame.port1.start();
  }

  schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    window.requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#began = performance.now();
      if (!this.#draw(this.#began + this.#time)) this.schedule();
      this.#behindFrame.port2.postMessage(null);
    });
  }

  #adapt(took: number): void {
    if (took > longFrame) this.#time = Math.max(shortestDrawing, this.#time / 2);
    else if (took < shortFrame) this.#time = Math.min(longestDrawing, this.#time * 1.2);
  }
}
