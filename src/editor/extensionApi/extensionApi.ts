/**
 * The API that Inference Chat offers to other extensions. To use it, copy this file into your extension. The file
 * imports only VS Code's types. Then get the API:
 *
 *     const extension = vscode.extensions.getExtension<InferenceExports>("inference-chat.inference-chat");
 *     const api = (await extension?.activate())?.getAPI(1);
 *
 * The API never exposes a key. All objects are frozen copies. Promises reject with an `Error`:
 * its `message` is the diagnosis for users, its `cause` is the ID of the cause, such as `invalid-key`.
 */
import type { Event } from "vscode";

/** The value that the extension's `activate` resolves to. */
export interface InferenceExports {
  /** @throws Error if the extension does not have this version */
  getAPI(version: 1): InferenceApi;
}

/** Version 1 of the API. Members can be added, but not renamed or removed. */
export interface InferenceApi {
  readonly version: 1;
  /**
   * Checks a connection. A failed step does not reject: the result contains it.
   *
   * With `billable`, asks the user for consent, unless they have already agreed for this connection.
   * If the user selects the free steps, runs only those. Rejects with the cause `cancelled` if the user cancels.
   * Without `billable`, costs nothing and `ok` is false, because free steps cannot verify a key.
   */
  checkConnection(options?: CheckConnectionOptions): Promise<CheckedConnection>;
  /** Requests the service's list of models, free of charge. */
  listModels(options?: ListModelsOptions): Promise<ListedModels>;
  /** Fires when a list of models was received or removed, or when the workspace's selection changes. */
  readonly onDidChangeModels: Event<void>;
}

interface ListModelsOptions {
  /** Name of a connection. Defaults to the workspace's connection. */
  readonly connection?: string;
}

interface CheckConnectionOptions extends ListModelsOptions {
  /** Defaults to false. */
  readonly billable?: boolean;
}

/** The type that the command `inference.checkConnection` resolves to. */
export interface CheckedConnection {
  /** True only if every request of the check had a success status. */
  readonly ok: boolean;
  readonly connection: string;
  readonly clientStyle: "chat-completions" | "messages";
  readonly model: string;
  /** Start of the check, as an ISO 8601 string. */
  readonly at: string;
  readonly steps: readonly CheckedStep[];
}

interface CheckedStep {
  readonly id: "address" | "key" | "network" | "models" | "completion" | "message";
  readonly ok: boolean;
  readonly skipped?: boolean;
  /** Duration in milliseconds. */
  readonly ms: number;
  readonly status?: number;
  readonly requestId?: string;
  /** The cause's ID if the step failed. */
  readonly cause?: string;
  readonly detail?: string;
}

/** The type that the command `inference.listModels` resolves to. */
export interface ListedModels {
  readonly connection: string;
  readonly models: readonly ListedModel[];
}

interface ListedModel {
  readonly id: string;
  readonly name?: string;
  /** Maximum number of tokens of question and answer together. */
  readonly contextWindow?: number;
  /** Maximum number of tokens of one answer. */
  readonly maxOutputTokens?: number;
  readonly ownedBy?: string;
  /** Whether the list says that the model takes a reasoning effort. */
  readonly takesEffort?: boolean;
}
