import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Everything one run of an editor writes to, under one root that is removed with it. */
export interface EditorFolders extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly userData: string;
  readonly serverData: string;
  readonly extensions: string;
  readonly temporary: string;
  /** The browser's profile: the page's local storage and databases. */
  readonly browser: string;
  /** Replaces the person's settings; an open window has them after a reload. */
  writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Settings under which an editor keeps quiet: no welcome page, no look-ups, no questions of its own. */
const quietSettings: Readonly<Record<string, unknown>> = {
  // The editor in the browser would save by itself, which ends a step of undo. The one on the desktop does not.
  "files.autoSave": "off",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
  "editor.accessibilitySupport": "off",
  // A window that brings the view back may select its tab between a look at it and a click, which would hide it.
  "workbench.activityBar.iconClickBehavior": "focus",
};

/**
 * Creates fresh folders in the system's temporary folder, where the paths of sockets stay short.
 * `extensions` is a folder of installed extensions to begin with.
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
      // At once: where an open window reads a file half written, it finds settings gone that want a restart, and asks.
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

/** While this process exits, when the browser may still be writing its last. */
function removeNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The system's temporary folder is emptied by the system.
  }
}
