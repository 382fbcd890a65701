import type { SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import { SecretStoreError } from "../shared/errorReason.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** The variable to suggest if a connection names none. */
const usualVariable = "INFERENCE_API_KEY";

/**
 * The keys to search for in texts: the keys of all connections, then stored keys that no connection uses. They are read
 * for each search.
 */
export class SearchedKeys {
  readonly #connections: WorkspaceConnections;
  readonly #keys: ApiKeyStore;

  constructor(connections: WorkspaceConnections, keys: ApiKeyStore) {
    this.#connections = connections;
    this.#keys = keys;
  }

  async list(): Promise<readonly SearchedKey[]> {
    const found = await Promise.all(
      this.#connections.all.map(async (connection): Promise<readonly SearchedKey[]> => {
        const key = await this.#keys.readForSearch(connection);
        const variable = connection.keyVariable ?? usualVariable;
        return key === undefined ? [] : [{ connectionName: connection.name, variable, key }];
      }),
    );
    return [...found.flat(), ...(await this.#listUnused())];
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
