/** What serves the editor's own chat, in one piece: the models and the way to them. */
export { languageModelCommands } from "./languageModelCommands.ts";
export { LanguageModels } from "./languageModels.ts";
