import * as vscode from "vscode";
import { ApiKey } from "../../client/key/apiKey.ts";
import { Credentials, type RequestHeader } from "../../client/key/credentials.ts";
import { KeySeal } from "../../client/key/keySeal.ts";
import { type PlainFailure, InferenceError } from "../../client/failure/failure.ts";
import type { KeyStoreProblem } from "../../client/failure/failure.ts";
import { type Connection, requireAddress, requireHeaders } from "../../connection/setup/connection.ts";
import { CheckedSecrets, type StoreFault } from "./checkedSecrets.ts";
import { SecretStoreError } from "../shared/errorReason.ts";
import { readSealedKey, type SealedKey, writeSealedKey, StoredKeyNames } from "./storedKeys.ts";
import { type MovedVariable, VariableKeys } from "./variableKeys.ts";
import type { State } from "../workspace/state.ts";

/** Place of a stored key: secret storage, or only this window's memory because secret storage failed. */
export type StoreResult =
  | { readonly kind: "stored" }
  | { readonly kind: "session-only"; readonly fault: StoreFault };

/** Restores a removed or replaced key. If another key was set since, changes nothing and resolves to undefined. */
export type RestoreKey = () => Promise<StoreResult | undefined>;

/** A key in memory, and the text that secret storage held after it failed to store the key. */
interface SessionKey {
  readonly sealed: SealedKey;
  readonly storedInstead: string | undefined;
}

type Found =
  | { readonly kind: "key"; readonly sealed: SealedKey }
  | { readonly kind: "none" }
  | { readonly kind: "problem"; readonly problem: KeyStoreProblem };

/** The API keys, from secret storage or from the environment variable that a connection names. */
export class ApiKeyStore implements vscode.Disposable {
  readonly #secrets: CheckedSecrets;
  readonly #names: StoredKeyNames;
  readonly #session = new Map<string, SessionKey>();
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #answeredAfterTimeout = new vscode.EventEmitter<string>();
  readonly #subscription: vscode.Disposable;

  /** Keys in environment variables. */
  readonly variables: VariableKeys;

  /** Fires with the connection's name when its key changes, in this window or another. */
  readonly onDidChange = this.#changed.event;

  /** Fires with the connection's name when secret storage answers after a timeout. The key is unchanged. */
  readonly onDidAnswerAfterTimeout = this.#answeredAfterTimeout.event;

  /**
   * @param state shared by all windows of this computer
   * @param timeoutMs milliseconds until secret storage counts as failing
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
   * Reads the connection's key, and checks that it may be sent to the connection's base URL.
   * @throws InferenceError. `address`: the connection has no usable base URL. `key`: the key is missing or can't be
   * sent. `key-seal`: the key was stored for another origin, or its variable was used for another origin.
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

  /**
   * Reads what the connection's requests carry: its key and its further headers.
   * @throws InferenceError like `read`. `header`: a header can't be sent. `key-seal`: also for a header's variable.
   */
  async readCredentials(connection: Connection): Promise<Credentials> {
    const seal = KeySeal.of(requireAddress(connection));
    const headers = requireHeaders(connection);
    const key = await this.read(connection);
    const found: RequestHeader[] = [];
    // One after the other, because each first use changes the same stored list.
    for (const { name, value } of headers) {
      if (value.kind === "text") found.push({ name, value: value.text });
      else {
        const secret = await this.variables.readHeader(connection.name, name, value.variable, seal);
        found.push({ name, secret, ...(value.scheme === undefined ? {} : { scheme: value.scheme }) });
      }
    }
    return new Credentials(key, found);
  }

  /** Reads a key to search for it in texts, whatever its seal; undefined if the key can't be read. */
  async readForSearch(connection: Connection): Promise<ApiKey | undefined> {
    if (connection.keyVariable === undefined) return this.readStoredForSearch(connection.name);
    return toSearchedKey(this.variables.find(connection, connection.keyVariable));
  }

  /** Reads the secret values of a connection's further headers to search for them in texts. */
  readHeadersForSearch(
    connection: Connection,
  ): readonly { readonly variable: string; readonly key: ApiKey }[] {
    return this.variables.findHeaders(connection);
  }

  /** Reads a stored key to search for it in texts, whether or not a connection uses it. */
  async readStoredForSearch(connectionName: string): Promise<ApiKey | undefined> {
    const found = await this.#find(connectionName);
    return toSearchedKey(found.kind === "key" ? found.sealed : undefined);
  }

  /**
   * Stores a cleaned key for a connection. If secret storage fails or returns another value, the key is only in memory
   * until this window reloads.
   */
  async store(connectionName: string, sealed: SealedKey): Promise<StoreResult> {
    const fault = await this.#secrets.put(connectionName, writeSealedKey(sealed));
    if (fault === undefined) {
      this.#session.delete(connectionName);
      await this.#names.add(connectionName);
      return { kind: "stored" };
    }
    // Remove the previous key, so that the next session does not start with it.
    await this.#secrets.delete(connectionName).catch(() => undefined);
    const storedInstead = await this.#secrets.get(connectionName).catch(() => undefined);
    this.#session.set(connectionName, { sealed, storedInstead });
    await this.#names.add(connectionName);
    this.#changed.fire(connectionName);
    return { kind: "session-only", fault };
  }

  /**
   * Stores a key in place of another. `restore` brings the other key back. `restore` is undefined if there was no other
   * key.
   */
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

  /** Lets a connection send its variable's key to its new base URL. The user must have agreed. */
  async resealVariable(connectionName: string, moved: MovedVariable): Promise<void> {
    await this.variables.reseal(connectionName, moved);
    this.#changed.fire(connectionName);
  }

  /** Tries to store a key that is only in memory; undefined if there is no such key any more. */
  async storeAgain(connectionName: string): Promise<StoreResult | undefined> {
    const sealed = this.#session.get(connectionName)?.sealed;
    return sealed && this.store(connectionName, sealed);
  }

  /**
   * Removes a connection's key. The result restores the key; undefined if there was no key.
   * @throws SecretStoreError
   */
  async remove(connectionName: string): Promise<RestoreKey | undefined> {
    const found = await this.#find(connectionName);
    await this.#secrets.delete(connectionName);
    await this.#names.remove(connectionName);
    if (this.#session.delete(connectionName)) this.#changed.fire(connectionName);
    if (found.kind !== "key") return undefined;
    return async () => {
      // The user may have set the new key because the removed one was exposed.
      if (await this.has(connectionName)) return undefined;
      return this.store(connectionName, found.sealed);
    };
  }

  /**
   * Copies a connection's key, if it has one, to another name. If the key was only in memory, its copy may be only in
   * memory too.
   * @throws SecretStoreError if secret storage can't be read or written; then nothing was changed
   */
  async copy(from: string, to: string): Promise<void> {
    const isInMemory = this.#session.has(from);
    const found = await this.#find(from);
    if (found.kind === "problem" && found.problem === "failing") throw new SecretStoreError();
    if (found.kind !== "key") return;
    const result = await this.store(to, found.sealed);
    if (result.kind === "stored" || isInMemory) return;
    // A copy only in memory would be lost with the window after the stored key is removed.
    this.#session.delete(to);
    await this.#names.remove(to);
    throw new SecretStoreError();
  }

  /**
   * Whether there is a key of this name, whatever its seal.
   * @throws SecretStoreError if secret storage can't be read
   */
  async has(connectionName: string): Promise<boolean> {
    const found = await this.#find(connectionName);
    if (found.kind === "problem" && found.problem === "failing") throw new SecretStoreError();
    return found.kind === "key";
  }

  /** The seal of a stored key; undefined if there is no readable key. */
  async sealOf(connectionName: string): Promise<KeySeal | undefined> {
    const found = await this.#find(connectionName);
    return found.kind === "key" ? found.sealed.seal : undefined;
  }

  /** Names of connections whose key was stored, even if secret storage fails now or has lost the key. */
  get recordedNames(): readonly string[] {
    return this.#names.all;
  }

  /** Names of connections with a key in secret storage or in memory, whether or not they are in the settings. */
  async storedNames(): Promise<readonly string[]> {
    return [...new Set([...(await this.#namesInStore()), ...this.#session.keys()])];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#answeredAfterTimeout.dispose();
    this.#session.clear();
  }

  /** Drops a key in memory if another window has stored a new one. */
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
    // A key that no header can carry is not a service's key.
    if (error instanceof InferenceError) return undefined;
    throw error;
  }
}

function failureOf(found: Exclude<Found, { kind: "key" }>): PlainFailure {
  const store = found.kind === "problem" ? { store: found.problem } : {};
  return { kind: "key", cause: "empty-key", ...store };
}
