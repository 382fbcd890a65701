import { provideBrowser } from "./browser.ts";
import { provideCodeServer } from "./codeServer.ts";
import { createEditorFolders, type EditorFolders } from "./editorFolders.ts";
import { installExtension } from "./editorServer.ts";
import { packageExtension } from "./packageExtension.ts";

/** Packages the extension and installs it into new folders. Editors copy these folders. */
export async function installPackagedExtension(): Promise<EditorFolders> {
  const packageFile = await packageExtension();
  const codeServer = await provideCodeServer();
  await provideBrowser();
  const folders = await createEditorFolders({});
  try {
    await installExtension(codeServer, folders, packageFile);
    return folders;
  } catch (error) {
    await folders[Symbol.asyncDispose]();
    throw error;
  }
}
