import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { EditorFolders } from "./editorFolders.ts";

/**
 * Registers a language pack without translations. The editor then uses that language, but only the extension has
 * translated texts. The file has the editor's own format for installed language packs.
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
