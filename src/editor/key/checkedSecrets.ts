import * as v from "valibot";
import type * as vscode from "vscode";
import { isOverWithin } from "../shared/abort.ts";
import { SecretStoreError } from "../shared/errorReason.ts";

/** A fault of secret storage that makes it unsafe for a key. */
export type StoreFault =
  /** Secret storage threw an error or timed out. */
  | "failing"
  /** Secret storage returned another value than it was given, or no value. */
  | "not-saved";

const prefix = "inference.apiKey.";
const probeName = "inference.probe";
const valueSchema = v.optional(v.string());
const namesSchema = v.array(v.string());

/** VS Code's secret storage. Tests it before storing a key, and validates what it returns. */
export class CheckedSecrets {
  readonly #secrets: vscode.SecretStorage;
  readonly #onAnswerAfterTimeout: (name: string) => void;
  readonly #timeoutMs: number;
  /** Secret storage timed out. Until it answers, use a short timeout. */
  #hasTimedOut = false;

  /**
   * @param onAnswerAfterTimeout called with the name of a secret that arrives late
   * @param timeoutMs milliseconds to wait
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

  /**
   * Tests secret storage with an entry that is not secret. Then stores the text and reads it back. Resolves to
   * undefined if the text is stored.
   */
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

  /** The names that have a secret; undefined if secret storage can't list them. */
  async names(): Promise<readonly string[] | undefined> {
    // Available since VS Code 1.105; editors built on older versions lack it.
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
    // Two windows may test at the same time, so each test has its own entry.
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
      // A keyring may wait for the user to unlock it, and the user may be away.
      if (await isOverWithin(answer, this.#timeoutMs / (this.#hasTimedOut ? 25 : 1))) return await answer;
      this.#hasTimedOut = true;
      const wake = (): void => {
        this.#hasTimedOut = false;
      };
      answer.finally(wake).then(onAnswerAfterTimeout, () => undefined);
    } catch {
      // The error may contain the secret, so it is dropped.
    }
    throw new SecretStoreError();
  }
}
