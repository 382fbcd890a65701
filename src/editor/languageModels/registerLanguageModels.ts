import * as vscode from "vscode";
import { contextKeys, languageModelVendor } from "../../contributions.ts";
import type { ChatServices } from "../chat/chatTarget.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import type { RequestLog } from "../service/requestLog.ts";
import { lazy } from "../shared/lazy.ts";
import { type Loading, register, registerCommands, setContext } from "../shared/registration.ts";

/** The services for models in VS Code's own chat and for other extensions. */
export interface LanguageModelServices extends ChatServices {
  readonly keys: ApiKeyStore;
  readonly compatibility: CompatibilityStore;
  readonly log: RequestLog;
}

/** Whether VS Code accepts models from extensions. Older versions and some editors built on it do not. */
function takesLanguageModels(): boolean {
  // The types assume that `vscode.lm` exists.
  const api: unknown = Reflect.get(vscode, "lm");
  return (
    typeof api === "object" &&
    api !== null &&
    typeof Reflect.get(api, "registerLanguageModelChatProvider") === "function"
  );
}

/** Registers the models of the workspace's connection. Loads the code for them when VS Code asks. */
export function registerLanguageModels(
  context: vscode.ExtensionContext,
  { load }: Loading<LanguageModelServices>,
): void {
  const isOffered = takesLanguageModels();
  registerCommands(context, "languageModels", async () => {
    const { languageModelCommands } = await import("./languageModelCommands.ts");
    return languageModelCommands(await load(), isOffered);
  });
  if (!isOffered) {
    setContext(contextKeys.lacksLanguageModels, true);
    return;
  }
  const changed = register(context, new vscode.EventEmitter<void>());
  const models = lazy(async () => {
    const { LanguageModels } = await import("./languageModels.ts");
    return register(context, new LanguageModels(await load(), () => changed.fire()));
  });
  register(
    context,
    vscode.lm.registerLanguageModelChatProvider(languageModelVendor, {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: async ({ silent }, token) => (await models()).list(silent, token),
      provideLanguageModelChatResponse: async (...request) => (await models()).respond(...request),
      provideTokenCount: async (model, text) => (await models()).count(model, text),
    }),
  );
}
