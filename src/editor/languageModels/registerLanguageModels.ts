import * as vscode from "vscode";
import { languageModelVendor } from "../../contributions.ts";
import type { LanguageModels } from "./languageModels.ts";
import type { LanguageModelsOptions } from "./languageModelsOptions.ts";

/** Hides what leads to the editor's chat; set where it is missing, so that elsewhere it is there from the start. */
const contextKey = "inference.lacksLanguageModels";

/** Whether the editor takes models of extensions; older ones, and some that are made of it, do not. */
export function takesLanguageModels(): boolean {
  // The types know only editors that have it.
  const api: unknown = Reflect.get(vscode, "lm");
  return (
    typeof api === "object" &&
    api !== null &&
    typeof Reflect.get(api, "registerLanguageModelChatProvider") === "function"
  );
}

/** Offers the models of the workspace's connection to the editor; all else is loaded when it asks. */
export function registerLanguageModels(options: LanguageModelsOptions): vscode.Disposable {
  if (!takesLanguageModels()) {
    void vscode.commands.executeCommand("setContext", contextKey, true);
    return new vscode.Disposable(() => undefined);
  }
  const changed = new vscode.EventEmitter<void>();
  let loading: Promise<LanguageModels> | undefined;
  const load = (): Promise<LanguageModels> => {
    loading ??= import("./languageModels.ts").then((module) => new module.LanguageModels(options));
    return loading;
  };
  const registration = vscode.lm.registerLanguageModelChatProvider(languageModelVendor, {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async ({ silent }, token) => (await load()).list(silent, token),
    provideLanguageModelChatResponse: async (...request) => (await load()).respond(...request),
    provideTokenCount: async (model, text) => (await load()).count(model, text),
  });
  const tell = (): void => changed.fire();
  const { connections, keys, catalog, compatibility, health } = options;
  return vscode.Disposable.from(
    registration,
    changed,
    connections.onDidChange(tell),
    keys.onDidChange(tell),
    catalog.onDidChange(tell),
    health.onDidChange(tell),
    new vscode.Disposable(compatibility.listen(tell)),
    new vscode.Disposable(() => void loading?.then((models) => models.dispose())),
  );
}
