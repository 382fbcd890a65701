import * as vscode from "vscode";
import { ApiKey } from "../../client/key/apiKey.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import { type PlainFailure, InferenceError } from "../../client/failure/failure.ts";
import type { KeyStoreProblem } from "../../client/failure/failure.ts";
import { type Connection, requireAddress } from "../../connection/setup/connection.ts";
import { CheckedSecrets, type StoreFault } from "./checkedSecrets.ts";
import { SecretStoreError } from "../shared/errorReason.ts";
import { readSealedKey, type SealedKey, writeSealedKey, StoredKeyNames } from "./storedKeys.ts";
import { type MovedVariable, VariableKeys } from "./variableKeys.ts";
import type { State } from "../workspace/state.ts";

/** Where a key was put: for good, or for this window's session because the store is not to be trusted. */
export type StoreResult =
  | { readonly kind: "stored" }
  | { readonly kind: "session-only"; readonly fault: StoreFault };

/** Puts a removed or replaced key back, unless another one was set since: then it changes nothing, and says undefined. */
export type RestoreKey = () => Promise<StoreResult | undefined>;

/** A key that is kept in memory, and what the store held when it did not take it. */
interface SessionKey {
  readonly sealed: SealedKey;
  readonly storedInstead: string | undefined;
}

type Found =
  | { readonly kind: "key"; readonly sealed: SealedKey }
  | { readonly kind: "none" }
  | { readonly kind: "problem"; readonly problem: KeyStoreProblem };

/** The keys: in the editor's secret store, or in the environment variable a connection names. */
export class ApiKeyStore implements vscode.Disposable {
  readonly #secrets: CheckedSecrets;
  readonly #names: StoredKeyNames;
  readonly #session = new Map<string, SessionKey>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #answeredAfterTimeout = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;

  /** The keys that are in no store of ours. */
  readonly variables: VariableKeys;

  /** Fires with a connection's name when its key changed, in this window or another. */
  readonly onDidChange = this.#changed.event;

  /** Fires with a connection's name when a secret store answers at last that was given up. The key is the one it was. */
  readonly onDidAnswerAfterTimeout = this.#answeredAfterTimeout.event;

  /**
   * @param state what all windows of this computer share
   * @param timeoutMs milliseconds after which a secret store that does not answer counts as failing
   */
  constructor(
    secrets: vscode.SecretStorage,
    environment: Readonly<Record<string, string | undefined>>,
    state: State,
    timeoutMs = 10_000,
  ) {
    this.#secrets = new CheckedSecrets(secrets, (name) => this.#answeredAfterTimeout.fire(name), timeoutMs);
    this.variables = new VariableKeys(environment, state);
    this.#names = new StoredKeyNames(state);
    this.#subscription = this.#secrets.onDidChange((name) => {
      this.#followStore(name).catch(() => undefined);
    });
  }

  /**
   * The connection's key, which may be sent to its address.
   * @throws InferenceError `address` where the connection has no usable address; `key` where there
   * is no key or it could not be sent; `key-seal` where it was stored, or its variable used, for another address
   */
  async read(connection: Connection): Promise<ApiKey> {
    const seal = KeySeal.of(requireAddress(connection));
    const variable = connection.keyVariable;
    if (variable !== undefined) return this.variables.read(connection.name, variable, seal);
    const found = await this.#find(connection.name);
    if (found.kind !== "key") throw new InferenceError(failureOf(found));
    found.sealed.seal.requireSame(seal);
    return new ApiKey(found.sealed.key, seal);
  }

  /** The key as it is kept, to look for it in texts, whatever its seal; undefined where it cannot be had. */
  async readForSearch(connection: Connection): Promise<ApiKey | undefined> {
    if (connection.keyVariable === undefined) return this.readStoredForSearch(connection.name);
    return toSearchedKey(this.variables.find(connection, connection.keyVariable));
  }

  /** The same of a key that is stored, whether or not a connection uses it. */
  async readStoredForSearch(connectionName: string): Promise<ApiKey | undefined> {
    const found = await this.#find(connectionName);
    return toSearchedKey(found.kind === "key" ? found.sealed : undefined);
  }

  /**
   * Keeps a cleaned key for one connection. Where the secret store fails or does not
   * give back what it was given, the key is kept in memory, for this window until it is reloaded.
   */
  async store(connectionName: string, sealed: SealedKey): Promise<StoreResult> {
    const fault = await this.#secrets.put(connectionName, writeSealedKey(sealed));
    if (fault === undefined) {
      this.#session.delete(connectionName);
      await this.#names.add(connectionName);
      return { kind: "stored" };
    }
    // What is left of the key before this one must not be what the next session begins with.
    await this.#secrets.delete(connectionName).catch(() => undefined);
    const storedInstead = await this.#secrets.get(connectionName).catch(() => undefined);
    this.#session.set(connectionName, { sealed, storedInstead });
    await this.#names.add(connectionName);
    this.#changed.fire(connectionName);
    return { kind: "session-only", fault };
  }

  /** Keeps a key in the place of another; `restore` puts that back, and is undefined where there was none. */
  async replace(
    connectionName: string,
    sealed: SealedKey,
  ): Promise<{ readonly result: StoreResult; readonly restore: RestoreKey | undefined }> {
    const found = await this.#find(connectionName);
    const result = await this.store(connectionName, sealed);
    if (found.kind !== "key" || found.sealed.key === sealed.key) return { result, restore: undefined };
    const restore = async (): Promise<StoreResult | undefined> => {
      const now = await this.#find(connectionName);
      if (now.kind === "key" && now.sealed.key !== sealed.key) return undefined;
      return this.store(connectionName, found.sealed);
    };
    return { result, restore };
  }

  /** Lets a connection send its variable's key to where it leads now; a person has agreed to it. */
  async resealVariable(connectionName: string, moved: MovedVariable): Promise<void> {
    await this.variables.reseal(connectionName, moved);
    this.#changed.fire(connectionName);
  }

  /** Tries to store a key that is in memory only; undefined where it no longer is. */
  async storeAgain(connectionName: string): Promise<StoreResult | undefined> {
    const sealed = this.#session.get(connectionName)?.sealed;
    return sealed && this.store(connectionName, sealed);
  }

  /**
   * Removes a connection's key; the result puts it back, and is undefined where there was none.
   * @throws SecretStoreError
   */
  async remove(connectionName: string): Promise<RestoreKey | undefined> {
    const found = await this.#find(connectionName);
    await this.#secrets.delete(connectionName);
    await this.#names.remove(connectionName);
    if (this.#session.delete(connectionName)) this.#changed.fire(connectionName);
    if (found.kind !== "key") return undefined;
    return async () => {
      // The key set since may be the replacement of an exposed one.
      if (await this.has(connectionName)) return undefined;
      return this.store(connectionName, found.sealed);
    };
  }

  /**
   * Keeps a connection's key, if it has one, under another name as well: in the same place.
   * @throws SecretStoreError where that cannot be told, or the store does not keep it, and nothing was changed
   */
  async copy(from: string, to: string): Promise<void> {
    const isInMemory = this.#session.has(from);
    const found = await this.#find(from);
    if (found.kind === "problem" && found.problem === "failing") throw new SecretStoreError();
    if (found.kind !== "key") return;
    const result = await this.store(to, found.sealed);
    if (result.kind === "stored" || isInMemory) return;
    // In memory alone it would be lost with the window, once the stored one is removed.
    this.#session.delete(to);
    await this.#names.remove(to);
    throw new SecretStoreError();
  }

  /**
   * Whether there is a key of this name, whatever its seal.
   * @throws SecretStoreError where that cannot be told
   */
  async has(connectionName: string): Promise<boolean> {
    const found = await this.#find(connectionName);
    if (found.kind === "problem" && found.problem === "failing") throw new SecretStoreError();
    return found.kind === "key";
  }

  /** The seal of a stored key; undefined where there is no key. */
  async sealOf(connectionName: string): Promise<KeySeal | undefined> {
    const found = await this.#find(connectionName);
    return found.kind === "key" ? found.sealed.seal : undefined;
  }

  /** Names of connections that a key was stored for, also if the store fails now or has lost it. */
  get recordedNames(): readonly string[] {
    return this.#names.all;
  }

  /** Names of connections that have a key in the secret store or in memory, whether or not they are in the settings. */
  async storedNames(): Promise<readonly string[]> {
    return [...new Set([...(await this.#namesInStore()), ...this.#session.keys()])];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#answeredAfterTimeout.dispose();
    this.#session.clear();
  }

  /** A key that another window has stored since takes the place of the one in memory. */
  async #followStore(name: string): Promise<void> {
    const session = this.#session.get(name);
    if (session !== undefined) {
      const text = await this.#secrets.get(name).catch(() => undefined);
      const isNew = text !== undefined && text !== session.storedInstead && readSealedKey(text) !== undefined;
      if (isNew && this.#session.get(name) === session) this.#session.delete(name);
    }
    this.#changed.fire(name);
  }

  async #namesInStore(): Promise<readonly string[]> {
    const known = await this.#secrets.names();
    if (known !== undefined) return known;
    const names: string[] = [];
    for (const name of this.#names.all) {
      const text = await this.#secrets.get(name).catch(() => undefined);
      if (text !== undefined) names.push(name);
    }
    return names;
  }

  async #find(connectionName: string): Promise<Found> {
    const session = this.#session.get(connectionName);
    if (session !== undefined) return { kind: "key", sealed: session.sealed };
    try {
      const text = await this.#secrets.get(connectionName);
      if (text === undefined) {
        const wasStored = this.#names.all.includes(connectionName);
        return wasStored ? { kind: "problem", problem: "lost" } : { kind: "none" };
      }
      const sealed = readSealedKey(text);
      return sealed === undefined ? { kind: "problem", problem: "garbled" } : { kind: "key", sealed };
    } catch (error) {
      if (error instanceof SecretStoreError) return { kind: "problem", problem: "failing" };
      throw error;
    }
  }
}

function toSearchedKey(sealed: SealedKey | undefined): ApiKey | undefined {
  try {
    return sealed === undefined ? undefined : new ApiKey(sealed.key, sealed.seal);
  } catch (error) {
    // What no header can carry is no key of a service.
    if (error instanceof InferenceError) return undefined;
    throw error;
  }
}

function failureOf(found: Exclude<Found, { kind: "key" }>): PlainFailure {
  const store = found.kind === "problem" ? { store: found.problem } : {};
  return { kind: "key", cause: "empty-key", ...store };
}
