import { commandIds } from "../../contributions.ts";
import type { CommandTable } from "../commands/commandGroups.ts";
import type { LanguageModelsOptions } from "./languageModelsOptions.ts";

/** The way into the editor's own chat, and the way back from its list of models to our connections. */
export function languageModelCommands(options: LanguageModelsOptions): CommandTable<"languageModel"> {
  return {
    [commandIds.useInEditorChat]: async () => (await import("./useInEditorChat.ts")).useInEditorChat(options),
    [commandIds.manageConnections]: async () =>
      (await import("./manageConnections.ts")).manageConnections(options.connections),
  };
}
