import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { EditorFolders } from "./editorFolders.ts";

/**
 * Tells the editor of a language pack that translates nothing: so it takes itself for being in that language, and
 * what is in it are the extension's texts. The form is the editor's own, that of a pack which was installed.
 */
export async function placeEmptyLanguagePack({ userData }: EditorFolders, language: string): Promise<void> {
  const translations = path.join(userData, "translations.json");
  await writeFile(translations, JSON.stringify({ contents: {} }));
  const pack = {
    hash: "empty",
    label: language,
    extensions: [{ extensionIdentifier: { id: "inference-chat.empty-language-pack" }, version: "1.0.0" }],
    translations: { vscode: translations },
  };
  await writeFile(path.join(userData, "languagepacks.json"), JSON.stringify({ [language]: pack }));
}
