import path from "node:path";
import type { CodeServer } from "./codeServer.ts";
import { copyEditor, type EditorCopy, replaceOnce } from "./editorCopy.ts";

/** Where the extension host hands its API to extensions, and the member `lm` of it, between its neighbours. */
const file = path.join("out", "vs", "workbench", "api", "node", "extensionHostProcess.js");
const member = /(?<=\blanguages:[\w$]+,)lm:[\w$]+,(?=notebooks:)/g;

/** The same editor, as editors are that have no `vscode.lm`. */
export function copyWithoutLanguageModels(codeServer: CodeServer): Promise<EditorCopy> {
  return copyEditor(codeServer, "without-models", [{ file, change: removeModels }]);
}

function removeModels(text: string): string {
  return replaceOnce(text, member, "");
}
