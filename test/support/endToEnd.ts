import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { provideCodeServer } from "./codeServer.ts";
import { copyWithoutLanguageModels } from "./editorWithoutModels.ts";
import { createEditorFolders, type EditorFolders } from "./editorFolders.ts";
import { startEditorServer, type EditorServer } from "./editorServer.ts";
import { sampleWorkspace } from "./paths.ts";
import { placeExtension } from "./placeExtension.ts";
import { Workbench } from "./workbench/workbench.ts";

/** Names the folder in which the extension stands installed. */
export const extensionsVariable = "INFERENCE_CHAT_TEST_EXTENSIONS";

export interface EditorOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Variables that the extension sees, such as the one that holds a key. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly workspaceTrust?: boolean;
  /** False for an editor whose API has no `vscode.lm`. */
  readonly languageModels?: boolean;
  /** Puts files into the workspace before it is opened. */
  readonly prepareWorkspace?: (folder: string) => Promise<void>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** False where the recording of messages to webviews would cost what is measured. */
  readonly recordMessages?: boolean;
  /** True where what is measured shall move as it does for a person. */
  readonly motion?: boolean;
  /** 2 for a window at 200%. */
  readonly zoom?: number;
  /** Folders of further extensions, unpacked, that stand beside ours. */
  readonly furtherExtensions?: readonly string[];
}

/** A real editor with the packaged extension, its window open on a copy of the sample workspace. */
export interface Editor extends AsyncDisposable {
  readonly workbench: Workbench;
  readonly server: EditorServer;
  /** All that the editor and the browser write to. */
  readonly folders: EditorFolders;
  /** Absolute path of the open folder. */
  readonly workspace: string;
}

/** Starts an editor of its own for a test or a group of tests; dispose it to end all of it. */
export async function openEditor(options: EditorOptions = {}): Promise<Editor> {
  const extensions = process.env[extensionsVariable];
  if (extensions === undefined) throw new Error("Run the end-to-end tests by `npm run test:e2e`.");
  const settings = options.settings ?? {};
  await using started = new AsyncDisposableStack();
  const folders = started.use(await createEditorFolders({ settings, extensions }));
  for (const further of options.furtherExtensions ?? []) await placeExtension(folders.extensions, further);
  const workspace = path.join(folders.root, "workspace");
  await mkdir(workspace);
  await cp(sampleWorkspace, workspace, { recursive: true });
  await options.prepareWorkspace?.(workspace);
  const provided = await provideCodeServer();
  const codeServer =
    options.languageModels === false ? started.use(await copyWithoutLanguageModels(provided)) : provided;
  const server = started.use(
    await startEditorServer(codeServer, folders, {
      ...(options.environment === undefined ? {} : { environment: options.environment }),
      workspaceTrust: options.workspaceTrust === true,
    }),
  );
  const { viewport, zoom, recordMessages = true, motion = false } = options;
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
