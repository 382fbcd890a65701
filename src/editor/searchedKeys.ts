import type { SearchedKey } from "../connection/exposedKeys.ts";
import type { ApiKeyStore } from "./apiKeyStore.ts";
import type { WorkspaceConnections } from "./workspaceConnections.ts";

/** The variable to name where a connection names none. */
const usualVariable = "INFERENCE_API_KEY";

/** The keys of all connections, as they are to be looked for in texts. Read anew for each search. */
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
    return found.flat();
  }
}
