import * as vscode from "vscode";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { CheckConsents } from "../check/checkConsents.ts";
import type { CheckRuns } from "../check/checkRuns.ts";
import type { ModelSources } from "../models/registerModels.ts";
import { lazy } from "../shared/lazy.ts";
import { type Loading, register } from "../shared/registration.ts";
import type { InferenceApi, InferenceExports } from "./extensionApi.ts";

interface CheckParts {
  readonly runs: CheckRuns;
  readonly consents: CheckConsents;
}

interface ExtensionApiNeeds extends Loading<ModelSources> {
  readonly connections: WorkspaceConnections;
  readonly modelsChanged: vscode.EventEmitter<void>;
  readonly loadChecks: () => Promise<CheckParts>;
}

export type ExtensionCallNeeds = ModelSources & CheckParts;

/** Returns the API for other extensions. Its implementation is loaded at the first call. */
export function registerExtensionApi(
  context: vscode.ExtensionContext,
  { connections, modelsChanged, load, loadChecks }: ExtensionApiNeeds,
): InferenceExports {
  const calls = lazy(async () => {
    const { extensionCalls } = await import("./extensionCalls.ts");
    return extensionCalls({ ...(await load()), ...(await loadChecks()) });
  });
  register(
    context,
    connections.onDidChange(() => modelsChanged.fire()),
  );
  const api: InferenceApi = Object.freeze({
    version: 1,
    checkConnection: async (options?: unknown) => (await calls()).check(options),
    listModels: async (options?: unknown) => (await calls()).list(options),
    onDidChangeModels: modelsChanged.event,
  });
  return Object.freeze({
    getAPI: (version: unknown) => {
      if (version === 1) return api;
      throw new Error(vscode.l10n.t("Inference Chat only supports version 1 of its API."));
    },
  });
}
