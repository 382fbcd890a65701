import path from "node:path";
import { provideCodeServer } from "./codeServer.ts";
import { findDesktopEditor, findInstalledCode } from "./desktopEditor.ts";
import type { EditorFolders } from "./editorFolders.ts";
import { editorEnvironment, installExtension } from "./editorServer.ts";
import { packageExtension, packageFolder, sampleOpener } from "./packageExtension.ts";
import { projectRoot } from "./paths.ts";
import { startProcessGroup } from "./processGroup.ts";
import { requireCommand } from "./runCommand.ts";

const readyLimit = 120_000;

/** An editor for a user, with the extension, an open folder and the chat. */
export interface EditorWindow extends AsyncDisposable {
  /** Text that says where to find the editor. */
  readonly description: string;
  /** Resolves when the editor has ended. */
  readonly closed: Promise<unknown>;
}

export interface EditorWindowOptions {
  readonly folders: EditorFolders;
  /** Absolute path of the folder to open. */
  readonly workspace: string;
  /** Added to the environment of the extension. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens the desktop editor if there is one; otherwise serves code-server's editor as a page. */
export async function openEditorWindow(options: EditorWindowOptions): Promise<EditorWindow> {
  const installed = process.env["VSCODE_EXECUTABLE_PATH"] ? undefined : findInstalledCode();
  const desktop = installed ?? (await findDesktopEditor());
  return desktop === undefined ? openPage(options) : openDesktop(desktop, options);
}

async function openDesktop(executable: string, options: EditorWindowOptions): Promise<EditorWindow> {
  await requireCommand(process.execPath, ["esbuild.mjs"], { folder: projectRoot });
  const { folders, workspace } = options;
  const commandArguments = [
    ["--new-window", "--wait", "--disable-workspace-trust", "--skip-welcome"],
    ["--user-data-dir", folders.userData, "--extensions-dir", folders.extensions],
    [`--extensionDevelopmentPath=${projectRoot}`, `--extensionDevelopmentPath=${sampleOpener}`, workspace],
    process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  ].flat();
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name));
  const editor = startProcessGroup(executable, commandArguments, {
    environment: { ...Object.fromEntries(inherited), ...options.environment },
  });
  return {
    description: `Editor:   ${executable}, in a window of its own`,
    closed: editor.exited,
    [Symbol.asyncDispose]: async () => editor[Symbol.asyncDispose](),
  };
}

/** Uses code-server's own entry, which preserves the secrets of the page over reloads. */
async function openPage({ folders, workspace, environment }: EditorWindowOptions): Promise<EditorWindow> {
  const codeServer = await provideCodeServer();
  for (const file of [await packageExtension(), await packageFolder(sampleOpener)])
    await installExtension(codeServer, folders, file);
  const commandArguments = [
    [codeServer.entry, "--auth", "none", "--bind-addr", "127.0.0.1:0"],
    ["--config", path.join(folders.root, "code-server.yaml")],
    ["--user-data-dir", folders.userData, "--extensions-dir", folders.extensions],
    ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
    ["--disable-getting-started-override"],
  ].flat();
  const server = startProcessGroup(codeServer.node, commandArguments, {
    environment: editorEnvironment(folders, { ...environment, PORT: undefined, PASSWORD: undefined }),
  });
  try {
    const listening = await server.waitForOutput(/listening on (http:\/\/127\.0\.0\.1:\d+)/, {
      milliseconds: readyLimit,
    });
    const address = new URL(listening[1] ?? "");
    address.searchParams.set("folder", workspace);
    return {
      description: `Editor:   ${address.href}`,
      closed: server.exited,
      [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}
