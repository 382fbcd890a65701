import * as vscode from "vscode";
import { contextKeys, languageModelVendor } from "../../contributions.ts";
import type { ChatServices } from "../chat/chatTarget.ts";
import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import type { RequestLog } from "../service/requestLog.ts";
import { lazy } from "../shared/lazy.ts";
import { type Loading, register, registerCommands, setContext } from "../shared/registration.ts";

/** What models for the editor's own chat, and for other extensions, are made of. */
export interface LanguageModelServices extends ChatServices {
  readonly keys: ApiKeyStore;
  readonly compatibility: CompatibilityStore;
  readonly log: RequestLog;
}

/** Whether the editor takes models of extensions; older ones, and some that are made of it, do not. */
function takesLanguageModels(): boolean {
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
