import type { SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import { SecretStoreError } from "../shared/errorReason.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** The variable to suggest if a connection names none. */
const usualVariable = "INFERENCE_API_KEY";

/**
 * The keys to search for in texts: the keys of all connections with the secret values of their further headers, then
 * stored keys that no connection uses.
 */
export class SearchedKeys {
  readonly #connections: WorkspaceConnections;
  readonly #keys: ApiKeyStore;
  #recent: { readonly readAt: number; readonly keys: Promise<readonly SearchedKey[]> } | undefined;

  constructor(connections: WorkspaceConnections, keys: ApiKeyStore) {
    this.#connections = connections;
    this.#keys = keys;
  }

  async list(): Promise<readonly SearchedKey[]> {
    // At once, because each key comes from VS Code's window, which takes longer than the search.
    const found = await Promise.all([
      ...this.#connections.all.map(async (connection): Promise<readonly SearchedKey[]> => {
        const key = await this.#keys.readForSearch(connection);
        const variable = connection.keyVariable ?? usualVariable;
        const { name: connectionName } = connection;
        const headers = this.#keys
          .readHeadersForSearch(connection)
          .map((header) => ({ ...header, connectionName, isHeader: true }) as const);
        return key === undefined ? headers : [{ connectionName, variable, key }, ...headers];
      }),
      this.#listUnused(),
    ]);
    return found.flat();
  }

  /**
   * The keys as they were at most a second ago. Use them only for a text that is searched again before it is sent. The
   * output of a command arrives faster than VS Code's window returns the keys.
   */
  listRecent(): Promise<readonly SearchedKey[]> {
    const now = performance.now();
    if (this.#recent === undefined || now - this.#recent.readAt > 1000)
      this.#recent = { readAt: now, keys: this.list() };
    return this.#recent.keys;
  }

  /** Names of the environment variables that hold a key, or that a connection takes its key from. */
  async variableNames(environment: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
    const keys = await this.list();
    const named = this.#connections.all.flatMap(({ keyVariable, headers = [] }) => [
      ...(keyVariable === undefined ? [] : [keyVariable]),
      ...headers.flatMap(({ value }) => (value.kind === "variable" ? [value.variable] : [])),
    ]);
    const holding = Object.entries(environment)
      .filter(([, value = ""]) => keys.some(({ key }) => key.wholeKeysIn(value).length > 0))
      .map(([name]) => name);
    return [...new Set([usualVariable, ...named, ...holding])];
  }

  /**
   * Names of the connections with a key that secret storage can't return now. Texts can't be searched for such a key.
   */
  async unreadableNames(): Promise<readonly string[]> {
    const stored = this.#connections.all.filter(({ keyVariable }) => keyVariable === undefined);
    const found = await Promise.all(
      stored.map(async ({ name }) => {
        try {
          await this.#keys.has(name);
          return [];
        } catch (error) {
          if (error instanceof SecretStoreError) return [name];
          throw error;
        }
      }),
    );
    return found.flat();
  }

  /** Keys of connections that were removed, can't be used, or take their key from a variable now. */
  async #listUnused(): Promise<readonly SearchedKey[]> {
    const inUse = this.#connections.all.filter(({ keyVariable }) => keyVariable === undefined);
    const stored = await this.#keys.storedNames();
    const names = stored.filter((each) => !inUse.some(({ name }) => name === each));
    const found = await Promise.all(
      names.map(async (connectionName): Promise<readonly SearchedKey[]> => {
        const key = await this.#keys.readStoredForSearch(connectionName);
        return key === undefined ? [] : [{ connectionName, variable: usualVariable, key }];
      }),
    );
    return found.flat();
  }
}
