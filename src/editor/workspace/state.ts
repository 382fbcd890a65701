/** What the editor keeps for the extension, as JSON, by key: read as unknown, since an older version may have written it. */
export interface State {
  get(key: string): unknown;
  /** Resolves once it is kept; `undefined` takes the key away. */
  update(key: string, value: unknown): PromiseLike<void>;
}

interface Change {
  readonly value: unknown;
}

/**
 * The editor's state for all windows, written one change after the other. The editor tells an extension of each
 * state that was written, and takes that for the newest: a change made meanwhile is gone for a moment, and for good
 * if yet another one is written in that moment.
 */
export class SerializedMemento implements State {
  readonly #state: State;
  /** The newest value of each key that is not written yet. */
  readonly #waiting = new Map<string, Change>();
  #last: Promise<void> = Promise.resolve();

  constructor(state: State) {
    this.#state = state;
  }

  get(key: string): unknown {
    const waiting = this.#waiting.get(key);
    return waiting === undefined ? this.#state.get(key) : waiting.value;
  }

  update(key: string, value: unknown): Promise<void> {
    const change = { value };
    this.#waiting.set(key, change);
    const written = this.#last.then(() => this.#write(key, change));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Resolves once all changes so far are written, or could not be. */
  written(): Promise<void> {
    return this.#last;
  }

  async #write(key: string, change: Change): Promise<void> {
    try {
      await this.#state.update(key, change.value);
    } finally {
      if (this.#waiting.get(key) === change) this.#waiting.delete(key);
    }
  }
}
