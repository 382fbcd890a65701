import * as vscode from "vscode";
import { registerCheck } from "./editor/check/registerCheck.ts";
import { registerCommit } from "./editor/commit/registerCommit.ts";
import { registerConnections } from "./editor/connections/registerConnections.ts";
import { registerEdits } from "./editor/edits/registerEdits.ts";
import { registerExposedKeys } from "./editor/exposedKeys/registerExposedKeys.ts";
import type { InferenceExports } from "./editor/extensionApi/extensionApi.ts";
import { registerExtensionApi } from "./editor/extensionApi/registerExtensionApi.ts";
import { registerFiles } from "./editor/files/registerFiles.ts";
import { registerHistory } from "./editor/history/registerHistory.ts";
import { registerInPlace } from "./editor/inPlace/registerInPlace.ts";
import { registerLanguageModels } from "./editor/languageModels/registerLanguageModels.ts";
import { registerModels } from "./editor/models/registerModels.ts";
import { registerPage } from "./editor/page/registerPage.ts";
import { ConnectionHealth } from "./editor/service/connectionHealth.ts";
import { LastTextEditor } from "./editor/shared/lastTextEditor.ts";
import { lazy } from "./editor/shared/lazy.ts";
import { register } from "./editor/shared/registration.ts";
import { registerStatusBar } from "./editor/statusBar/registerStatusBar.ts";
import { KeySeal } from "./client/key/keySeal.ts";
import { readMachineName } from "./editor/workspace/settings.ts";
import { SerializedMemento } from "./editor/workspace/state.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "./editor/workspace/workspaceBinding.ts";
import { WorkspaceConnections } from "./editor/workspace/workspaceConnections.ts";

let closeServices: (() => Promise<void>) | undefined;

/** Registers all features with their dependencies. Services are loaded at first use. Sends nothing. */
export function activate(context: vscode.ExtensionContext): InferenceExports {
  KeySeal.nameMachine(readMachineName());
  const globalState = new SerializedMemento(context.globalState);
  const workspaceState = new SerializedMemento(context.workspaceState);
  const binding = new WorkspaceBinding(workspaceState);
  const connections = new WorkspaceConnections(binding, new ConnectionWorkspaces(globalState));
  const lastTextEditor = register(context, new LastTextEditor());
  const foundation = {
    globalState,
    workspaceState,
    connections: register(context, connections),
    health: register(context, new ConnectionHealth()),
    lastTextEditor,
    loadCodeActions: registerEdits(context, { lastTextEditor }),
    modelsChanged: register(context, new vscode.EventEmitter<void>()),
  };
  const load = lazy(async () => {
    const { createServices } = await import("./services.ts");
    const services = createServices(context, foundation);
    closeServices = services.close;
    return services;
  });

  const needs = { ...foundation, load };
  registerStatusBar(context, needs);
  registerConnections(context, needs);
  registerModels(context, needs);
  registerFiles(context);
  registerPage(context, needs);
  registerHistory(context, needs);
  registerInPlace(context, needs);
  registerCommit(context, needs);
  registerLanguageModels(context, needs);
  const loadChecks = registerCheck(context, needs);
  registerExposedKeys(context, { ...needs, loadChecks });
  return registerExtensionApi(context, { ...needs, loadChecks });
}

/** Saves the chats and pending writes. VS Code calls this and waits for the result. */
export async function deactivate(): Promise<void> {
  await closeServices?.();
}
