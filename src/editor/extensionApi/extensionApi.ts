/**
 * What Inference Chat offers to other extensions. This file imports nothing but the editor's types, so that
 * it can be copied into an extension that uses it:
 *
 *     const extension = vscode.extensions.getExtension<InferenceExports>("inference-chat.inference-chat");
 *     const api = (await extension?.activate())?.getAPI(1);
 *
 * Nothing here ever holds a key. All objects are frozen copies. Promises reject with an `Error` whose
 * `message` is the diagnosis for people and whose `cause` is the id of the cause, such as `invalid-key`.
 */
import type { Event } from "vscode";

/** What the extension's `activate` resolves to. */
export interface InferenceExports {
  /** @throws Error for a version that this extension does not have */
  getAPI(version: 1): InferenceApi;
}

/** Version 1. It may get further members; none is renamed or removed. */
export interface InferenceApi {
  readonly version: 1;
  /**
   * Checks a connection. A step that fails is no rejection: it stands in the result.
   *
   * With `billable` the user is asked, unless they agreed to it for this connection before; where they
   * want the free steps only, only those are made, and where they want no check it rejects with the cause
   * `cancelled`. Without it nothing is billed, and `ok` is false: the free steps prove no key.
   */
  checkConnection(options?: CheckConnectionOptions): Promise<CheckedConnection>;
  /** Asks the service for its models. Free of charge. */
  listModels(options?: ListModelsOptions): Promise<ListedModels>;
  /** Fires when a list of models was had or forgotten, or the workspace uses something else. */
  readonly onDidChangeModels: Event<void>;
}

interface ListModelsOptions {
  /** Name of a connection; by default the one that the workspace uses. */
  readonly connection?: string;
}

interface CheckConnectionOptions extends ListModelsOptions {
  /** False by default. */
  readonly billable?: boolean;
}

/** The same as the command `inference.checkConnection` resolves to. */
export interface CheckedConnection {
  /** True only when every request of the check had a success status. */
  readonly ok: boolean;
  readonly connection: string;
  readonly clientStyle: "chat-completions" | "messages";
  readonly model: string;
  /** ISO 8601. */
  readonly at: string;
  readonly steps: readonly CheckedStep[];
}

interface CheckedStep {
  readonly id: "address" | "key" | "network" | "models" | "completion" | "message";
  readonly ok: boolean;
  readonly skipped?: boolean;
  /** Milliseconds. */
  readonly ms: number;
  readonly status?: number;
  readonly requestId?: string;
  /** Id of the cause, where it failed. */
  readonly cause?: string;
  readonly detail?: string;
}

/** The same as the command `inference.listModels` resolves to. */
export interface ListedModels {
  readonly connection: string;
  readonly models: readonly ListedModel[];
}

interface ListedModel {
  readonly id: string;
  readonly name?: string;
  /** Tokens of question and answer together. */
  readonly contextWindow?: number;
  /** Tokens of one answer. */
  readonly maxOutputTokens?: number;
  readonly ownedBy?: string;
}
