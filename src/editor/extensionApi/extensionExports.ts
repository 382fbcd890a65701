import * as vscode from "vscode";
import type { InferenceApi, InferenceExports } from "./extensionApi.ts";
import type { ExtensionCalls } from "./extensionCalls.ts";

/** What other extensions get; what answers is read with their first call. */
export class ExtensionExports implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly exports: InferenceExports;

  constructor(load: () => Promise<ExtensionCalls>) {
    const api: InferenceApi = Object.freeze({
      version: 1,
      checkConnection: async (options?: unknown) => (await load()).check(options),
      listModels: async (options?: unknown) => (await load()).list(options),
      onDidChangeModels: this.#changed.event,
    });
    this.exports = Object.freeze({
      getAPI: (version: unknown) => {
        if (version === 1) return api;
        throw new Error(vscode.l10n.t("Inference Chat offers version 1 of its interface only."));
      },
    });
  }

  /** To be called when a list of models, or what the workspace uses, is another one. */
  modelsChanged(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
