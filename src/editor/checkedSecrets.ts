import * as v from "valibot";
import type * as vscode from "vscode";

/** What a secret store did that should not be trusted with a key. */
export type StoreFault =
  /** It threw. */
  | "failing"
  /** It gave back another value than it was given, or none. */
  | "not-kept";

/** Thrown in the place of whatever the store threw, whose text might hold what it was given. */
export class SecretStoreError extends Error {
  constructor() {
    super("The secret store failed.");
    this.name = "SecretStoreError";
  }
}

const prefix = "inference.apiKey.";
const probeName = "inference.probe";
const valueSchema = v.optional(v.string());
const namesSchema = v.array(v.string());

/** The editor's secret store, which is tried before it is trusted, and read as what it is: foreign. */
export class CheckedSecrets {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** @throws SecretStoreError */
  async get(name: string): Promise<string | undefined> {
    const value = v.safeParse(valueSchema, await guarded(() => this.#secrets.get(prefix + name)));
    if (!value.success) throw new SecretStoreError();
    return value.output;
  }

  /** Tries the store with an entry that is no secret, then keeps the text and reads it back. */
  async put(name: string, text: string): Promise<StoreFault | undefined> {
    try {
      if (!(await this.#keepsProbe())) return "not-kept";
      await guarded(() => this.#secrets.store(prefix + name, text));
      return (await this.get(name)) === text ? undefined : "not-kept";
    } catch (error) {
      if (error instanceof SecretStoreError) return "failing";
      throw error;
    }
  }

  /** @throws SecretStoreError */
  async delete(name: string): Promise<void> {
    await guarded(() => this.#secrets.delete(prefix + name));
  }

  /** The names that have a secret; undefined where this editor cannot say. */
  async names(): Promise<readonly string[] | undefined> {
    // There since VS Code 1.105; editors built on older ones lack it.
    if (typeof this.#secrets.keys !== "function") return undefined;
    const names = await guarded(() => this.#secrets.keys()).catch(() => undefined);
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
    await guarded(() => this.#secrets.store(name, probe));
    const kept = await guarded(() => this.#secrets.get(name));
    await guarded(() => this.#secrets.delete(name));
    return kept === probe;
  }
}

async function guarded<T>(work: () => Thenable<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw new SecretStoreError();
  }
}
