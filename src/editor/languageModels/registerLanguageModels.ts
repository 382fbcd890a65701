import * as vscode from "vscode";
import { languageModelVendor } from "../../contributions.ts";
import { lazy } from "../shared/lazy.ts";
import type { LanguageModels } from "./languageModels.ts";

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

/** Offers the models of the workspace's connection to the editor; all of it is loaded when the editor asks. */
export function registerLanguageModels(
  load: (onChange: () => void) => Promise<LanguageModels>,
): vscode.Disposable {
  if (!takesLanguageModels()) {
    void vscode.commands.executeCommand("setContext", contextKey, true);
    return new vscode.Disposable(() => undefined);
  }
  const changed = new vscode.EventEmitter<void>();
  const models = lazy(() => load(() => changed.fire()));
  const registration = vscode.lm.registerLanguageModelChatProvider(languageModelVendor, {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async ({ silent }, token) => (await models()).list(silent, token),
    provideLanguageModelChatResponse: async (...request) => (await models()).respond(...request),
    provideTokenCount: async (model, text) => (await models()).count(model, text),
  });
  return vscode.Disposable.from(registration, changed);
}
