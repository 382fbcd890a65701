import type { SearchedKey } from "../../connection/exposedKeys/exposedKeys.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import { SecretStoreError } from "../shared/errorReason.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** The variable to name where a connection names none. */
const usualVariable = "INFERENCE_API_KEY";

/**
 * The keys of all connections, then those that are stored while no connection uses them, as they are to
 * be looked for in texts. Read anew for each search.
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

  /** The connections whose key the secret store does not give now, so that it cannot be looked for. */
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

  /** Of connections that are gone, cannot be used, or take their key from a variable by now. */
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
