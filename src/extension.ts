import * as vscode from "vscode";
import { chatEditorType, viewId } from "./contributions.ts";
import { registerCommands } from "./editor/commands/registerCommands.ts";
import { ConnectionHealth } from "./editor/service/connectionHealth.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "./editor/workspace/workspaceBinding.ts";
import type { InferenceExports } from "./editor/extensionApi/extensionApi.ts";
import { ExtensionExports } from "./editor/extensionApi/extensionExports.ts";
import { registerInPlaceCodeActions } from "./editor/inPlace/inPlaceCodeActions.ts";
import { registerLanguageModels } from "./editor/languageModels/registerLanguageModels.ts";
import { LastTextEditor } from "./editor/shared/lastTextEditor.ts";
import { lazy } from "./editor/shared/lazy.ts";
import { SerializedMemento } from "./editor/workspace/state.ts";
import { StatusBar } from "./editor/statusBar/statusBar.ts";
import { WorkspaceConnections } from "./editor/workspace/workspaceConnections.ts";
import type { Services } from "./services.ts";

/** Milliseconds after the start, when the editor is done with its own. */
const watchTime = 1_000;

let closeServices: (() => Promise<void>) | undefined;

/** Registers what the editor asks for; what answers is read when it asks. Nothing is sent. */
export function activate(context: vscode.ExtensionContext): InferenceExports {
  const register = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const globalState = new SerializedMemento(context.globalState);
  const connections = register(
    new WorkspaceConnections(
      new WorkspaceBinding(context.workspaceState),
      new ConnectionWorkspaces(globalState),
    ),
  );
  const health = register(new ConnectionHealth());
  const lastTextEditor = register(new LastTextEditor());
  const load = lazy(async (): Promise<Services> => {
    const { composeServices } = await import("./services.ts");
    const services = composeServices({
      context,
      globalState,
      connections,
      health,
      lastTextEditor,
      onModelsChanged: () => offered.modelsChanged(),
      register,
    });
    closeServices = services.close;
    return services;
  });

  const offered = register(new ExtensionExports(async () => (await load()).extensionCalls()));
  register(connections.onDidChange(() => offered.modelsChanged()));
  register(new StatusBar(connections, health));
  register(registerCommands(load));
  register(registerInPlaceCodeActions());
  register(registerLanguageModels(async (onChange) => (await load()).loadLanguageModels(onChange)));
  register(
    vscode.window.registerWebviewViewProvider(viewId, {
      resolveWebviewView: async (view) => (await load()).view.resolveWebviewView(view),
    }),
  );
  register(
    vscode.window.registerWebviewPanelSerializer(chatEditorType, {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await load()).editors.deserializeWebviewPanel(panel, state),
    }),
  );
  register(
    vscode.window.registerUriHandler({
      handleUri: async (uri) => (await load()).openLink(uri),
    }),
  );
  const watching = setTimeout(() => {
    load()
      .then((services) => services.watch())
      .catch(() => undefined);
  }, watchTime);
  register({ dispose: () => clearTimeout(watching) });
  return offered.exports;
}

/** Waited for by the editor: what has arrived is written down. */
export async function deactivate(): Promise<void> {
  await closeServices?.();
}
