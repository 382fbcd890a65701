import { nextEditorPort } from "./browserCaches.ts";
import type { CodeServer } from "./codeServer.ts";
import type { EditorFolders } from "./editorFolders.ts";
import { startProcessGroup } from "./processGroup.ts";

const readyLimit = 120_000;
const installLimit = 120_000;

export interface EditorServerOptions {
  /** Added to the environment of the extension host; undefined takes a variable away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Off unless Restricted Mode is what is tested. */
  readonly workspaceTrust?: boolean;
  /**
   * The editor's driver for tests: it lets the page's address name an extension to run from its
   * sources. It also keeps notifications from being shown.
   */
  readonly driver?: boolean;
  /** The language of the window, such as `de`, for which there has to be a pack. */
  readonly language?: string;
  /** How much the editor and its extensions log. */
  readonly log?: "trace";
}

/** VS Code as a page on a free port of the loopback interface. */
export interface EditorServer extends AsyncDisposable {
  readonly pid: number;
  readonly origin: string;
  /** `host:port`, the authority of the `vscode-remote` addresses of this server. */
  readonly authority: string;
  /** Address of the page that opens a folder, a workspace file or neither, with options of the workbench as pairs. */
  pageAddress(folder: string | undefined, payload?: readonly (readonly [string, string])[]): string;
}

/** Starts VS Code's server and waits until it listens. */
export async function startEditorServer(
  codeServer: CodeServer,
  folders: EditorFolders,
  options: EditorServerOptions = {},
): Promise<EditorServer> {
  const port = String(await nextEditorPort());
  const server = startProcessGroup(
    codeServer.node,
    [
      [codeServer.serverMain, "--host", "127.0.0.1", "--port", port, "--without-connection-token"],
      ["--accept-server-license-terms", "--disable-telemetry"],
      options.log === undefined ? [] : ["--log", options.log],
      options.driver === true ? ["--enable-smoke-test-driver"] : [],
      options.workspaceTrust === true ? [] : ["--disable-workspace-trust"],
      options.language === undefined ? [] : ["--locale", options.language],
      folderArguments(folders),
    ].flat(),
    { environment: editorEnvironment(folders, options.environment) },
  );
  try {
    const bound = await server.waitForOutput(/Server bound to 127\.0\.0\.1:(\d+)/, {
      milliseconds: readyLimit,
    });
    return describeServer(server.pid, `127.0.0.1:${bound[1] ?? ""}`, async () =>
      server[Symbol.asyncDispose](),
    );
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Installs a packaged extension into the folders. */
export async function installExtension(
  codeServer: CodeServer,
  folders: EditorFolders,
  packageFile: string,
): Promise<void> {
  const commandArguments = [codeServer.serverMain, "--install-extension", packageFile];
  await using installer = startProcessGroup(
    codeServer.node,
    [...commandArguments, "--accept-server-license-terms", ...folderArguments(folders)],
    { environment: editorEnvironment(folders) },
  );
  await installer.waitForOutput(/was successfully installed/, { milliseconds: installLimit });
  await installer.exited;
}

function describeServer(pid: number, authority: string, dispose: () => Promise<void>): EditorServer {
  const origin = `http://${authority}`;
  return {
    pid,
    origin,
    authority,
    pageAddress(folder, payload) {
      const address = new URL("/", origin);
      if (folder === undefined) address.searchParams.set("ew", "true");
      else address.searchParams.set(folder.endsWith(".code-workspace") ? "workspace" : "folder", folder);
      if (payload !== undefined) address.searchParams.set("payload", JSON.stringify(payload));
      return address.href;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

function folderArguments(folders: EditorFolders): string[] {
  const { serverData, userData, extensions } = folders;
  return ["--server-data-dir", serverData, "--user-data-dir", userData, "--extensions-dir", extensions];
}

/** An editor that writes below its own root only, and knows nothing of an editor this runs in. */
export function editorEnvironment(
  folders: EditorFolders,
  additions: Readonly<Record<string, string | undefined>> = {},
): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$|XDG_)/i.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: folders.home,
    TMPDIR: folders.temporary,
    ...additions,
  };
}
