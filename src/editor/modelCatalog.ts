import * as v from "valibot";
import * as vscode from "vscode";
import type { InferenceClient } from "../client/inferenceClient.ts";
import type { OnRetry } from "../client/retrying.ts";
import type { Connection } from "../connection/connection.ts";
import type { Model } from "../protocol/modelList.ts";
import type { Clients } from "./clients.ts";
import type { State } from "./state.ts";

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

/** A network that failed once may be there behind the next answer; a service without a list stays without. */
const mostTries = 3;

/** Models as a service listed them, and when. */
export interface ModelListing {
  /** ISO 8601. */
  readonly at: string;
  readonly models: readonly Model[];
}

/** The model lists of the connections, kept from one window to the next. */
export class ModelCatalog implements vscode.Disposable {
  readonly #state: State;
  readonly #clients: Pick<Clients, "clientOf">;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Listings behind an answer, under way or over, of the connections by their key in the state. */
  readonly #behindAnswers = new Map<string, AbortController>();
  /** How often that came to nothing. */
  readonly #inVain = new Map<string, number>();

  /** Fires when a list was had or forgotten, or was asked for in vain. */
  readonly onDidChange = this.#changed.event;

  constructor(state: State, clients: Pick<Clients, "clientOf">) {
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
    this.#behindAnswers.get(stateKey(connection))?.abort();
    this.#behindAnswers.delete(stateKey(connection));
    this.#inVain.delete(stateKey(connection));
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

  /** Whether nobody has asked the service for its models yet. */
  isUnasked(connection: Connection): boolean {
    return this.#read(connection) === undefined && !this.#inVain.has(stateKey(connection));
  }

  /**
   * Lists the models where they are not known, three times in vain at most: to be called behind an answer, with the
   * client that brought it. So no other key is sent than one that the user has just asked with. Never rejects; what
   * went wrong stands in the log.
   */
  async listBehindAnswer(connection: Connection, client: Pick<InferenceClient, "listModels">): Promise<void> {
    const key = stateKey(connection);
    const tries = this.#inVain.get(key) ?? 0;
    if (this.cached(connection) !== undefined || this.#behindAnswers.has(key) || tries === mostTries) return;
    const listing = new AbortController();
    this.#behindAnswers.set(key, listing);
    try {
      const { value } = await client.listModels(listing.signal);
      if (!listing.signal.aborted) await this.keep(connection, value);
    } catch {
      if (listing.signal.aborted) return;
      this.#behindAnswers.delete(key);
      this.#inVain.set(key, tries + 1);
      this.#changed.fire();
    }
  }

  /** Keeps what the service was just seen to list. */
  async keep(connection: Connection, models: readonly Model[]): Promise<ModelListing> {
    const listing = { at: new Date().toISOString(), models };
    await this.#state.update(stateKey(connection), listing);
    this.#changed.fire();
    return listing;
  }

  dispose(): void {
    for (const listing of this.#behindAnswers.values()) listing.abort();
    this.#changed.dispose();
  }

  #read(connection: Connection): v.InferOutput<typeof catalogSchema> | undefined {
    const parsed = v.safeParse(catalogSchema, this.#state.get(stateKey(connection)));
    return parsed.success ? parsed.output : undefined;
  }
}

function stateKey(connection: Connection): string {
  const origin = connection.address.kind === "address" ? connection.address.address.origin : "";
  return `inference.models.${connection.name}.${origin}`;
}
