/** All that gathers what goes along with a question, in one piece, since its kinds stand on the same parts. */
export { gatherChosenFile, gatherChosenFolder, gatherChosenImage } from "./chosenFiles.ts";
export { gatherDiff } from "./gitContext.ts";
export { gatherData, gatherText, refuseData, refuseRest } from "./pageData.ts";
export { gatherFileProblems, gatherWorkspaceProblems } from "./problemsContext.ts";
export { gatherSearch } from "./searchContext.ts";
export { gatherSelection } from "./selectionContext.ts";
export { gatherSymbol } from "./symbolContext.ts";
export { gatherTerminal } from "./terminalContext.ts";
export { gatherUris } from "./uriContext.ts";
export { gatherSelected, gatherSubject } from "../prompts/promptSubject.ts";
export { usePromptFile } from "../prompts/usePromptFile.ts";
