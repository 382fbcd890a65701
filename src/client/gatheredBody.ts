import { finished, type Readable } from "node:stream";

/** Bytes that wait for their reader at most; beyond that the sender waits. */
const mostHeld = 256 * 1024;

/**
 * Takes a body in as it arrives, and hands it on in fewer pieces: with the first that comes begins a pause, behind
 * which all that has come by then is one. What came before an error is handed on ahead of it, and neither an
 * error nor the end is waited with. Leaving the loop closes the body.
 *
 * @param pauseMs milliseconds of the next pause, asked when something has come; with 0 it is handed on at once
 * @throws what the body fails of
 */
export async function* gathered(
  body: Readable,
  pauseMs: () => number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const holder = new Holder(body);
  try {
    for (;;) {
      await holder.something();
      if (holder.size > 0) await holder.pause(pauseMs());
      // Whether it is over is asked first: what comes behind the look goes into the next round.
      const { end } = holder;
      const piece = holder.take();
      if (piece !== undefined) yield piece;
      if (end?.kind === "failed") throw end.error;
      if (end?.kind === "whole") return;
    }
  } finally {
    holder.leave();
  }
}

type End = { readonly kind: "whole" } | { readonly kind: "failed"; readonly error: unknown };

/** What has come of a body and was not taken yet. */
class Holder {
  readonly #body: Readable;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #end: End | undefined;
  /** Ends the wait for a first piece. */
  #wake: (() => void) | undefined;
  #endPause: (() => void) | undefined;

  constructor(body: Readable) {
    this.#body = body;
    // Stays for errors that come behind the end of the loop, which nobody else hears.
    finished(body, { writable: false }, (error) => {
      this.#end = error === undefined || error === null ? { kind: "whole" } : { kind: "failed", error };
      this.#wake?.();
      this.#endPause?.();
    });
    body.on("data", (piece: Uint8Array) => this.#hold(piece));
  }

  get size(): number {
    return this.#size;
  }

  get end(): End | undefined {
    return this.#end;
  }

  /** Resolves when there is a piece, or the end. */
  async something(): Promise<void> {
    if (this.#size > 0 || this.#end !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  /** Resolves behind so many milliseconds, and before that where as much is held as may be, or at the end. */
  async pause(milliseconds: number): Promise<void> {
    if (milliseconds === 0 || this.#end !== undefined || this.#isFull) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
      this.#endPause = resolve;
    });
    clearTimeout(timer);
    this.#endPause = undefined;
  }

  take(): Uint8Array | undefined {
    const pieces = this.#pieces;
    if (this.#isFull) this.#body.resume();
    this.#pieces = [];
    this.#size = 0;
    return pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
  }

  leave(): void {
    this.#pieces = [];
    if (this.#end === undefined) this.#body.destroy();
  }

  get #isFull(): boolean {
    return this.#size >= mostHeld;
  }

  #hold(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    this.#wake?.();
    if (!this.#isFull) return;
    this.#body.pause();
    this.#endPause?.();
  }
}
