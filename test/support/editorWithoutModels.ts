import path from "node:path";
import type { CodeServer } from "./codeServer.ts";
import { copyEditor, type EditorCopy, replaceOnce } from "./editorCopy.ts";

/** The file in which the extension host creates its API, and the member `lm` between the members beside it. */
const file = path.join("out", "vs", "workbench", "api", "node", "extensionHostProcess.js");
const member = /(?<=\blanguages:[\w$]+,)lm:[\w$]+,(?=notebooks:)/g;

/** Copies the editor without `vscode.lm`, which some editors lack. */
export function copyWithoutLanguageModels(codeServer: CodeServer): Promise<EditorCopy> {
  return copyEditor(codeServer, "without-models", [{ file, change: removeModels }]);
}

function removeModels(text: string): string {
  return replaceOnce(text, member, "");
}
