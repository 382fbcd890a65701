import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { keepBrowserCaches, takeBrowserCaches } from "./browserCaches.ts";
import { type CodeServer, provideCodeServer } from "./codeServer.ts";
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

/** Names the folder in which the extension stands installed. */
export const extensionsVariable = "INFERENCE_CHAT_TEST_EXTENSIONS";

export interface EditorOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Variables that the extension sees, such as the one that holds a key. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly workspaceTrust?: boolean;
  /** How much the editor and its extensions log. */
  readonly log?: "trace";
  /** False for an editor whose API has no `vscode.lm`. */
  readonly languageModels?: boolean;
  /** True where pages have a process of their own, as on a desktop; otherwise they share the window's. */
  readonly pagesApart?: boolean;
  /** Puts files into the workspace before it is opened. */
  readonly prepareWorkspace?: (folder: string) => Promise<void>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** True where what goes to and from webviews is searched; each message costs. */
  readonly recordMessages?: boolean;
  /** True where what is measured shall move as it does for a person. */
  readonly motion?: boolean;
  /** 2 for a window at 200%. */
  readonly zoom?: number;
  /** The editor's language, such as `de`; its own texts remain English. */
  readonly language?: string;
  /** True where the package is installed into an editor of its own, as a person does, which takes seconds. */
  readonly fresh?: boolean;
  /** True where all that was written is searched for keys at the end; for tests that themselves write none. */
  readonly searchesForKeys?: boolean;
  /** False where our extension begins only when something asks for it; otherwise also behind the editor's start. */
  readonly startsByItself?: boolean;
  /** Folders of further extensions, unpacked, that stand beside ours. */
  readonly furtherExtensions?: readonly string[];
}

/** A real editor with the packaged extension, its window open on a copy of the sample workspace. */
export interface Editor {
  readonly workbench: Workbench;
  readonly server: EditorServer;
  /** All that the editor and the browser write to. */
  readonly folders: EditorFolders;
  /** Absolute path of the open folder. */
  readonly workspace: string;
}

/** Starts an editor of its own for a test or a group of tests; dispose it to end all of it. */
export async function openEditor(options: EditorOptions = {}): Promise<Editor & AsyncDisposable> {
  const extensions = process.env[extensionsVariable];
  if (extensions === undefined) throw new Error("Run the end-to-end tests by `npm run test:e2e`.");
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
  const provided = await provideCodeServer();
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
  // An editor that was changed has other scripts under the same addresses.
  if (changed === undefined) {
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
