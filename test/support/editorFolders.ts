import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** All folders that one run of an editor writes to. Disposing removes them. */
export interface EditorFolders extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly userData: string;
  readonly serverData: string;
  readonly extensions: string;
  readonly temporary: string;
  /** The browser's profile: the page's local storage and databases. */
  readonly browser: string;
  /** Replaces the user settings; an open window applies them after a reload. */
  writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Settings without a welcome page, network requests or prompts. */
const quietSettings: Readonly<Record<string, unknown>> = {
  // VS Code in a browser saves by itself, which ends an undo step. The desktop editor does not.
  "files.autoSave": "off",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  // One language server, without types from the npm registry: no test needs TypeScript's own errors.
  "typescript.tsserver.useSyntaxServer": "always",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
  "editor.accessibilitySupport": "off",
  // A reloaded window may select the tab of the view between a check and a click. By default, that click would hide
  // the view.
  "workbench.activityBar.iconClickBehavior": "focus",
};

/**
 * Creates new folders in the system's temporary folder, so that the paths of sockets stay short. `extensions` is a
 * folder of installed extensions to copy.
 */
export async function createEditorFolders(options: {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly extensions?: string;
}): Promise<EditorFolders> {
  const root = await mkdtemp(path.join(tmpdir(), "inference-chat-"));
  const names = { home: "home", userData: "user", serverData: "server", extensions: "extensions" };
  const inRoot = (name: string) => path.join(root, name);
  const removeWithThisProcess = () => removeNow(root);
  process.once("exit", removeWithThisProcess);
  const folders: EditorFolders = {
    root,
    home: inRoot(names.home),
    userData: inRoot(names.userData),
    serverData: inRoot(names.serverData),
    extensions: inRoot(names.extensions),
    temporary: inRoot("tmp"),
    browser: inRoot("browser"),
    async writeSettings(settings) {
      const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
      const file = path.join(root, names.userData, "User", "settings.json");
      // Replaces the file at once. If an open window reads a partial file, it misses settings that need a restart,
      // and asks the user.
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    },
    async [Symbol.asyncDispose]() {
      await rm(root, { recursive: true, force: true, maxRetries: 3 });
      process.off("exit", removeWithThisProcess);
    },
  };
  for (const folder of [folders.home, folders.serverData, folders.temporary, folders.browser]) {
    await mkdir(folder);
  }
  await mkdir(path.join(folders.userData, "User"), { recursive: true });
  if (options.extensions === undefined) await mkdir(folders.extensions);
  else await cp(options.extensions, folders.extensions, { recursive: true });
  await folders.writeSettings(options.settings ?? {});
  return folders;
}

/** Runs while this process exits; the browser may still be writing. */
function removeNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The system itself cleans its temporary folder.
  }
}
