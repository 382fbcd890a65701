import * as v from "valibot";
import * as vscode from "vscode";
import type { InferenceClient } from "../../client/request/inferenceClient.ts";
import type { OnRetry } from "../../client/request/retrying.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { Model } from "../../protocol/decode/modelList.ts";
import type { Clients } from "../service/clients.ts";
import type { State } from "../workspace/state.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { withRetries } from "../../client/request/retrying.ts";

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
      takesEffort: v.exactOptional(v.boolean()),
    }),
  ),
});

type Listing = v.InferOutput<typeof catalogSchema>;

/** Maximum number of failed background listings. A network may recover, but a service may have no list at all. */
const maxTries = 3;

/** The models that a service listed, and when. */
export interface ModelListing {
  /** ISO 8601. */
  readonly at: string;
  readonly models: readonly Model[];
}

/** The model lists of the connections, stored across windows. */
export class ModelCatalog implements vscode.Disposable {
  readonly #state: State;
  readonly #clients: Pick<Clients, "clientOf">;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Background listings, pending or finished, by the connection's state key. */
  readonly #backgroundListings = new Map<string, AbortController>();
  /** Number of failed background listings, by state key. */
  readonly #failedTries = new Map<string, number>();
  /** Lists of connections that were removed since this window opened, in case they return. */
  readonly #taken = new Map<string, Listing>();

  readonly #subscription: vscode.Disposable;

  /** Fires when a list is saved, forgotten, or moved with its connection, and when a background listing fails. */
  readonly onDidChange = this.#changed.event;

  constructor(
    state: State,
    clients: Pick<Clients, "clientOf">,
    connections: Pick<WorkspaceConnections, "all" | "onDidChange">,
  ) {
    this.#state = state;
    this.#clients = clients;
    let before = connections.all;
    this.#subscription = connections.onDidChange(() => {
      const { all } = connections;
      if (all !== before) this.#follow(before, all);
      before = all;
    });
  }

  /** The last list; undefined if there is none or it was forgotten. Sends nothing. */
  cached(connection: Connection): ModelListing | undefined {
    const listing = this.#read(connection);
    return listing?.isForgotten === true ? undefined : listing;
  }

  /** Like `cached`, but also returns a forgotten list, which another key may have loaded. */
  lastKnown(connection: Connection): ModelListing | undefined {
    return this.#read(connection);
  }

  /** Marks the list as forgotten: another key may see other models. */
  async forget(connection: Connection): Promise<void> {
    const listing = this.#read(connection);
    this.#stop(connection);
    if (listing !== undefined)
      await this.#state.update(stateKey(connection), { ...listing, isForgotten: true });
    this.#changed.fire();
  }

  /**
   * @param onRetry called before each retry delay
   * @throws InferenceError if the list can't be loaded; the cached list stays
   */
  async refresh(
    connection: Connection,
    signal: AbortSignal,
    onRetry: OnRetry = () => undefined,
  ): Promise<ModelListing> {
    // Read the key for each try: it may have changed during the retry delay.
    const list = async () =>
      (await this.#clients.clientOf(connection, { kind: "model-list" })).listModels(signal);
    const { value } = await withRetries(list, onRetry, signal);
    return this.save(connection, value);
  }

  /** Whether there is no stored list and no background listing has failed. */
  isUnasked(connection: Connection): boolean {
    return this.#read(connection) === undefined && !this.#failedTries.has(stateKey(connection));
  }

  /**
   * Lists the connection's models in the background if they are unknown. Uses the client of the answer that has just
   * arrived, so that no other key is sent. Gives up after three failures. Never rejects; failures are in the log.
   */
  async listBehindAnswer(connection: Connection, client: Pick<InferenceClient, "listModels">): Promise<void> {
    const key = stateKey(connection);
    const tries = this.#failedTries.get(key) ?? 0;
    if (this.cached(connection) !== undefined || this.#backgroundListings.has(key) || tries === maxTries)
      return;
    const listing = new AbortController();
    this.#backgroundListings.set(key, listing);
    try {
      const { value } = await client.listModels(listing.signal);
      if (!listing.signal.aborted) await this.save(connection, value);
    } catch {
      if (listing.signal.aborted) return;
      this.#backgroundListings.delete(key);
      this.#failedTries.set(key, tries + 1);
      this.#changed.fire();
    }
  }

  /** Stores the models that the service has just listed. */
  async save(connection: Connection, models: readonly Model[]): Promise<ModelListing> {
    const listing = { at: new Date().toISOString(), models };
    await this.#state.update(stateKey(connection), listing);
    this.#changed.fire();
    return listing;
  }

  dispose(): void {
    for (const listing of this.#backgroundListings.values()) listing.abort();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** Removes the lists of removed connections. Restores them for connections that return or are renamed. */
  #follow(before: readonly Connection[], after: readonly Connection[]): void {
    const gone = before.filter((connection) => !hasListOf(after, connection));
    const come = after.filter((connection) => !hasListOf(before, connection));
    if (gone.length + come.length === 0) return;
    const [old] = gone;
    const isRenamed = gone.length === 1 && come.length === 1 && originOf(old) === originOf(come[0]);
    // Start all writes at once, so that no other change comes between them. Unsaved lists are loaded again later.
    const written = [
      ...gone.map((connection) => this.#take(connection)),
      ...come.map((connection) => this.#restoreListing(connection, isRenamed ? old : undefined)),
    ];
    Promise.all(written).catch(() => undefined);
    this.#changed.fire();
  }

  #stop(connection: Connection): void {
    const key = stateKey(connection);
    this.#backgroundListings.get(key)?.abort();
    this.#backgroundListings.delete(key);
    this.#failedTries.delete(key);
  }

  async #take(connection: Connection): Promise<void> {
    const listing = this.#read(connection);
    this.#stop(connection);
    if (listing === undefined) return;
    this.#taken.set(stateKey(connection), listing);
    await this.#state.update(stateKey(connection), undefined);
  }

  /** @param old the connection before it was renamed */
  async #restoreListing(connection: Connection, old = connection): Promise<void> {
    const key = this.#taken.has(stateKey(old)) ? stateKey(old) : stateKey(connection);
    const listing = this.#taken.get(key);
    this.#taken.delete(key);
    // Another window may have saved a list first.
    if (listing === undefined || this.#read(connection) !== undefined) return;
    // The renamed connection may have another key, which sees other models.
    const known = old === connection ? listing : { ...listing, isForgotten: true };
    await this.#state.update(stateKey(connection), known);
  }

  #read(connection: Connection): Listing | undefined {
    const parsed = v.safeParse(catalogSchema, this.#state.get(stateKey(connection)));
    return parsed.success ? parsed.output : undefined;
  }
}

function hasListOf(connections: readonly Connection[], connection: Connection): boolean {
  return connections.some((each) => stateKey(each) === stateKey(connection));
}

function originOf(connection: Connection | undefined): string | undefined {
  return connection?.address.kind === "address" ? connection.address.address.origin : undefined;
}

function stateKey(connection: Connection): string {
  return `inference.models.${connection.name}.${originOf(connection) ?? ""}`;
}
