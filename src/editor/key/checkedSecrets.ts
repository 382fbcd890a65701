import * as v from "valibot";
import type * as vscode from "vscode";
import { isOverWithin } from "../shared/abort.ts";
import { SecretStoreError } from "../shared/errorReason.ts";

/** What a secret store did that should not be trusted with a key. */
export type StoreFault =
  /** It threw, or did not answer. */
  | "failing"
  /** It gave back another value than it was given, or none. */
  | "not-kept";

const prefix = "inference.apiKey.";
const probeName = "inference.probe";
const valueSchema = v.optional(v.string());
const namesSchema = v.array(v.string());

/** The editor's secret store, which is tried before it is trusted, and read as what it is: foreign. */
export class CheckedSecrets {
  readonly #secrets: vscode.SecretStorage;
  readonly #onLate: (name: string) => void;
  readonly #patience: number;
  /** It was waited for in vain, and has not answered since: what is asked meanwhile hardly waits. */
  #isSilent = false;

  /**
   * @param onLate hears whose secret comes after it was given up
   * @param patience milliseconds that an answer may take
   */
  constructor(secrets: vscode.SecretStorage, onLate: (name: string) => void, patience: number) {
    this.#secrets = secrets;
    this.#onLate = onLate;
    this.#patience = patience;
  }

  /** @throws SecretStoreError */
  async get(name: string): Promise<string | undefined> {
    const work = () => this.#secrets.get(prefix + name);
    const value = v.safeParse(valueSchema, await this.#ask(work, () => this.#onLate(name)));
    if (!value.success) throw new SecretStoreError();
    return value.output;
  }

  /** Tries the store with an entry that is no secret, then keeps the text and reads it back. */
  async put(name: string, text: string): Promise<StoreFault | undefined> {
    try {
      if (!(await this.#keepsProbe())) return "not-kept";
      await this.#ask(() => this.#secrets.store(prefix + name, text));
      return (await this.get(name)) === text ? undefined : "not-kept";
    } catch (error) {
      if (error instanceof SecretStoreError) return "failing";
      throw error;
    }
  }

  /** @throws SecretStoreError */
  async delete(name: string): Promise<void> {
    await this.#ask(() => this.#secrets.delete(prefix + name));
  }

  /** The names that have a secret; undefined where this editor cannot say. */
  async names(): Promise<readonly string[] | undefined> {
    // There since VS Code 1.105; editors built on older ones lack it.
    if (typeof this.#secrets.keys !== "function") return undefined;
    const names = await this.#ask(() => this.#secrets.keys()).catch(() => undefined);
    const parsed = v.safeParse(namesSchema, names);
    if (!parsed.success) return undefined;
    return parsed.output.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  }

  onDidChange(listener: (name: string) => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) listener(key.slice(prefix.length));
    });
  }

  async #keepsProbe(): Promise<boolean> {
    const probe = crypto.randomUUID();
    // Two windows may try at once, each with an entry of its own.
    const name = `${probeName}.${probe}`;
    try {
      await this.#ask(() => this.#secrets.store(name, probe));
      return (await this.#ask(() => this.#secrets.get(name))) === probe;
    } finally {
      await this.#ask(() => this.#secrets.delete(name));
    }
  }

  async #ask<T>(work: () => Thenable<T>, onLate?: () => void): Promise<T> {
    try {
      const answer = Promise.resolve(work());
      // It may be a keyring that waits to be unlocked, and nobody may come to do that.
      if (await isOverWithin(answer, this.#patience / (this.#isSilent ? 25 : 1))) return await answer;
      this.#isSilent = true;
      const wake = (): void => {
        this.#isSilent = false;
      };
      answer.finally(wake).then(onLate, () => undefined);
    } catch {
      // Whatever was thrown may hold what the store was given.
    }
    throw new SecretStoreError();
  }
}
