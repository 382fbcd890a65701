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
    }),
  ),
});

type Listing = v.InferOutput<typeof catalogSchema>;

/** A network that failed once may be there behind the next answer; a service without a list stays without. */
const maxTries = 3;

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
  readonly #backgroundListings = new Map<string, AbortController>();
  /** How often that came to nothing. */
  readonly #failedTries = new Map<string, number>();
  /** The lists of connections that have gone since this window was opened, for those that come back. */
  readonly #taken = new Map<string, Listing>();

  readonly #subscription: vscode.Disposable;

  /** Fires when a list was had or forgotten, was asked for in vain, or went where its connection went. */
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
    this.#stop(connection);
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
    // For each try: while it was waited for, the key may have become another one.
    const list = async () => (await this.#clients.clientOf(connection)).listModels(signal);
    const { value } = await withRetries(list, onRetry, signal);
    return this.save(connection, value);
  }

  /** Whether nobody has asked the service for its models yet. */
  isUnasked(connection: Connection): boolean {
    return this.#read(connection) === undefined && !this.#failedTries.has(stateKey(connection));
  }

  /**
   * Lists the models where they are not known, three times in vain at most: to be called behind an answer, with the
   * client that brought it. So no other key is sent than one that the user has just asked with. Never rejects; what
   * went wrong stands in the log.
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

  /** Keeps what the service was just seen to list. */
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

  /** A list goes with its connection, comes back with it, and stays with one that has got another name. */
  #follow(before: readonly Connection[], after: readonly Connection[]): void {
    const gone = before.filter((connection) => !hasListOf(after, connection));
    const come = after.filter((connection) => !hasListOf(before, connection));
    if (gone.length + come.length === 0) return;
    const [old] = gone;
    const isRenamed = gone.length === 1 && come.length === 1 && originOf(old) === originOf(come[0]);
    // All in one go, so that no other change comes between. What cannot be kept is asked for again.
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

  /** @param old what it was until now, where it has got another name */
  async #restoreListing(connection: Connection, old = connection): Promise<void> {
    const key = this.#taken.has(stateKey(old)) ? stateKey(old) : stateKey(connection);
    const listing = this.#taken.get(key);
    this.#taken.delete(key);
    // Another window may have been first.
    if (listing === undefined || this.#read(connection) !== undefined) return;
    // It may be another client of the same service, whose key sees other models.
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
