/**
 * JSON values by key that VS Code stores for the extension. They are `unknown`, because an older version may have
 * written them.
 */
export interface State {
  get(key: string): unknown;
  /** Resolves once the value is stored. `undefined` removes the key. */
  update(key: string, value: unknown): PromiseLike<void>;
}

interface Change {
  readonly value: unknown;
}

/**
 * VS Code's state for all windows, with only one write at a time. After each write, VS Code sends the written state
 * back to the extension, which treats that state as the newest. A change made during the write would disappear for a
 * moment. Another write in that moment would lose the change.
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

  /** Resolves once all changes so far are written or have failed. */
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
