import { commandIds } from "../../contributions.ts";
import type { CommandTable } from "../shared/commandGroups.ts";
import type { LanguageModelServices } from "./requestedModel.ts";
import { manageConnections } from "./manageConnections.ts";
import { useInEditorChat } from "./useInEditorChat.ts";

/** The way into the editor's own chat, and the way back from its list of models to our connections. */
export function languageModelCommands(options: LanguageModelServices): CommandTable<"languageModel"> {
  return {
    [commandIds.useInEditorChat]: () => useInEditorChat(options),
    [commandIds.manageConnections]: () => manageConnections(options.connections),
  };
}
