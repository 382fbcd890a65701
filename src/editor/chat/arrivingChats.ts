import type * as vscode from "vscode";

/** Milliseconds; less than from one look of another window to the next. */
const beat = 2000;

/** The chats in which an answer arrives: for each of them something is done again and again for as long as it does. */
export class ArrivingChats implements vscode.Disposable {
  readonly #ids = new Set<string>();
  readonly #onBeat: (id: string) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onBeat: (id: string) => void) {
    this.#onBeat = onBeat;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#timer ??= setInterval(() => this.#ids.forEach((each) => this.#onBeat(each)), beat).unref();
  }

  delete(id: string): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.dispose();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
