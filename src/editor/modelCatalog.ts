import * as v from "valibot";
import * as vscode from "vscode";
import type { OnRetry } from "../client/retrying.ts";
import type { Connection } from "../connection/connection.ts";
import type { Model } from "../protocol/modelList.ts";
import type { Clients } from "./clients.ts";

const catalogSchema = v.object({
  at: v.string(),
  isForgotten: v.exactOptional(v.boolean()),
  models: v.array(
    v.object({
      id: v.string(),
      name: v.exactOptional(v.string()),
      contextWindow: v.exactOptional(v.number()),
      maxOutputTokens: v.exactOptional(v.number()),
      ownedBy: v.exactOptional(v.string()),
    }),
  ),
});

/** Models as a service listed them, and when. */
export interface ModelListing {
  /** ISO 8601. */
  readonly at: string;
  readonly models: readonly Model[];
}

/** The model lists of the connections, kept from one window to the next. */
export class ModelCatalog implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #clients: Clients;
  readonly #changed = new vscode.EventEmitter<void>();

  /** Fires when a list was had, or was forgotten. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento, clients: Clients) {
    this.#state = state;
    this.#clients = clients;
  }

  /** What was listed last, or undefined. Sends nothing. */
  cached(connection: Connection): ModelListing | undefined {
    const listing = this.#read(connection);
    return listing?.isForgotten === true ? undefined : listing;
  }

  /** The same, and where it was forgotten, what another key saw: better than nothing where there is no key. */
  lastKnown(connection: Connection): ModelListing | undefined {
    return this.#read(connection);
  }

  /** Another key may see other models. */
  async forget(connection: Connection): Promise<void> {
    const listing = this.#read(connection);
    if (listing !== undefined)
      await this.#state.update(stateKey(connection), { ...listing, isForgotten: true });
    this.#changed.fire();
  }

  /**
   * @param onRetry hears of each wait for another try
   * @throws InferenceError where the list cannot be had; the cached one stays
   */
  async refresh(
    connection: Connection,
    signal: AbortSignal,
    onRetry: OnRetry = () => undefined,
  ): Promise<ModelListing> {
    const { withRetries } = await import("./clientModules.ts");
    const client = await this.#clients.clientOf(connection);
    const { value } = await withRetries(() => client.listModels(signal), onRetry, signal);
    return this.keep(connection, value);
  }

  /** Keeps what the service was just seen to list. */
  async keep(connection: Connection, models: readonly Model[]): Promise<ModelListing> {
    const listing = { at: new Date().toISOString(), models };
    await this.#state.update(stateKey(connection), listing);
    this.#changed.fire();
    return listing;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #read(connection: Connection): v.InferOutput<typeof catalogSchema> | undefined {
    const parsed = v.safeParse(catalogSchema, this.#state.get<unknown>(stateKey(connection)));
    return parsed.success ? parsed.output : undefined;
  }
}

function stateKey(connection: Connection): string {
  const origin = connection.address.kind === "address" ? connection.address.address.origin : "";
  return `inference.models.${connection.name}.${origin}`;
}
