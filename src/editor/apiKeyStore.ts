import * as v from "valibot";
import type * as vscode from "vscode";
import { ApiKey } from "../client/apiKey.ts";
import { InferenceError } from "../client/failure.ts";
import type { KeyProblem } from "../client/keyProblem.ts";
import { type Connection, requireAddress } from "../connection/connection.ts";
import { readKey } from "../connection/keyHygiene.ts";

/** What the secret store keeps: the key and the origin it was given for. */
const sealedKeySchema = v.object({ key: v.string(), origin: v.string() });

const secretPrefix = "inference.apiKey.";

/** The keys: in the editor's secret store, or in the environment variable a connection names. */
export class ApiKeyStore {
  readonly #secrets: vscode.SecretStorage;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(secrets: vscode.SecretStorage, environment: Readonly<Record<string, string | undefined>>) {
    this.#secrets = secrets;
    this.#environment = environment;
  }

  /**
   * The connection's key, sealed to the origin it may be sent to.
   * @throws InferenceError `address` where the connection has no usable address; `key` where there
   * is no key or it could not be sent; `key-origin` where it was stored for another origin
   */
  async read(connection: Connection): Promise<ApiKey> {
    const { origin } = requireAddress(connection);
    if (connection.keyVariable !== undefined) return this.#readVariable(connection.keyVariable, origin);
    const sealed = await this.#readSealed(connection.name);
    if (sealed === undefined) throw new InferenceError({ kind: "key", cause: "empty-key" });
    if (sealed.origin !== origin) {
      throw new InferenceError({ kind: "key-origin", sealedOrigin: sealed.origin, origin });
    }
    return new ApiKey(sealed.key, origin);
  }

  /** The key as it is kept, to look for it in texts, whatever address it is sealed to; never throws for its shape. */
  async readForSearch(connection: Connection): Promise<ApiKey | undefined> {
    const sealed =
      connection.keyVariable === undefined
        ? await this.#readSealed(connection.name)
        : this.#variableForSearch(connection, connection.keyVariable);
    try {
      return sealed === undefined ? undefined : new ApiKey(sealed.key, sealed.origin);
    } catch (error) {
      // What no header can carry is no key of a service.
      if (error instanceof InferenceError) return undefined;
      throw error;
    }
  }

  /** Keeps a cleaned key for one connection and one origin. */
  async store(connectionName: string, key: string, origin: string): Promise<void> {
    await this.#secrets.store(secretPrefix + connectionName, JSON.stringify({ key, origin }));
  }

  async remove(connectionName: string): Promise<void> {
    await this.#secrets.delete(secretPrefix + connectionName);
  }

  /** Keeps a connection's key, if it has one, under another name as well. */
  async copy(from: string, to: string): Promise<void> {
    const sealed = await this.#readSealed(from);
    if (sealed !== undefined) await this.store(to, sealed.key, sealed.origin);
  }

  /** Calls back with a connection's name when its key changed, in this window or another. */
  onDidChange(listener: (connectionName: string) => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key.startsWith(secretPrefix)) listener(key.slice(secretPrefix.length));
    });
  }

  #variableForSearch(
    { address }: Connection,
    variable: string,
  ): v.InferOutput<typeof sealedKeySchema> | undefined {
    const reading = readKey(this.#environment[variable] ?? "");
    if (reading.kind === "unusable") return undefined;
    return { key: reading.key, origin: address.kind === "address" ? address.address.origin : "" };
  }

  #readVariable(variable: string, origin: string): ApiKey {
    const reading = readKey(this.#environment[variable] ?? "");
    switch (reading.kind) {
      case "clean":
        return new ApiKey(reading.key, origin);
      case "mended":
        throw new InferenceError({ kind: "key", cause: "malformed-key", variable, mends: reading.mends });
      case "unusable": {
        const { problem } = reading;
        throw new InferenceError({ kind: "key", cause: causeOfKeyProblem(problem), variable, problem });
      }
    }
  }

  async #readSealed(connectionName: string): Promise<v.InferOutput<typeof sealedKeySchema> | undefined> {
    const stored = await this.#secrets.get(secretPrefix + connectionName);
    if (stored === undefined) return undefined;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), sealedKeySchema), stored);
    return parsed.success ? parsed.output : undefined;
  }
}

function causeOfKeyProblem(problem: KeyProblem): "empty-key" | "malformed-key" | "not-a-key" {
  switch (problem) {
    case "empty":
      return "empty-key";
    case "login":
    case "session-token":
    case "url":
      return "not-a-key";
    case "masked":
    case "not-ascii":
    case "prose":
      return "malformed-key";
  }
}
