import * as v from "valibot";
import type * as vscode from "vscode";
import { isOverWithin } from "../shared/abort.ts";
import { SecretStoreError } from "../shared/errorReason.ts";

/** What a secret store did that should not be trusted with a key. */
export type StoreFault =
  /** It threw, or did not answer. */
  | "failing"
  /** It gave back another value than it was given, or none. */
  | "not-saved";

const prefix = "inference.apiKey.";
const probeName = "inference.probe";
const valueSchema = v.optional(v.string());
const namesSchema = v.array(v.string());

/** The editor's secret store, which is tried before it is trusted, and read as what it is: foreign. */
export class CheckedSecrets {
  readonly #secrets: vscode.SecretStorage;
  readonly #onAnswerAfterTimeout: (name: string) => void;
  readonly #timeoutMs: number;
  /** It was waited for in vain, and has not answered since: what is asked meanwhile hardly waits. */
  #hasTimedOut = false;

  /**
   * @param onAnswerAfterTimeout hears whose secret comes after it was given up
   * @param timeoutMs milliseconds that an answer may take
   */
  constructor(
    secrets: vscode.SecretStorage,
    onAnswerAfterTimeout: (name: string) => void,
    timeoutMs: number,
  ) {
    this.#secrets = secrets;
    this.#onAnswerAfterTimeout = onAnswerAfterTimeout;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws SecretStoreError */
  async get(name: string): Promise<string | undefined> {
    const work = () => this.#secrets.get(prefix + name);
    const value = v.safeParse(
      valueSchema,
      await this.#withTimeout(work, () => this.#onAnswerAfterTimeout(name)),
    );
    if (!value.success) throw new SecretStoreError();
    return value.output;
  }

  /** Tries the store with an entry that is no secret, then keeps the text and reads it back. */
  async put(name: string, text: string): Promise<StoreFault | undefined> {
    try {
      if (!(await this.#storesProbe())) return "not-saved";
      await this.#withTimeout(() => this.#secrets.store(prefix + name, text));
      return (await this.get(name)) === text ? undefined : "not-saved";
    } catch (error) {
      if (error instanceof SecretStoreError) return "failing";
      throw error;
    }
  }

  /** @throws SecretStoreError */
  async delete(name: string): Promise<void> {
    await this.#withTimeout(() => this.#secrets.delete(prefix + name));
  }

  /** The names that have a secret; undefined where this editor cannot say. */
  async names(): Promise<readonly string[] | undefined> {
    // There since VS Code 1.105; editors built on older ones lack it.
    if (typeof this.#secrets.keys !== "function") return undefined;
    const names = await this.#withTimeout(() => this.#secrets.keys()).catch(() => undefined);
    const parsed = v.safeParse(namesSchema, names);
    if (!parsed.success) return undefined;
    return parsed.output.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  }

  onDidChange(listener: (name: string) => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) listener(key.slice(prefix.length));
    });
  }

  async #storesProbe(): Promise<boolean> {
    const probe = crypto.randomUUID();
    // Two windows may try at once, each with an entry of its own.
    const name = `${probeName}.${probe}`;
    try {
      await this.#withTimeout(() => this.#secrets.store(name, probe));
      return (await this.#withTimeout(() => this.#secrets.get(name))) === probe;
    } finally {
      await this.#withTimeout(() => this.#secrets.delete(name));
    }
  }

  async #withTimeout<T>(work: () => Thenable<T>, onAnswerAfterTimeout?: () => void): Promise<T> {
    try {
      const answer = Promise.resolve(work());
      // It may be a keyring that waits to be unlocked, and nobody may come to do that.
      if (await isOverWithin(answer, this.#timeoutMs / (this.#hasTimedOut ? 25 : 1))) return await answer;
      this.#hasTimedOut = true;
      const wake = (): void => {
        this.#hasTimedOut = false;
      };
      answer.finally(wake).then(onAnswerAfterTimeout, () => undefined);
    } catch {
      // Whatever was thrown may hold what the store was given.
    }
    throw new SecretStoreError();
  }
}
