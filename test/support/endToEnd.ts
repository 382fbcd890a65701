import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { keepBrowserCaches, takeBrowserCaches } from "./browserCaches.ts";
import {
  type CodeServer,
  type CodeServerRelease,
  newestCodeServer,
  provideCodeServer,
} from "./codeServer.ts";
import type { EditorCopy } from "./editorCopy.ts";
import { copyWithoutLanguageModels } from "./editorWithoutModels.ts";
import { copyWithPagesApart, letPagesStore } from "./editorWithPagesApart.ts";
import { placeEmptyLanguagePack } from "./emptyLanguagePack.ts";
import { createEditorFolders, type EditorFolders } from "./editorFolders.ts";
import { assertNoKeysLeft } from "./keysLeft.ts";
import { installExtension, startEditorServer, type EditorServer } from "./editorServer.ts";
import { packagedExtension } from "./packageExtension.ts";
import { sampleWorkspace } from "./paths.ts";
import { placeExtension } from "./placeExtension.ts";
import { removeStart } from "./removeStart.ts";
import { Workbench } from "./workbench/workbench.ts";

/** Environment variable with the folder of the installed extension. */
export const extensionsVariable = "INFERENCE_CHAT_TEST_EXTENSIONS";

export interface EditorOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment variables for the extension, such as one with a key. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly workspaceTrust?: boolean;
  readonly log?: "trace";
  /** The editor; by default the newest. */
  readonly release?: CodeServerRelease;
  /** False for an editor whose API has no `vscode.lm`. */
  readonly languageModels?: boolean;
  /** Whether pages have their own process, as in the desktop editor; otherwise they share the process of the window. */
  readonly pagesApart?: boolean;
  /** Adds files to the workspace before the workspace is opened. */
  readonly prepareWorkspace?: (folder: string) => Promise<void>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Whether to record the messages of webviews, so that a test can search them; each message takes time. */
  readonly recordMessages?: boolean;
  /** Whether the editor animates as it does for a user; needed for measurements. */
  readonly motion?: boolean;
  /** 2 for a zoom of 200%. */
  readonly zoom?: number;
  /** The editor's language, such as `de`; VS Code's own texts remain English. */
  readonly language?: string;
  /** Whether to install the package into a new editor, like a user; that takes seconds. */
  readonly fresh?: boolean;
  /** Whether to search all written files for keys at the end; only for tests that write no keys themselves. */
  readonly searchesForKeys?: boolean;
  /** False if our extension starts only on demand; otherwise it also starts after VS Code's own start. */
  readonly startsByItself?: boolean;
  /** Folders of more extensions, unpacked, to install beside ours. */
  readonly furtherExtensions?: readonly string[];
}

/** A real editor with the packaged extension. Its window shows a copy of the sample workspace. */
export interface Editor {
  readonly workbench: Workbench;
  readonly server: EditorServer;
  /** All folders that the editor and the browser write to. */
  readonly folders: EditorFolders;
  /** Absolute path of the open folder. */
  readonly workspace: string;
}

/** Starts an editor for a test or a group of tests. Disposing ends everything that was started. */
export async function openEditor(options: EditorOptions = {}): Promise<Editor & AsyncDisposable> {
  const extensions = process.env[extensionsVariable];
  if (extensions === undefined) throw new Error("Run the end-to-end tests with `npm run test:e2e`.");
  const settings = options.settings ?? {};
  await using started = new AsyncDisposableStack();
  const isFresh = options.fresh === true;
  const folders = started.use(await createEditorFolders(isFresh ? { settings } : { settings, extensions }));
  if (options.searchesForKeys === true) started.defer(() => assertNoKeysLeft(folders.root));
  if (options.language !== undefined) await placeEmptyLanguagePack(folders, options.language);
  if (options.startsByItself === false) await removeStart(folders.extensions);
  for (const further of options.furtherExtensions ?? []) await placeExtension(folders.extensions, further);
  const workspace = path.join(folders.root, "workspace");
  await mkdir(workspace);
  await cp(sampleWorkspace, workspace, { recursive: true });
  await options.prepareWorkspace?.(workspace);
  const { release = newestCodeServer } = options;
  const provided = await provideCodeServer(release);
  if (isFresh) await installExtension(provided, folders, packagedExtension);
  const changed = await changedEditor(provided, options);
  const codeServer = changed === undefined ? provided : started.use(changed);
  const server = started.use(
    await startEditorServer(codeServer, folders, {
      ...(options.environment === undefined ? {} : { environment: options.environment }),
      workspaceTrust: options.workspaceTrust === true,
      ...(options.language !== undefined && { language: options.language }),
      ...(options.log === undefined ? {} : { log: options.log }),
    }),
  );
  const { viewport, zoom, recordMessages = false, motion = false } = options;
  // A changed or older editor has other scripts at the same URLs, so it must not use the same caches.
  if (changed === undefined && release === newestCodeServer) {
    await takeBrowserCaches(folders.browser);
    started.defer(() => keepBrowserCaches(folders.browser));
  }
  if (options.pagesApart === true) await letPagesStore(folders.browser);
  const workbench = started.use(
    await Workbench.open({
      server,
      folders,
      workspace,
      settings,
      recordMessages,
      motion,
      ...(viewport && { viewport }),
      ...(zoom !== undefined && { zoom }),
    }),
  );
  const owned = started.move();
  return { workbench, server, folders, workspace, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function changedEditor(
  provided: CodeServer,
  { languageModels, pagesApart }: EditorOptions,
): Promise<EditorCopy | undefined> {
  if (languageModels === false) return copyWithoutLanguageModels(provided);
  return pagesApart === true ? copyWithPagesApart(provided) : undefined;
}
