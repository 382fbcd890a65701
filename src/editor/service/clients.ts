import * as vscode from "vscode";
import type { Asker } from "../../chat/requests/requestRecord.ts";
import type { InferenceError } from "../../client/failure/failure.ts";
import type { RequestSecrets } from "../../client/key/apiKey.ts";
import type { CallRecord } from "../../client/request/call.ts";
import type { ConnectionFacts, ConnectionObserver } from "../../client/transport/connectionRecorder.ts";
import type { InferenceClient } from "../../client/request/inferenceClient.ts";
import type { RequestMemory } from "../../client/request/requestMemory.ts";
import { answerLimits, listLimits } from "../../client/http/transport.ts";
import type { Transport, Route } from "../../client/http/transport.ts";
import { type Connection, requireAddress } from "../../connection/setup/connection.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import { settingKeys, settingSection } from "../../contributions.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import type { ConnectionHealth } from "./connectionHealth.ts";
import { readNetworkSettings, readTransportSetting } from "./networkSettings.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** Settings that the transport depends on. */
const networkSections = ["http", `${settingSection}.${settingKeys.transport}`];

/** Loads the modules that send requests to a service when the first request is made. */
async function loadClientModules() {
  const [{ ConnectionRecorder }, { diagnose }, { InferenceClient }, { createTransport }] = await Promise.all([
    import("../../client/transport/connectionRecorder.ts"),
    import("../../connection/diagnosis/diagnosis.ts"),
    import("../../client/request/inferenceClient.ts"),
    import("../../client/transport/createTransport.ts"),
  ]);
  return { ConnectionRecorder, createTransport, diagnose, InferenceClient };
}

type ClientModules = Awaited<ReturnType<typeof loadClientModules>>;

/** Access to a connection's service: its client and its diagnosis. */
export interface Service {
  /** Uses the memory of all requests unless another one is given. */
  readonly createClient: (key: RequestSecrets, asker: Asker, memory?: RequestMemory) => InferenceClient;
  readonly diagnose: (error: InferenceError) => Diagnosis;
}

/** Access to a service over new network connections, which are recorded. */
export interface FreshService extends Pick<Service, "diagnose"> {
  readonly createClient: (key: RequestSecrets) => InferenceClient;
  readonly readConnectionFacts: () => ConnectionFacts;
  readonly close: () => void;
}

/** The sender of a request, with its connection and key. */
export interface RequestSender {
  readonly asker: Asker;
  readonly connection: Connection;
  readonly key: RequestSecrets;
}

export interface ClientsOptions {
  readonly connections: WorkspaceConnections;
  readonly keys: ApiKeyStore;
  readonly health: ConnectionHealth;
  readonly userAgent: string;
  readonly onCall: (record: CallRecord, sender: RequestSender) => void;
  /** Remembers which request format each service accepts. */
  readonly memory: RequestMemory;
}

/** Creates clients for connections. All clients share one transport, which is replaced when network settings change. */
export class Clients implements vscode.Disposable {
  readonly #options: ClientsOptions;
  readonly #subscription: vscode.Disposable;
  #transport: Transport | undefined;

  constructor(options: ClientsOptions) {
    this.#options = options;
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (networkSections.some((section) => event.affectsConfiguration(section))) this.#closeTransport();
    });
  }

  /** @param model the model of the request; by default the model that the workspace uses now */
  async serviceOf(connection: Connection, model?: string): Promise<Service> {
    const modules = await loadClientModules();
    return {
      createClient: (key, asker, memory) =>
        this.#createClient(modules, { asker, connection, key }, this.#currentTransport(modules), memory),
      diagnose: (error) => this.#diagnose(modules, connection, error, model),
    };
  }

  /**
   * Opens new network connections, so that the check sees how they are established. The caller must close the result.
   */
  async freshServiceOf(connection: Connection, asker: Asker): Promise<FreshService> {
    const modules = await loadClientModules();
    const recorder = new modules.ConnectionRecorder();
    const transport = newTransport(modules, recorder);
    return {
      createClient: (key) => this.#createClient(modules, { asker, connection, key }, transport),
      diagnose: (error) => this.#diagnose(modules, connection, error),
      readConnectionFacts: () => recorder.facts,
      close: () => void transport.close().catch(() => undefined),
    };
  }

  /** @throws InferenceError if the connection has no usable base URL or key */
  async clientOf(connection: Connection, asker: Asker): Promise<InferenceClient> {
    const service = await this.serviceOf(connection);
    return service.createClient(await this.#options.keys.readCredentials(connection), asker);
  }

  /** The route of the connection's requests; undefined if its base URL is not usable. */
  async routeOf({ address }: Connection): Promise<Route | undefined> {
    if (address.kind === "problem") return undefined;
    return this.#sharedTransport(await loadClientModules()).routeFor(address.address.modelsUrl);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#closeTransport();
  }

  #createClient(
    modules: ClientModules,
    sender: RequestSender,
    transport: Transport,
    memory = this.#options.memory,
  ): InferenceClient {
    const { userAgent, onCall } = this.#options;
    return new modules.InferenceClient({
      transport,
      address: requireAddress(sender.connection),
      key: sender.key,
      limits: answerLimits,
      listLimits,
      userAgent,
      onCall: (record) => onCall(record, sender),
      memory,
    });
  }

  /** Looks up the shared transport for each request, because it may be replaced while a client is in use. */
  #currentTransport(modules: ClientModules): Transport {
    return {
      send: (...request) => this.#sharedTransport(modules).send(...request),
      routeFor: (url) => this.#sharedTransport(modules).routeFor(url),
      close: () => Promise.resolve(),
    };
  }

  #sharedTransport(modules: ClientModules): Transport {
    this.#transport ??= newTransport(modules);
    return this.#transport;
  }

  #diagnose(
    modules: ClientModules,
    connection: Connection,
    error: InferenceError,
    model = this.#options.connections.modelFor(connection),
  ): Diagnosis {
    const { health } = this.#options;
    const context = {
      model,
      now: Date.now(),
      keyHistory: health.keyHistoryOf(connection.name),
      ...(connection.address.kind === "address" ? { origin: connection.address.address.origin } : {}),
      ...(connection.keyVariable === undefined ? {} : { keyVariable: connection.keyVariable }),
      ...(connection.expires === undefined ? {} : { expires: connection.expires }),
    };
    return modules.diagnose(error, context, vscode.l10n.t);
  }

  #closeTransport(): void {
    const transport = this.#transport;
    this.#transport = undefined;
    // Pending requests on the old transport still finish. Nothing waits for them here.
    transport?.close().catch(() => undefined);
  }
}

function newTransport(modules: ClientModules, observer?: ConnectionObserver): Transport {
  return modules.createTransport(
    readTransportSetting(),
    readNetworkSettings(),
    // Look up `fetch` for each request: VS Code replaces Node's function with its own.
    (url, options) => fetch(url, options),
    observer,
  );
}

/** The evidence that a model takes no images, if a request of the chat has shown it. */
export function refusedImageText(): string {
  return vscode.l10n.t("The service refused a request with an image.");
}
